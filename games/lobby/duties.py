"""Tables that wait for people elsewhere (B2): the apps that know of them say at start who is due at one."""

from collections.abc import Callable, Collection
from datetime import datetime, timedelta

DUE_SOON = timedelta(minutes=5)

DutyReader = Callable[[Collection[int], datetime], set[int]]  # of these players who is due at a table by that instant

_readers: list[DutyReader] = []


def register_duties(read: DutyReader) -> None:
    """Add who knows of tables that will open, at start."""
    if read not in _readers:
        _readers.append(read)


def find_due_people(player_ids: Collection[int], now: datetime) -> set[int]:
    """Return who of these players has a table due within five minutes."""
    return {player_id for read in _readers for player_id in read(player_ids, now + DUE_SOON)}
