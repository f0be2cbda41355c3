"""An analysis in a browser (HP6): asked for, watched while it is made, read with bars in the replay.

That a worker makes it is another test's (tests/flows/test_worker.py).
"""

import re

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, expect

from players.models import Player
from records.analysis import run
from tests.browser.axe import faults
from tests.support import live
from tests.support.analysis import make_finished

SIDEWAYS = "() => document.scrollingElement.scrollWidth - innerWidth"


@pytest.mark.rule("HP6")
@pytest.mark.timeout(300)
def test_a_player_looks_back_at_a_match(
    anna: Player,
    bruno: Player,
    carla: Player,
    dino: Player,
    live_site: live.Site,
    request: pytest.FixtureRequest,
) -> None:
    match = make_finished([anna, bruno, carla, dino], timezone.now(), ruleset="tresette")
    assert match.deals.filter(finished=True).exists(), "its cards were played"
    browser: Browser = request.getfixturevalue("browser")
    context = browser.new_context(
        base_url=live_site.url, locale="it-IT", viewport={"width": 360, "height": 740}, reduced_motion="reduce"
    )
    client = Client()
    client.force_login(anna.user)
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_site.url}])
    page = context.new_page()
    page.goto(f"/partite/{match.public_id}/")
    page.get_by_role("link", name="Analisi").click()
    page.get_by_role("button", name="Analizza la partita").click()
    expect(page.locator("#analysis")).to_have_attribute("data-state", "running")
    assert run.run_waiting(clock=timezone.now) == 1
    expect(page.locator("#analysis")).to_have_attribute("data-state", "done", timeout=200_000)
    expect(page.get_by_role("heading", name="Come hai giocato")).to_be_visible()
    assert page.evaluate(SIDEWAYS) <= 0
    assert faults(page) == []
    page.get_by_role("link", name=re.compile("Rivedi la smazzata")).first.click()
    steps = page.locator("[data-study-step]")
    first = steps.first.get_attribute("data-study-step")
    while page.locator("[data-study-step]:visible").count() == 0:
        page.keyboard.press("ArrowRight")
    expect(page.locator("#place")).to_contain_text(f"Mossa {first} di")
    bars = page.locator("[data-study-step]:visible .study-bars li")
    assert bars.count() > 1
    assert page.evaluate(SIDEWAYS) <= 0
    assert faults(page) == []
    context.close()
