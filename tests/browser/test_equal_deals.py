"""The browser's part of equal deals: the number it adds on the tournament's page, found again at the table (J2, J9)."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from players.models import Player
from tests.support import live
from tests.support.entries import enter_all
from tests.support.equal import EQUAL
from tests.support.people import sign_in
from tests.support.play import open_ready
from tests.support.real_tables import draw_real, enter_deals, list_round
from tests.support.tournaments import Opened
from tests.support.waiting import until
from tournaments.equal import secrets
from tournaments.models import EntryMember, Tournament
from tournaments.running.start import start_due

# As if the page named another secret than the one the decks come from.
SPOIL = """
  const read = JSON.parse;
  JSON.parse = (text) => {
    const value = read(text);
    if (value?.shuffle?.secret) value.shuffle.secret = "0".repeat(64);
    return value;
  };
"""
HEIGHTS = "() => [...new Set([...document.querySelectorAll('[data-card] strong')].map((name) => name.offsetHeight))]"
PAPER = 703  # px between the margins of A4
KEPT = "(tournament) => JSON.parse(localStorage.getItem(`smazzata-mazzi/${tournament}/`))"


def open_page(browser: Browser, site: live.Site, player: Player, path: str) -> Page:
    context = browser.new_context()
    morsel = sign_in(player).cookies["sessionid"]
    context.add_cookies([{"name": "sessionid", "value": morsel.value, "url": site.url}])
    page = context.new_page()
    page.goto(site.url + path)
    return page


@pytest.mark.rule("J2", "J9")
def test_a_browser_adds_its_number_to_a_tournament_and_finds_it_at_the_table(
    browser: Browser, live_site: live.Site, opened: Opened, anna: Player, bruno: Player, settings: LazySettings
) -> None:
    settings.MIXING_SECONDS = 60
    now = timezone.now()
    tournament = opened(EQUAL, max_entries=2)
    enter_all(tournament, [anna], now)
    page = open_page(browser, live_site, anna, reverse("tournament", args=[tournament.public_id]))
    member = EntryMember.objects.get(tournament=tournament)
    until(lambda: EntryMember.objects.get(pk=member.pk).nonce_hash != "", what="the hash")
    kept = page.evaluate(KEPT, tournament.public_id)
    assert kept["commitments"] == {row.scope: row.digest for row in secrets.list_commitments(tournament)}
    assert kept["hash"] == EntryMember.objects.get(pk=member.pk).nonce_hash
    enter_all(tournament, [bruno], now)  # it is full, and browsers are asked for what they promised
    until(lambda: EntryMember.objects.get(pk=member.pk).nonce == kept["nonce"], what="the nonce")
    start_due(tournament_id=tournament.pk, now=timezone.now())
    assert secrets.list_commitments(tournament)[0].nonces == [kept["nonce"], ""]

    (match,) = open_ready(Tournament.objects.get(pk=tournament.pk), timezone.now() + timedelta(seconds=10))
    page.wait_for_url("**" + reverse("table", args=[match.public_id]))  # led there, as the table waits
    expect(page.locator("#origin-nonces li")).to_have_count(2)
    expect(page.locator("#nonce-dialog")).to_be_hidden()
    scope = f"{tournament.public_id}/1"
    until(
        lambda: page.evaluate("(scope) => !!localStorage.getItem(`smazzata-mazzi/${scope}`)", scope), what="the receipt"
    )
    receipt = page.evaluate("(scope) => JSON.parse(localStorage.getItem(`smazzata-mazzi/${scope}`))", scope)
    assert (receipt["nonce"], receipt["nonces"], receipt["place"]) == (kept["nonce"], [kept["nonce"], ""], -1)


@pytest.mark.rule("J7", "J9")
def test_a_browser_checks_the_decks_that_were_prepared_for_real_tables(
    browser: Browser, live_site: live.Site, opened: Opened, anna: Player
) -> None:
    now = timezone.now()
    hall = draw_real(opened, 4, now, replace(EQUAL, ruleset="tresette", tie_break="percentuale"))
    for fixture in list_round(hall, 1):
        enter_deals(hall, fixture, ((7, 4), (6, 5)), now)
    page = open_page(browser, live_site, anna, reverse("prepared-decks", args=[hall.public_id, 1]))
    expect(page.locator("#deck-check")).not_to_have_attribute("data-checked", "agrees")
    page.locator("#deck-check-run").click()
    expect(page.locator("#deck-check")).to_have_attribute("data-checked", "agrees")
    expect(page.locator("#deck-check-answer")).to_contain_text("I mazzi tornano: 2")
    for media, width in (("screen", 360), ("screen", 1280), ("print", PAPER)):
        page.emulate_media(media=media)
        page.set_viewport_size({"width": width, "height": 800})
        assert len(page.evaluate(HEIGHTS)) == 1, "no name of a card breaks in two"
    page.emulate_media(media="screen")
    page.add_init_script(SPOIL)
    page.reload()
    page.locator("#deck-check-run").click()
    expect(page.locator("#deck-check")).to_have_attribute("data-checked", "differs")
