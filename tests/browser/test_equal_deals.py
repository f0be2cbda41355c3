"""The browser's part of equal deals: the number it adds on the tournament's page, found again at the table (J2, J9)."""

from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from players.models import Player
from tests.support import live
from tests.support.equal import EQUAL, enter
from tests.support.people import sign_in
from tests.support.play import open_ready
from tests.support.tournaments import Opened
from tests.support.waiting import until
from tournaments.equal import secrets
from tournaments.models import EntryMember, Tournament
from tournaments.running.start import start_due

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
    enter(tournament, [anna], now)
    page = open_page(browser, live_site, anna, reverse("tournament", args=[tournament.public_id]))
    member = EntryMember.objects.get(tournament=tournament)
    until(lambda: EntryMember.objects.get(pk=member.pk).nonce_hash != "", what="the hash")
    kept = page.evaluate(KEPT, tournament.public_id)
    assert kept["commitments"] == {row.scope: row.digest for row in secrets.list_commitments(tournament)}
    assert kept["hash"] == EntryMember.objects.get(pk=member.pk).nonce_hash
    enter(tournament, [bruno], now)  # it is full, and browsers are asked for what they promised
    until(lambda: EntryMember.objects.get(pk=member.pk).nonce == kept["nonce"], what="the nonce")
    start_due(tournament_id=tournament.pk, now=timezone.now())
    assert secrets.list_commitments(tournament)[0].nonces == [kept["nonce"], ""]

    (match,) = open_ready(Tournament.objects.get(pk=tournament.pk), timezone.now() + timedelta(seconds=10))
    page.goto(live_site.url + reverse("table", args=[match.public_id]))
    expect(page.locator("#origin-first-nonces li")).to_have_count(2)
    expect(page.locator("#nonce-dialog")).to_be_hidden()
    scope = f"{tournament.public_id}/1"
    until(
        lambda: page.evaluate("(scope) => !!localStorage.getItem(`smazzata-mazzi/${scope}`)", scope), what="the receipt"
    )
    receipt = page.evaluate("(scope) => JSON.parse(localStorage.getItem(`smazzata-mazzi/${scope}`))", scope)
    assert (receipt["nonce"], receipt["nonces"], receipt["place"]) == (kept["nonce"], [kept["nonce"], ""], -1)
