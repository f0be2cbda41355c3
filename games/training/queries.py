"""Reads of training (B7): one's own, and what is to be forgotten. They never write."""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import QuerySet

from games.models import Match
from players import caps
from players.models import Player

MAX_LISTED = 20


def choose_training(player: Player) -> QuerySet[Match]:
    """Return all training of this player, newest first: the one that runs, and what is kept of the others."""
    return Match.objects.filter(training=True, seats__player=player).order_by("-opened_at", "-pk")


def list_training(player: Player) -> list[Match]:
    """List the latest training of this player, newest first."""
    return list(choose_training(player)[:MAX_LISTED])


def list_open_training(player: Player) -> QuerySet[Match]:
    """Return the training of this player that isn't over, newest first."""
    return choose_training(player).exclude(status=Match.Status.FINISHED)


def find_training(public_id: str, player: Player) -> Match | None:
    """Return this player's training of that public id; None where there is none, or it is somebody else's."""
    return Match.objects.filter(public_id=public_id, training=True, seats__player=player).first()


def find_due(now: datetime) -> Iterable[int]:
    """List the training that is to be forgotten."""
    over = Match.objects.filter(training=True, finished_at__lte=now - caps.TRAINING_KEPT)
    return over.order_by("opened_at").values_list("pk", flat=True)
