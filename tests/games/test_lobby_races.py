"""Several sit down at once: a seat has one owner, a person one place, a table one match."""

from datetime import datetime

import pytest

from games.engine.game import Length
from games.lobby import actions
from games.lobby.actions import LobbyRefused
from games.models import FreeSeat, FreeTable, Match, Seat
from players.models import Player
from tests.conftest import person
from tests.games.test_lobby import free_table, sit
from tests.games.test_races import at_once

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


def codes(answers: list[object]) -> list[str]:
    assert all(isinstance(answer, LobbyRefused | Match | None) for answer in answers), answers
    return sorted(answer.code if isinstance(answer, LobbyRefused) else "done" for answer in answers)


def test_of_many_who_want_a_seat_one_has_it(anna: Player, now: datetime) -> None:
    table = free_table(anna, now)
    many = [person(f"Socio {letter}", now) for letter in "ABCDEF"]
    answers = at_once(*(lambda player=player: sit(table, player, 2, now) for player in many))
    assert codes(answers) == ["done", *["seat_gone"] * 5]
    assert FreeSeat.objects.filter(table=table, number=2).count() == 1


def test_the_last_seat_opens_one_match(anna: Player, now: datetime) -> None:
    table = free_table(anna, now, ruleset="scopa", players=2, length=Length("points", 11))
    many = [person(f"Socio {letter}", now) for letter in "ABCD"]
    answers = at_once(
        *(lambda player=player: sit(table, player, 1, now) for player in many),
        lambda: actions.fill(table_id=table.pk, by=anna, now=now),
    )
    assert codes(answers).count("done") == 1
    assert Match.objects.count() == 1
    assert Seat.objects.count() == 2
    assert not FreeSeat.objects.exists()


@pytest.mark.rule("E8")
def test_one_person_at_two_tables_at_once_sits_at_one(
    anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    tables = [free_table(anna, now), free_table(bruno, now)]
    answers = at_once(*(lambda table=table: sit(table, carla, 1, now) for table in tables * 2))
    assert FreeSeat.objects.filter(player=carla).count() == 1
    assert set(codes(answers)) <= {"done", "seated_elsewhere"}


def test_everybody_gets_up_at_once_and_the_table_closes(anna: Player, bruno: Player, now: datetime) -> None:
    table = free_table(anna, now)
    sit(table, bruno, 1, now)
    at_once(
        *(lambda player=player: actions.leave(table_id=table.pk, player=player, now=now) for player in (anna, bruno))
    )
    table.refresh_from_db()
    assert table.state == FreeTable.State.CLOSED
