"""An evening for chips: a table with a stake, a cappotto that wins two of them (T6), and the rematch (B5)."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from games.lobby import rematches
from games.models import FreeTable, Match
from games.services import seating
from players.models import Player
from tests.support import live
from tests.support.browser import collect_complaints
from tests.support.chips import GOLDEN, give_chips, read_chips, read_held
from tests.support.lobby import sit_down_at
from tests.support.tables import CONTROLS, again, play, stack
from tests.support.waiting import until

TABLE = re.compile(r"/tavoli/(?!nuovo/|libero/)\w+/$")
SOON = 120_000  # ms: for a broken build, not to measure anything


@contextmanager
def window(browser: Browser, site: live.Site, player: Player, width: int) -> Iterator[Page]:
    context = browser.new_context(
        base_url=site.url, locale="it-IT", viewport={"width": width, "height": 740}, reduced_motion="reduce"
    )
    client = Client()
    client.force_login(player.user)
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": site.url}])
    yield context.new_page()
    context.close()


def play_record_out(match: Match, name: str) -> None:
    """Play the record's cards for everybody, whichever windows hold the seats."""
    (deal,) = json.loads((GOLDEN / f"{name}.json").read_text())["deals"]
    stack(match, deal["deck"])
    at = timezone.now()
    for move in deal["moves"]:
        seat, _, text = move.partition(" ")
        current = again(match)
        at = max(at, current.turn_from or at)
        play(match, at, text, seat=int(seat), control=current.controls[int(seat)])


@pytest.mark.rule("Z2", "Z3", "T6", "B5")
@pytest.mark.django_db(transaction=True)
def test_a_cappotto_is_paid_and_the_rematch_is_played_for_the_same_stake(
    live_site: live.Site, request: pytest.FixtureRequest, anna: Player, bruno: Player, carla: Player, dino: Player
) -> None:
    browser: Browser = request.getfixturevalue("browser")
    four = [give_chips(player, 100, timezone.now()) for player in (anna, bruno, carla, dino)]
    with window(browser, live_site, anna, 1280) as annas, window(browser, live_site, bruno, 360) as brunos:
        heard = [*collect_complaints(annas), *collect_complaints(brunos)]
        annas.goto("/tavoli/nuovo/")
        annas.get_by_role("radio", name="Tresette", exact=True).check()
        annas.get_by_role("radio", name="in quattro, a coppie").check()
        expect(annas.get_by_label("Dichiarazioni")).to_be_checked()
        annas.get_by_label("Ogni partita si gioca").select_option("a smazzate")
        annas.get_by_label("Quanti").fill("1")
        annas.get_by_label("Dichiarazioni").uncheck()
        annas.get_by_label("Cappotto").check()
        annas.get_by_label("Posta, in gettoni").fill("15")
        annas.get_by_label("Posta, in gettoni").blur()
        expect(annas.locator("#stake-loss[data-loss='30']")).to_be_visible()
        annas.get_by_role("button", name="Apri il tavolo e siediti").click()
        expect(annas.get_by_role("button", name="Alzati")).to_be_visible()
        table = FreeTable.objects.get()
        brunos.goto(f"/tavoli/libero/{table.public_id}/")
        expect(brunos.locator("[data-stake='15'][data-cap='600']")).to_be_visible()
        brunos.get_by_role("button", name="Siediti al posto 2").click()
        expect(brunos.get_by_role("button", name="Alzati")).to_be_visible()
        assert read_held(*four) == [30, 30, 0, 0]

        sit_down_at(table, carla, 2, timezone.now())
        with transaction.atomic():  # no page knows of a commitment, for these cards come from none
            match = sit_down_at(table, dino, 3, timezone.now())
            assert match is not None
            Match.objects.filter(pk=match.pk).update(first_dealer=3, commitment=None)
        for page in (annas, brunos):
            page.wait_for_url(TABLE, timeout=SOON)
            expect(page.locator("#stake")).to_have_attribute("data-stake", "15")
        until(lambda: match.seats.filter(arrived_at=None).count() == 2, what="both at the table")
        for player, seat in ((carla, 2), (dino, 3)):
            seating.sit_down(match_id=match.pk, player_id=player.pk, token=CONTROLS[seat], now=timezone.now())
        play_record_out(match, "tresette-4-cappotto")

        for page in (annas, brunos):
            expect(page.locator("#rematch-ask")).to_be_visible(timeout=SOON)
        until(lambda: read_chips(*four) == [130, 70, 130, 70], what="the stakes")
        annas.locator("#rematch-ask").click()
        expect(annas.locator("#rematch-ask")).to_be_hidden()
        expect(annas.locator("#rematch-words")).to_contain_text("Bruno")
        brunos.locator("#rematch-ask").click()
        for player in (carla, dino):
            rematches.ask_rematch(match_id=match.pk, player=player, now=timezone.now())
        until(lambda: FreeTable.objects.filter(previous=table).exists(), what="the rematch")
        following = FreeTable.objects.get(previous=table).match
        assert following is not None
        for page, score in ((annas, "1–0"), (brunos, "0–1")):
            page.wait_for_url(f"**/tavoli/{following.public_id}/", timeout=SOON)
            expect(page.locator("#evening")).to_contain_text(score)
        assert read_held(*four) == [30] * 4

        annas.goto(f"/partite/{match.public_id}/")
        expect(annas.locator("[data-chips='30']")).to_have_count(2)
        annas.goto("/profilo/gettoni/")
        expect(annas.locator("[data-balance='130']")).to_be_visible()
        assert heard == []
