"""Signals: analyses and answers to problems go with the account they belong to, problems with the annulment of their
match."""

from typing import Any

from games.signals import match_annulled
from players.models import Player
from players.signals import account_closing
from records.analysis.actions import forget_own
from records.problems.actions import drop_problems, forget_player


def _forget_analyses(player: Player, **_: Any) -> None:
    forget_own(player=player)


def _forget_attempts(player: Player, **_: Any) -> None:
    forget_player(player=player)


def _drop_problems(match_id: int, **_: Any) -> None:
    drop_problems(match_id=match_id)


def connect() -> None:
    """Called once, when the app is ready."""
    account_closing.connect(_forget_analyses, dispatch_uid="records.forget_analyses")
    account_closing.connect(_forget_attempts, dispatch_uid="records.forget_attempts")
    match_annulled.connect(_drop_problems, dispatch_uid="records.drop_problems")
