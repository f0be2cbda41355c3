"""Rankings as they are drawn: the table at once, one's own row always in sight, choices that need no script."""

import re

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect

from players.models import Player
from tests.browser.layouts import NARROWEST, WINDOWS, find_flaws, find_small_targets, measure_box
from tests.browser.pictures import take_picture
from tests.support import live
from tests.support.browser import collect_complaints
from tests.support.people import create_person, sign_in
from tests.support.rankings import create_over, create_people, make_rankings

SCOPA = "/classifiche/?gioco=scopa&classifica=ever"
HEADER_PIXELS = 60
FIRST_ROW_PIXELS = 320
IN_VIEW = """() => { const box = document.querySelector("#own, .board tfoot .mine").getBoundingClientRect();
  return box.top >= 0 && box.bottom <= innerHeight; }"""


@pytest.fixture
def ranked(transactional_db: None) -> list[Player]:
    """Sixty people in a ranking, the first of them by name, and one who is the last."""
    now = timezone.now()
    people = [*create_people(59, now), create_person("Peppino", now).person]
    create_over(create_person("Teresa", now), now, {person: 900 - 3 * number for number, person in enumerate(people)})
    make_rankings(now)
    return [person.player for person in people if person.player is not None]


def open_window(browser: Browser, site: live.Site, reader: Player | None, **more: object) -> BrowserContext:
    context = browser.new_context(base_url=site.url, locale="it-IT", reduced_motion="reduce", **more)  # type: ignore[arg-type]
    if reader is not None:
        session = sign_in(reader).cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": session, "url": site.url}])
    return context


def scroll_through(page: Page) -> list[bool]:
    """Return at each of ten places of the page whether one's own row is in view."""
    seen = []
    for tenth in range(11):
        page.evaluate("(tenth) => scrollTo(0, document.scrollingElement.scrollHeight * tenth / 10)", tenth)
        seen.append(page.evaluate(IN_VIEW))
    return seen


def test_the_table_is_there_at_once_and_ones_own_row_wherever_one_looks(
    ranked: list[Player], live_site: live.Site, request: pytest.FixtureRequest
) -> None:
    browser: Browser = request.getfixturevalue("browser")
    context = open_window(browser, live_site, ranked[-1])
    page = context.new_page()
    heard = collect_complaints(page)
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        for address in (SCOPA, f"{SCOPA}&pagina=2"):
            page.goto(address)
            if address == SCOPA:
                take_picture(page, f"rankings-{'full' if width > 600 else 'states'}-{width}")
            first = measure_box(page, ".board tbody tr")["y"] - measure_box(page, "main")["y"]
            assert first <= FIRST_ROW_PIXELS - HEADER_PIXELS or width < 390, (width, address)
            assert all(scroll_through(page)), (width, address)
        if width < 600:
            assert find_small_targets(page) == [], width
    assert find_flaws(page, ("light", "dark")) == []
    page.set_viewport_size({"width": NARROWEST, "height": 568})
    assert find_flaws(page) == []
    assert heard == []
    context.close()


def test_choices_are_links_and_load_in_place(
    ranked: list[Player], live_site: live.Site, request: pytest.FixtureRequest
) -> None:
    browser: Browser = request.getfixturevalue("browser")
    for scripts in (True, False):
        context = open_window(browser, live_site, None, java_script_enabled=scripts)
        page = context.new_page()
        page.goto(SCOPA)
        header = page.locator(".site-header").element_handle()
        page.get_by_role("link", name="a coppie").first.click()
        expect(page.locator("[data-note=nobody_yet]")).to_be_visible()
        expect(page).to_have_url(re.compile("gioco=scopa.*forma=pairs"))
        page.get_by_role("link", name="da soli").first.click()
        expect(page.locator(".board tbody tr")).to_have_count(50)
        if scripts:
            assert header is not None
            assert header.evaluate("(header) => header.isConnected"), "the page is the same"
        page.get_by_label("Cerca un nome").fill("pepp")
        if scripts:
            expect(page.locator(".board [data-faded]")).to_have_count(50)
        page.get_by_label("Cerca un nome").press("Enter")
        expect(page.locator(".board tbody tr")).to_have_count(1)
        expect(page.locator(".board tbody .board-place")).to_have_text("60")
        context.close()


def test_a_ranking_that_nobody_stands_in_says_the_next_step(
    ranked: list[Player], live_site: live.Site, request: pytest.FixtureRequest
) -> None:
    browser: Browser = request.getfixturevalue("browser")
    assert Client().get("/classifiche/").status_code == 200
    context = open_window(browser, live_site, None)
    page = context.new_page()
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        page.goto("/classifiche/?gioco=briscola")
        assert measure_box(page, ".board-empty .button")["bottom"] <= height
        assert page.locator("main .button:visible:not(.button-plain)").count() == 1
        assert find_flaws(page, ("light", "dark")) == [], width
    context.close()
