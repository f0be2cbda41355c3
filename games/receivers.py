"""Signals from players: the calls that a player has the system make (X1)."""

from typing import Any

from games.services import preferences
from players.signals import automatic_chosen


def _follow_preference(player_id: int, now: Any, **_: Any) -> None:
    preferences.follow_preference(player_id=player_id, now=now)


def connect() -> None:
    """Called once, when the app is ready."""
    automatic_chosen.connect(_follow_preference, dispatch_uid="games.automatic_chosen")
