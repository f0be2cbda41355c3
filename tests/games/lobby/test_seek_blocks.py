"""Blocks and suspensions in the lobby (B6, U2): whoever blocks, is blocked or is suspended is never put at a table by a
seek, and two workers make one table of one pair of seeks."""

from contextlib import nullcontext
from datetime import datetime, timedelta

import pytest

from games.engine.game import Length
from games.lobby import rematches, seeks
from games.lobby.actions import LobbyRefused
from games.lobby.kinds import SeekKind
from games.models import FreeTable, Match, Seat, Seek, Strength
from games.training.actions import begin_training
from players.models import Player, PlayerBlock, User
from players.selectors import find_blocks
from players.services.blocks import block_player
from tests.support.lobby import begin_at, finish_by_forfeit
from tests.support.people import create_person
from tests.support.threads import run_at_once

PAIRS = SeekKind(form="pairs")


@pytest.fixture
def four(anna: Player, bruno: Player, carla: Player, dino: Player) -> list[Player]:
    return [anna, bruno, carla, dino]


def seek(player: Player, now: datetime, kind: SeekKind | None = None, partner: Player | None = None) -> Seek:
    return seeks.seek_match(player=player, kind=kind or SeekKind(), partner=partner, now=now)


def list_met() -> list[set[int]]:
    return [set(match.seats.values_list("player_id", flat=True)) for match in Match.objects.all()]


@pytest.mark.rule("B6")
@pytest.mark.django_db
@pytest.mark.parametrize("mine", [True, False])
def test_singles_who_block_each_other_wait_for_somebody_else(
    anna: Player, bruno: Player, carla: Player, now: datetime, mine: bool
) -> None:
    block_player(player=anna if mine else bruno, blocked=bruno if mine else anna, now=now)
    seek(anna, now)
    seek(bruno, now)
    assert seeks.pair_lobby(now) == 0
    seek(carla, now)
    assert seeks.pair_lobby(now) == 1
    assert {anna.pk, bruno.pk} not in list_met()


@pytest.mark.rule("B6")
@pytest.mark.django_db
@pytest.mark.parametrize("first", range(4))
def test_no_table_of_four_holds_two_who_block_each_other(four: list[Player], now: datetime, first: int) -> None:
    for player in four:
        seek(player, now, PAIRS)
    block_player(player=four[first], blocked=four[(first + 1) % 4], now=now)
    assert seeks.pair_lobby(now) == 0, "neither beside nor against"
    seek(create_person("Nives", now), now, PAIRS)
    assert seeks.pair_lobby(now) == 1
    assert not find_blocks(list_met()[0])


@pytest.mark.rule("B6")
@pytest.mark.django_db
def test_a_block_parts_partners_who_had_named_each_other(four: list[Player], now: datetime) -> None:
    anna, bruno, carla, dino = four
    for player, partner in ((anna, bruno), (bruno, anna), (carla, dino), (dino, carla)):
        seek(player, now, PAIRS, partner)
    PlayerBlock.objects.create(player=bruno, blocked=anna, at=now)
    assert seeks.pair_lobby(now) == 0
    assert seek(anna, now, PAIRS, bruno).partner == bruno, "naming somebody tells nobody of a block"
    with pytest.raises(LobbyRefused, match="no_such_partner"):
        seek(bruno, now, PAIRS, anna)
    assert seeks.pair_lobby(now) == 0
    with pytest.raises(LobbyRefused, match="seek_gone"):
        seeks.join_seek(player=anna, seek_id=Seek.objects.get(player=bruno).pk, now=now)
    assert seeks.play_with_house(player=anna, now=now + timedelta(seconds=16)) is None
    assert not Match.objects.exists()


@pytest.mark.rule("U2")
@pytest.mark.django_db
@pytest.mark.parametrize("kind", [SeekKind(), PAIRS])
def test_the_seek_of_a_suspended_person_is_never_paired(four: list[Player], now: datetime, kind: SeekKind) -> None:
    people = four[: kind.seats]
    theirs = [seek(player, now, kind) for player in people]
    User.objects.filter(player=people[0]).update(suspended_until=now + timedelta(days=1))
    plans = seeks.plan_tables(kind, theirs, (), now)
    assert [seeks._open_table(kind, plan, theirs, now) for plan in plans] == [None], "suspended since it was planned"
    if kind.seats == 2:
        assert seeks.join_seek(player=people[1], seek_id=theirs[0].pk, now=now) is None
    assert seeks.pair_lobby(now) == 0
    assert not Seek.objects.filter(player=people[0]).exists()
    assert not Match.objects.exists()


@pytest.mark.rule("B6", "B5")
@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_who_blocks_as_the_last_asks_for_the_rematch_plays_it_only_if_it_was_open(
    anna: Player, bruno: Player, now: datetime
) -> None:
    match = finish_by_forfeit(begin_at([anna, bruno], now), 0, now)
    rematches.ask_rematch(match_id=match.pk, player=anna, now=now)
    answers = run_at_once(
        lambda: rematches.ask_rematch(match_id=match.pk, player=bruno, now=now),
        lambda: block_player(player=anna, blocked=bruno, now=now),
    )
    opened = [answer for answer in answers if isinstance(answer, Match)]
    assert FreeTable.objects.filter(previous=match.free_table).count() == len(opened)
    with nullcontext() if opened else pytest.raises(LobbyRefused):
        rematches.ask_rematch(match_id=match.pk, player=bruno, now=now)


@pytest.mark.rule("B3", "B6")
@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_two_workers_make_one_table_of_one_pair_of_seeks(anna: Player, bruno: Player, now: datetime) -> None:
    seek(anna, now)
    mine = seek(bruno, now)
    answers = run_at_once(
        lambda: seeks.pair_lobby(now),
        lambda: seeks.pair_lobby(now),
        lambda: seeks.join_seek(player=anna, seek_id=mine.pk, now=now),
    )
    assert all(isinstance(answer, int | Match | LobbyRefused | None) for answer in answers), answers
    if not list_met():  # each left the other's seek to whoever had locked it: the worker's next look opens the table
        assert seeks.pair_lobby(now) == 1
    assert list_met() == [{anna.pk, bruno.pk}]
    assert Seat.objects.filter(live=True).count() == 2
    assert not Seek.objects.filter(player=bruno).exists()


@pytest.mark.rule("U2")
@pytest.mark.django_db
def test_who_is_suspended_does_not_train_either(anna: Player, now: datetime) -> None:
    User.objects.filter(player=anna).update(suspended_until=now + timedelta(days=1))
    about = {"ruleset": "scopa", "players": 2, "length": Length("points", 11), "options": {}, "strength": Strength.CLUB}
    with pytest.raises(LobbyRefused, match="suspended"):
        begin_training(player=anna, turn_timeout=None, match_clock=None, now=now, **about)  # type: ignore[arg-type]
