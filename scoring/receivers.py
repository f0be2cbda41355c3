"""Receivers of signals from the tables: a match is over, or annulled. They decide nothing themselves."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from games.signals import match_annulled, match_finished, match_revealed
from games.sweep import Lane, register
from scoring import counted_matches, level_book


def _note_result(match_id: int, now: datetime, **_: Any) -> None:
    level_book.note_changes(match_ids=counted_matches.find_countable([match_id]), now=now)


def _list_due(now: datetime) -> Iterable[int]:
    return [0] if level_book.is_due() else []


def connect() -> None:
    """Called once, when the app is ready."""
    match_finished.connect(_note_result, dispatch_uid="scoring.note_result")
    match_revealed.connect(_note_result, dispatch_uid="scoring.note_revealed")
    match_annulled.connect(_note_result, dispatch_uid="scoring.note_annulment")
    register("levels", _list_due, lambda _id, now: level_book.settle(now=now), Lane.UPKEEP)
