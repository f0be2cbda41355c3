"""Holds of incomplete pairs: how long a pair keeps its place, and its end when the partner doesn't confirm.

A place is held until the start if the tournament has an hour; in a sit and go, which couldn't start otherwise, for
``SIT_AND_GO_HOLD``. A player becomes a partner only by their own confirmation (E1), or entered by the organiser.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from tournaments.core import notify
from tournaments.core.locking import write_log
from tournaments.models import Entry, EntryMember, Tournament

SIT_AND_GO_HOLD = timedelta(minutes=10)


def compute_hold_end(tournament: Tournament, now: datetime) -> datetime | None:
    """Return when a place that is taken (or asked for again) now is given up; None: at the draw."""
    return now + SIT_AND_GO_HOLD if tournament.starts_at is None else None


def renew_holds(tournament: Tournament, now: datetime) -> None:
    """Store new ends of the holds, after the organiser changed the tournament's start."""
    tournament.entries.unconfirmed().update(expires_at=compute_hold_end(tournament, now))


def drop_pairs(tournament: Tournament, entries: Iterable[Entry], code: str, now: datetime) -> int:
    """Delete these pairs of a locked tournament and tell the players who waited. Return how many pairs they were."""
    dropped = list(entries)
    if not dropped:
        return 0
    waiting = EntryMember.objects.filter(entry__in=dropped).player_ids()
    for entry in dropped:
        entry.delete()
        write_log(tournament, code, now)
    notify.tell_people(tournament, waiting, code)
    if code == "pair_unconfirmed":
        notify.mail_people(tournament, waiting, "left_out", now, why="unconfirmed")
    return len(dropped)
