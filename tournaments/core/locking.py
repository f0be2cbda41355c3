"""The frame of every service: lock the tournament, log the change, store a new version. It decides nothing."""

from datetime import datetime
from typing import Any

from players.models import Player
from tournaments.core import notify
from tournaments.models import Entry, LogEntry, Tournament


def lock_tournament(tournament_id: int) -> Tournament:
    """Lock the tournament until the transaction ends. First in the lock order: tournament, fixture, match."""
    return Tournament.objects.select_for_update().get(pk=tournament_id)


def write_log(tournament: Tournament, code: str, now: datetime, by: Player | None = None, **detail: Any) -> None:
    """Log a change of state, with who and when (E2); ``by`` is None where the system acted."""
    LogEntry.objects.create(tournament=tournament, player=by, at=now, code=code, detail=detail)


def locate_entry(entry: Entry) -> dict[str, Any]:
    """Return an entry and the persons who are its members now, as a log entry keeps them."""
    return {"entry": entry.pk, "members": list(entry.members.order_by("position").values_list("person", flat=True))}


def list_people(tournament: Tournament) -> list[int]:
    """Return the ids of the players of all entries but the house's."""
    return tournament.members.people().player_ids()


def store_version(tournament: Tournament) -> None:
    """Store the tournament as a new version and tell who is looking, after the commit."""
    tournament.version += 1
    tournament.save()
    notify.announce_change(tournament)
