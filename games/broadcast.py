"""After commit, tell sockets that something changed: a version, never a card. Whoever hears it reads the truth."""

from collections.abc import Iterable
from functools import partial

from django.db import transaction
from django.urls import reverse

from games.models import Match
from players.broadcast import notify, publish


def group(public_id: str) -> str:
    """The channel group of a table's sockets."""
    return f"match.{public_id}"


def changed(match: Match) -> None:
    """The table has a new version (or new due times at the same one)."""
    message = {"type": "changed", "v": match.version}
    transaction.on_commit(partial(publish, group(match.public_id), message))


def claimed(match: Match, seat: int, token: str) -> None:
    """A newer socket controls ``seat``: older ones are told so (one live window a seat)."""
    message = {"type": "seat.claimed", "seat": seat, "token": token}
    transaction.on_commit(partial(publish, group(match.public_id), message))


def opened(match: Match, player_ids: Iterable[int]) -> None:
    """A table waits for these players: every page they have open shows it (W1)."""
    frame = {"t": "table", "url": reverse("table", args=[match.public_id]), "title": match.title}
    for player_id in player_ids:
        transaction.on_commit(partial(notify, player_id, frame))
