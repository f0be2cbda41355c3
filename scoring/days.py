"""Days by which levels go (L2, L5, L6): those of Europe/Rome, wherever the server and the reader are."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

ROME = ZoneInfo("Europe/Rome")


def find_day(at: datetime) -> date:
    """Return the day that it is in Rome."""
    return at.astimezone(ROME).date()


def count_days(since: datetime, until: datetime) -> int:
    """Return the whole days from one instant's day to another's."""
    return (find_day(until) - find_day(since)).days
