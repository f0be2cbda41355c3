"""A handicap at a free table: set up with it, shown before one sits down, played with, and of no level (L7)."""

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.lobby.actions import leave, sit
from games.lobby.queries import describe_table
from games.match_cache import build_setup
from games.models import FreeTable, Match
from players.models import Player
from scoring import level_book
from scoring.models import Level
from tests.support.html import read_hooks
from tests.support.lobby import begin_at, finish_by_forfeit, open_free_table
from tests.support.people import sign_in

pytestmark = [pytest.mark.django_db, pytest.mark.rule("L7")]
FORM = {
    "ruleset": "scopa", "players": "2", "length_kind": "points", "length_value": "11", "turn_timeout": "60",
    "match_clock": "900", "public": "on", "shown": "scopa",
}  # fmt: skip


def test_a_table_with_a_handicap_begins_with_those_points_and_says_so_before(
    anna: Player, bruno: Player, now: datetime
) -> None:
    made = sign_in(anna).post(reverse("free-table-new"), {**FORM, "handicap_0": "0", "handicap_1": "4"})
    table = FreeTable.objects.get()
    assert made["Location"] == reverse("free-table", args=[table.public_id])
    assert table.handicap == [0, 4]
    page = sign_in(bruno).get(made["Location"])
    assert "0–4" in page.content.decode()
    assert read_hooks(page, "start") == ["4"], "at the seat that has them"


def test_the_points_stay_with_the_seat_where_the_host_moves(anna: Player, now: datetime) -> None:
    table = open_free_table(anna, now, players=2, handicap=(0, 4))
    sit(table_id=table.pk, player=anna, seat=1, now=now)
    places = describe_table(FreeTable.objects.get(), anna).places
    assert [(place.mine, place.start) for place in places] == [(False, 0), (True, 4)]


def test_nobody_sits_down_from_the_lobby_without_having_read_of_it(anna: Player, bruno: Player) -> None:
    now = timezone.now()
    for handicap, ways in (((0, 0), 1), ((0, 4), 0)):
        table = open_free_table(anna, now, players=2, handicap=handicap)
        page = sign_in(bruno).get(reverse("lobby")).content.decode()
        assert page.count(f'formaction="{reverse("free-table-sit", args=[table.public_id])}"') == ways
        assert reverse("free-table", args=[table.public_id]) in page
        leave(table_id=table.pk, player=anna, now=now)


def test_the_page_of_the_result_says_with_what_it_began(anna: Player, bruno: Player, now: datetime) -> None:
    for handicap, said in (((0, 4), ["handicap"]), ((0, 0), [])):
        match = begin_at([anna, bruno], now, ruleset="scopa", handicap=handicap)
        finish_by_forfeit(match, 0, now + timedelta(seconds=20))
        page = Client().get(f"/partite/{match.public_id}/")
        assert [note for note in read_hooks(page, "note") if note == "handicap"] == said


def test_the_match_starts_from_it_and_a_rematch_too(anna: Player, bruno: Player, now: datetime) -> None:
    match = begin_at([anna, bruno], now, ruleset="scopa", handicap=(0, 4))
    assert (match.handicap, match.score_0, match.score_1) == ([0, 4], 0, 4)
    assert build_setup(match).handicap == (0, 4)


def test_it_counts_for_no_level(anna: Player, bruno: Player, now: datetime) -> None:
    for handicap in ((0, 4), (0, 0)):
        match = begin_at([anna, bruno], now, ruleset="scopa", handicap=handicap)
        finish_by_forfeit(match, 0, now + timedelta(seconds=20))
        level_book.settle(now=now + timedelta(minutes=1))
        assert Level.objects.exists() == (handicap == (0, 0))
        assert Match.objects.get(pk=match.pk).winner == 1


def test_more_than_twenty_points_are_refused(anna: Player, now: datetime) -> None:
    answer = sign_in(anna).post(reverse("free-table-new"), {**FORM, "handicap_0": "21"})
    assert "handicap_0" in answer.context["form"].errors
    assert not FreeTable.objects.exists()


def test_a_table_without_one_has_none(anna: Player, now: datetime) -> None:
    assert open_free_table(anna, now).handicap == []
