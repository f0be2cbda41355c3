"""Bounds of what people and programs send: the hours and whole numbers that every database and library here holds.

Plain Python. Forms, bodies, queries, files and services ask here, and nowhere else.
"""

from datetime import UTC, datetime

FIRST_YEAR, LAST_YEAR = 2000, 2199  # with room for every time zone, and for what is added to an hour
EARLIEST = datetime(FIRST_YEAR, 1, 1, tzinfo=UTC)
LATEST = datetime(LAST_YEAR, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)
MOST = 2**31 - 1  # of a whole number that has no narrower bound: PostgreSQL's integers end there


def is_within(hour: datetime) -> bool:
    """Tell if an hour can be stored and shown by every clock."""
    return EARLIEST <= hour <= LATEST
