"""After commit, tell who is looking that a tournament changed: a version, never what changed. Hints may be lost."""

from collections.abc import Iterable
from functools import partial

from django.db import transaction
from django.urls import reverse

from players.broadcast import notify, publish
from tournaments.models import Tournament

LIST_GROUP = "tournaments"


def group(public_id: str) -> str:
    """The channel group of those who look at one tournament."""
    return f"tournament.{public_id}"


def changed(tournament: Tournament) -> None:
    """The tournament has a new version; its page and the lists it stands in are out of date."""
    message = {"type": "changed", "v": tournament.version}
    transaction.on_commit(partial(publish, group(tournament.public_id), message))
    transaction.on_commit(partial(publish, LIST_GROUP, message))


def tell(tournament: Tournament, player_ids: Iterable[int], code: str) -> None:
    """A notice to every page of these people, e.g. that the tournament was cancelled (E5)."""
    url = reverse("tournament", args=[tournament.public_id])
    frame = {"t": "notice", "code": code, "url": url, "title": tournament.name}
    for player_id in player_ids:
        transaction.on_commit(partial(notify, player_id, frame))
