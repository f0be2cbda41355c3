"""Levels settled by several workers at once (L6): whoever writes them holds the book."""

from datetime import datetime, timedelta

import pytest

from scoring import level_audit, level_book
from scoring.models import LevelBook, LevelChange, LevelStep
from tests.support.levels import store_match
from tests.support.people import create_person
from tests.support.threads import run_at_once

pytestmark = pytest.mark.django_db(transaction=True)
MATCHES = 12


def store_unrated(now: datetime) -> None:
    """Store matches between two people that levels don't follow yet, each on a day of its own; the book is there, for
    who makes it holds it too."""
    LevelBook.objects.get_or_create(key=level_book.KEY)
    people = [create_person(name, now) for name in ("Elena", "Fabio")]
    matches = [store_match(people, now + timedelta(days=day), (11, day % 11)) for day in range(MATCHES)]
    level_book.note_changes(match_ids=[match.pk for match in matches], now=now)


def settle_at_once(now: datetime) -> list[object]:
    return run_at_once(*[lambda: level_book.settle(now=now)] * 4)


@pytest.mark.both_databases
@pytest.mark.rule("L6")
def test_of_workers_that_settle_levels_at_once_one_does_it(now: datetime) -> None:
    store_unrated(now)
    assert sorted(map(str, settle_at_once(now))) == sorted(["0", "0", "0", str(2 * MATCHES)])
    assert LevelStep.objects.count() == 2 * MATCHES
    assert not LevelChange.objects.exists()
    assert list(level_audit.list_differences()) == []


@pytest.mark.only_on("postgres")
def test_without_the_book_several_write_the_same_steps(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin: what the book is for shows when nobody holds it."""
    store_unrated(now)
    monkeypatch.setattr(level_book, "_lock_book", lambda: LevelBook.objects.get(key=level_book.KEY))
    answers = settle_at_once(now)
    assert len([answer for answer in answers if answer != 0]) > 1
