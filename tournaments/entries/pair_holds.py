"""Pairs that wait for the second of the two: how long they hold their place, and what happens when he doesn't come.

A place is held until the start where the tournament has an hour; in a sit and go, which couldn't start otherwise, for
``HELD``. Nobody becomes a second without having said yes himself (E1), but for whom the organiser enters.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from tournaments.core import notify
from tournaments.core.locking import write_log
from tournaments.models import Entry, EntryMember, Tournament

HELD = timedelta(minutes=10)


def held_until(tournament: Tournament, now: datetime) -> datetime | None:
    """When a place taken (or asked for again) now is given up; None: at the draw."""
    return now + HELD if tournament.starts_at is None else None


def renew_holds(tournament: Tournament, now: datetime) -> None:
    """The organiser changed when it starts: so does how long places are held."""
    tournament.entries.unconfirmed().update(expires_at=held_until(tournament, now))


def drop_pairs(tournament: Tournament, entries: Iterable[Entry], code: str, now: datetime) -> int:
    """Give up the places of these pairs of a locked tournament, and tell who waited; how many they were."""
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
