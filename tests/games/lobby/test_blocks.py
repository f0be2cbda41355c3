"""Blocks at free tables (B6): two of whom either blocks the other never sit down together, and neither is told why."""

from datetime import datetime

import pytest
from django.urls import reverse

from games.engine.game import Length
from games.lobby import queries
from games.lobby.actions import LobbyRefused
from games.models import FreeSeat, Match, Seat
from players.models import Player
from players.services.blocks import block_player
from tests.support.html import read_hooks
from tests.support.lobby import open_free_table, sit_down_at
from tests.support.people import sign_in
from tests.support.threads import run_at_once

DUEL = {"ruleset": "scopa", "players": 2, "length": Length("points", 11)}


@pytest.mark.rule("B6")
@pytest.mark.django_db
@pytest.mark.parametrize("host_blocks", [True, False])
def test_two_of_whom_one_blocks_the_other_never_sit_at_one_free_table(
    anna: Player, bruno: Player, carla: Player, now: datetime, host_blocks: bool
) -> None:
    first, second = (anna, bruno) if host_blocks else (bruno, anna)
    block_player(player=first, blocked=second, now=now)
    table = open_free_table(anna, now)
    with pytest.raises(LobbyRefused) as refused:
        sit_down_at(table, bruno, 1, now)
    assert refused.value.code == "no_place", "the same for whoever blocks and who is blocked"
    sit_down_at(table, carla, 1, now)
    assert [found.table for found in queries.list_tables(carla)] == [table]
    assert queries.list_tables(bruno) == []


@pytest.mark.rule("B6")
@pytest.mark.django_db
def test_a_block_made_at_the_table_holds_before_it_begins(
    anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime
) -> None:
    table = open_free_table(anna, now)
    sit_down_at(table, bruno, 1, now)
    sit_down_at(table, carla, 2, now)
    block_player(player=anna, blocked=bruno, now=now)
    assert sit_down_at(table, dino, 3, now) is None
    assert {seat.player for seat in FreeSeat.objects.filter(table=table)} == {anna, carla, dino}


@pytest.mark.django_db
def test_the_page_says_so_without_a_reason(anna: Player, bruno: Player, now: datetime) -> None:
    block_player(player=anna, blocked=bruno, now=now)
    table = open_free_table(anna, now)
    answer = sign_in(bruno).post(reverse("free-table-sit", args=[table.public_id]), {"posto": "1"}, follow=True)
    assert "no_place" in read_hooks(answer, "notice")  # type: ignore[arg-type]


@pytest.mark.rule("B6")
@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_who_blocks_while_the_last_seat_is_taken_is_not_played_with_afterwards(
    anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    block_player(player=carla, blocked=bruno, now=now)
    table = open_free_table(anna, now)
    answers = run_at_once(
        lambda: sit_down_at(table, bruno, 1, now),
        lambda: sit_down_at(table, carla, 3, now),
        lambda: block_player(player=carla, blocked=anna, now=now),
    )
    assert len([answer for answer in answers if isinstance(answer, LobbyRefused)]) >= 1
    seated = set(FreeSeat.objects.values_list("player_id", flat=True))
    assert not {bruno.pk, carla.pk} <= seated


@pytest.mark.rule("B6")
@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_a_match_opens_only_for_people_who_want_each_other(anna: Player, bruno: Player, now: datetime) -> None:
    table = open_free_table(anna, now, **DUEL)
    answers = run_at_once(
        lambda: sit_down_at(table, bruno, 1, now),
        lambda: block_player(player=anna, blocked=bruno, now=now),
    )
    opened = [answer for answer in answers if isinstance(answer, Match)]
    assert Match.objects.count() == len(opened), "a block made first is seen; one made later ends no match"
    if not opened:
        assert not Seat.objects.exists()
