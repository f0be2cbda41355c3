"""Several sit down at once: a seat has one owner, a person one place, a table one match."""

from datetime import datetime

import pytest

from games.engine.game import Length
from games.lobby import actions
from games.lobby.actions import LobbyRefused
from games.models import FreeSeat, FreeTable, Match, Seat
from players.models import Player
from tests.support.lobby import open_free_table, sit_down_at
from tests.support.people import create_person
from tests.support.threads import run_at_once

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]


def codes(answers: list[object]) -> list[str]:
    assert all(isinstance(answer, LobbyRefused | Match | None) for answer in answers), answers
    return sorted(answer.code if isinstance(answer, LobbyRefused) else "done" for answer in answers)


def test_of_many_who_want_a_seat_one_has_it(anna: Player, now: datetime) -> None:
    table = open_free_table(anna, now)
    many = [create_person(f"Socio {letter}", now) for letter in "ABCDEF"]
    answers = run_at_once(*(lambda player=player: sit_down_at(table, player, 2, now) for player in many))
    assert codes(answers) == ["done", *["seat_gone"] * 5]
    assert FreeSeat.objects.filter(table=table, number=2).count() == 1


def test_the_last_seat_opens_one_match(anna: Player, now: datetime) -> None:
    table = open_free_table(anna, now, ruleset="scopa", players=2, length=Length("points", 11))
    many = [create_person(f"Socio {letter}", now) for letter in "ABCD"]
    answers = run_at_once(
        *(lambda player=player: sit_down_at(table, player, 1, now) for player in many),
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
    tables = [open_free_table(anna, now), open_free_table(bruno, now)]
    answers = run_at_once(*(lambda table=table: sit_down_at(table, carla, 1, now) for table in tables * 2))
    assert FreeSeat.objects.filter(player=carla).count() == 1
    assert set(codes(answers)) <= {"done", "seated_elsewhere"}


def test_everybody_gets_up_at_once_and_the_table_closes(anna: Player, bruno: Player, now: datetime) -> None:
    table = open_free_table(anna, now)
    sit_down_at(table, bruno, 1, now)
    run_at_once(
        *(lambda player=player: actions.leave(table_id=table.pk, player=player, now=now) for player in (anna, bruno))
    )
    table.refresh_from_db()
    assert table.state == FreeTable.State.CLOSED
