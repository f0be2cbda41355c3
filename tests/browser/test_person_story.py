"""A guest keeps their history by signing up, and the pages of a person stand the look of a telephone and a desk."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, expect

from players.models import Player
from players.services.players import create_guest
from tests.browser.axe import faults
from tests.support import live
from tests.support.browser import collect_complaints
from tests.support.people import PASSWORD, create_person
from tests.support.tables import play_out, seated

NARROWEST = 320
UNFOLD = "() => document.querySelectorAll('main details:not(.menu)').forEach((folded) => { folded.open = true; })"
SIDEWAYS = "() => document.scrollingElement.scrollWidth - innerWidth"
TABLES_SIDEWAYS = """() => [...document.querySelectorAll(".stat-rows")]
    .filter((rows) => rows.scrollWidth > rows.clientWidth).map((rows) => rows.ariaLabel)"""


@pytest.fixture
def guest(transactional_db: None) -> Player:
    """A guest who has finished two matches."""
    now = timezone.now() - timedelta(hours=2)
    guest = create_guest(now=now, address="192.0.2.1")
    bruno = create_person("Bruno", now)
    for _match in range(2):
        now = play_out(seated([guest, bruno], now, ruleset="scopa", context="free"), now)
    return guest


def test_a_guest_keeps_their_history_by_signing_up(
    guest: Player, live_site: live.Site, request: pytest.FixtureRequest
) -> None:
    browser: Browser = request.getfixturevalue("browser")
    client = Client()
    client.force_login(guest.user)
    context = browser.new_context(
        base_url=live_site.url, locale="it-IT", viewport={"width": 360, "height": 740}, reduced_motion="reduce"
    )
    session = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_site.url}])
    page = context.new_page()
    heard = collect_complaints(page)
    own = f"/giocatori/{guest.public_id}/"
    page.goto(own)
    expect(page.locator("[data-kind]")).to_have_attribute("data-kind", "guest")
    expect(page.locator("[data-outcome]")).to_have_count(2)

    page.goto("/account/signup/")
    page.get_by_label("Nome", exact=False).first.fill("Ginevra")
    passwords = page.locator("input[type=password]")
    for number in range(passwords.count()):
        passwords.nth(number).fill(PASSWORD)
    page.locator("main form button[type=submit]").first.click()
    page.wait_for_url(lambda url: "signup" not in url)

    page.goto(own)
    expect(page.locator("[data-kind]")).to_have_attribute("data-kind", "member")
    expect(page.locator("h1")).to_have_text("Ginevra")
    expect(page.locator("[data-outcome]")).to_have_count(2)
    own_pages = (own, f"{own}partite/", f"{own}tornei/", f"{own}statistiche/", f"{own}premi/")
    for address in (*own_pages, "/profilo/", "/profilo/impostazioni/", "/profilo/benvenuto/", "/coppie/"):
        page.goto(address)
        page.evaluate(UNFOLD)
        for width in (NARROWEST, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate(SIDEWAYS) <= 0, (address, width)
            assert page.evaluate(TABLES_SIDEWAYS) == [], (address, width)
        assert faults(page) == [], address
    assert heard == []

    english = browser.new_context(base_url=live_site.url, locale="en-GB", viewport={"width": 360, "height": 740})
    page = english.new_page()
    page.goto(f"{own}statistiche/")
    page.evaluate(UNFOLD)
    expect(page.locator(".stat-rows").first).to_be_visible()
    assert page.evaluate(TABLES_SIDEWAYS) == [], "its words are other ones"
    english.close()
    context.close()
