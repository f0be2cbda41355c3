"""People who enter themselves at the same time (O2, H7): one form makes one entry, and the last place is one's."""

from collections import Counter
from datetime import datetime
from functools import partial
from typing import Any

import pytest

from tests.support.entries import list_placed, list_waiting
from tests.support.real_tables import open_real
from tests.support.threads import run_for_codes
from tests.support.tournaments import Opened
from tournaments.lists.typed_entries import TypedPerson
from tournaments.models import Entry, Tournament
from tournaments.own_names.self_entry import enter_by_name, leave_by_key

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]


def enter(tournament: Tournament, name: str, key: str, now: datetime, **more: bool) -> Any:
    known: dict[str, Any] = {"player": None, "address": "192.0.2.7", "now": now, **more}
    return partial(enter_by_name, tournament_id=tournament.pk, people=(TypedPerson(name),), own_key=key, **known)


@pytest.mark.rule("O2")
def test_one_form_sent_at_once_makes_one_entry(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened)
    answers = run_for_codes(*[enter(tournament, "Ada Neri", "one", now)] * 4)
    assert len(set(answers)) == 1
    assert list_placed(tournament) == ["Ada Neri"]


@pytest.mark.rule("O2", "E3")
def test_of_many_at_once_one_gets_the_last_place(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened, max_entries=2)
    names = ("Ada Neri", "Bice Neri", "Ciro Neri", "Dora Neri")
    answers = run_for_codes(*(enter(tournament, name, name, now) for name in names))
    assert Counter(type(answer) for answer in answers) == {Entry: 2, str: 2}
    assert {answer for answer in answers if isinstance(answer, str)} == {"full"}
    assert len(list_placed(tournament)) == 2


@pytest.mark.rule("O2", "E3")
def test_namesakes_at_once_are_told_apart_and_a_free_place_is_never_waited_for(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened, max_entries=3)
    enter(tournament, "Zita Neri", "z", now)()
    calls = [enter(tournament, "Ada Neri", f"key {n}", now, wait=True, another=True) for n in range(3)]
    run_for_codes(*calls, partial(leave_by_key, tournament_id=tournament.pk, own_key="z", now=now))
    assert sorted(list_placed(tournament)) == ["Ada Neri", "Ada Neri (2)", "Ada Neri (3)"]
    assert list_waiting(tournament) == []
