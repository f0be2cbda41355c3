"""A problem solved by keyboard alone on the narrowest telephone, and what axe says of its pages."""

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, expect

from tests.browser.axe import faults
from tests.support.browser import collect_complaints
from tests.support.live import Site
from tests.support.people import create_person
from tests.support.problems import plant_problem
from tests.support.tables import again, play_out, seated

SIDEWAYS = "document.scrollingElement.scrollWidth - innerWidth"


@pytest.mark.rule("HP7")
@pytest.mark.django_db(transaction=True)
def test_a_problem_is_solved_by_keyboard_alone(live_site: Site, request: pytest.FixtureRequest) -> None:
    browser: Browser = request.getfixturevalue("browser")  # after the site: its thread wants the first loop
    now = timezone.now()
    match = seated([create_person("Anna", now), create_person("Bruno", now)], now, context="free")
    play_out(match, now)
    problem = plant_problem(again(match))
    context = browser.new_context(
        base_url=live_site.url, locale="it-IT", viewport={"width": 320, "height": 568}, reduced_motion="reduce"
    )
    page = context.new_page()
    heard = collect_complaints(page)
    page.goto("/problemi/")
    assert faults(page) == []
    page.locator("[data-action=daily-scopa]").press("Enter")
    page.wait_for_url(f"**/{problem.public_id}/")
    assert page.evaluate(SIDEWAYS) <= 0
    assert faults(page) == []

    first = page.locator("input[name=carta]").first
    first.focus()
    first.press("Space")
    page.keyboard.press("ArrowDown")
    expect(page.locator("input[name=carta]").nth(1)).to_be_checked()
    page.keyboard.press("Enter")
    expect(page.locator("[data-right]")).to_be_visible()
    expect(page.locator("[data-move]")).to_have_count(len(problem.plays))
    assert page.evaluate(SIDEWAYS) <= 0
    assert faults(page) == []
    page.locator("[data-action=another]").press("Enter")
    expect(page.locator("[data-note=problems-finished]")).to_be_visible()
    assert heard == []
    context.close()
