"""Signals: analyses go with the account of who asked for them."""

from typing import Any

from players.models import Player
from players.signals import account_closing
from records.analysis.actions import forget_own


def _forget_analyses(player: Player, **_: Any) -> None:
    forget_own(player=player)


def connect() -> None:
    """Called once, when the app is ready."""
    account_closing.connect(_forget_analyses, dispatch_uid="records.forget_analyses")
