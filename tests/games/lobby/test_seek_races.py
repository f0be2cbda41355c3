"""Several workers pair, several people seek and leave at once: nobody sits twice, and no table opens half."""

from datetime import datetime, timedelta

import pytest

from games.lobby import seeks
from games.lobby.actions import LobbyRefused
from games.lobby.kinds import SeekKind
from games.models import FreeTable, Match, Seat, Seek
from players.models import Player
from tests.support.people import create_person
from tests.support.threads import run_at_once

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]


def check_tables() -> None:
    assert Match.objects.count() == FreeTable.objects.count()
    assert all(match.seats.count() == match.players for match in Match.objects.all())
    seated = list(Seat.objects.filter(live=True).values_list("player_id", flat=True))
    assert len(seated) == len(set(seated))
    assert not Seek.objects.filter(player__in=seated).exists()


@pytest.mark.rule("B3", "E8")
def test_many_workers_pair_the_same_seeks_once(now: datetime) -> None:
    for number in range(12):
        seeks.seek_match(player=create_person(f"Socio {number:02}", now), kind=SeekKind(), now=now)
    answers = run_at_once(*(lambda: seeks.pair_lobby(now) for _worker in range(4)))
    assert not [answer for answer in answers if isinstance(answer, Exception)], answers
    seeks.pair_lobby(now)
    assert Match.objects.count() == 6
    check_tables()


@pytest.mark.rule("B2")
def test_one_person_who_seeks_twice_at_once_has_one_seek(anna: Player, now: datetime) -> None:
    kinds = [SeekKind(), SeekKind("tresette")] * 2
    answers = run_at_once(*(lambda kind=kind: seeks.seek_match(player=anna, kind=kind, now=now) for kind in kinds))
    assert all(isinstance(answer, Seek | LobbyRefused) for answer in answers), answers
    assert Seek.objects.filter(player=anna).count() == 1


@pytest.mark.rule("B2", "E8")
def test_who_ends_a_seek_takes_the_house_and_is_paired_at_once_sits_at_one_table_or_none(
    anna: Player, bruno: Player, now: datetime
) -> None:
    later = now + timedelta(seconds=16)
    seeks.seek_match(player=anna, kind=SeekKind(), now=now)
    seeks.seek_match(player=bruno, kind=SeekKind(), now=now)
    answers = run_at_once(
        lambda: seeks.end_seek(player=anna),
        lambda: seeks.play_with_house(player=anna, now=later),
        lambda: seeks.pair_lobby(later),
        lambda: seeks.play_with_house(player=bruno, now=later),
    )
    assert all(isinstance(answer, bool | int | Match | LobbyRefused | None) for answer in answers), answers
    check_tables()
