"""The arithmetic of the clocks (G8, E9): when a turn's clock starts, when it ends, what thinking costs.

Plain functions of instants and durations. They read no clock, no database and no cards. Thinking time is in whole
milliseconds, what organisers set is in seconds.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from secrets import SystemRandom
from typing import Literal, NamedTuple

GRACE = timedelta(milliseconds=500)  # for network lag: a move counts while now < deadline + GRACE
PAUSE_TRICK = timedelta(milliseconds=1500)  # to see a trick or a capture
PAUSE_DEAL = timedelta(seconds=8)  # to read the count of a deal
FIRST_TURN = timedelta(seconds=60)  # so much longer is a beginner's first turn; it is charged to nobody
OPENING = timedelta(seconds=5)  # to call before a deal's first card (C2, C5)
HOUSE_CALLS = timedelta(seconds=2)  # before its end, whatever they hold, house players make those calls
DESERTED = timedelta(minutes=10)  # so long the house plays on for people who are all absent
HOUSE_PAUSE_MS = (900, 1800)  # a house player moves so long after its clock started, whatever its hand
HOUSE_PATIENCE = timedelta(seconds=1)  # then it moves without having thought, where nobody has thought for it
POINTS_A_DEAL = 5  # see tie_break_share

# An instant that is already decided, or the clock to read once the lock is held.
Now = datetime | Callable[[], datetime]

_dice = SystemRandom()


def read_instant(now: Now) -> datetime:
    """Return the instant to decide at. Services call it once, right after they got their lock."""
    return now() if callable(now) else now


class Deadline(NamedTuple):
    """The instant at which the seat to move forfeits, and the record's verb for it."""

    at: datetime
    verb: Literal["timeout", "clock"]


def compute_deadline(
    turn_from: datetime, turn_timeout: int | None, left_ms: int | None, extra: timedelta = timedelta()
) -> Deadline | None:
    """Return the earlier of the turn timeout (seconds) and the match clock (milliseconds left), ``extra`` later; None
    with both off."""
    ends: list[Deadline] = []
    if turn_timeout is not None:
        ends.append(Deadline(turn_from + timedelta(seconds=turn_timeout) + extra, "timeout"))
    if left_ms is not None:
        ends.append(Deadline(turn_from + timedelta(milliseconds=left_ms) + extra, "clock"))
    return min(ends, key=lambda end: end.at) if ends else None


def compute_extra(beginners: int, seat: int) -> timedelta:
    """Return by how much the next turn of the player at ``seat`` is longer; ``beginners``: a mask of seats."""
    return FIRST_TURN if beginners >> seat & 1 else timedelta()


def is_over(deadline_at: datetime | None, now: datetime) -> bool:
    """Return whether ``now`` is too late for a deadline: a move and its timeout ask this, so exactly one counts."""
    return deadline_at is not None and now >= deadline_at + GRACE


def spend(
    clocks_ms: Sequence[int],
    seat: int,
    turn_from: datetime,
    extension_ms: int,
    now: datetime,
    extra: timedelta = timedelta(),
) -> list[int]:
    """Return the clocks after ``seat`` thought from ``turn_from`` to ``now``; pauses, outages and ``extra`` are charged
    to nobody."""
    left = list(clocks_ms)
    if left:
        thought = round((now - turn_from - extra) / timedelta(milliseconds=1)) - extension_ms
        left[seat] = max(0, left[seat] - max(0, thought))
    return left


def compute_tie_break_share(match_clock: int, length_kind: str, length_value: int) -> int:
    """Return the milliseconds each tie-break deal adds to a match clock (E9): the clock divided by the match's deals.

    A points match is reckoned at a deal for every five points, rounded: the pairs of the VP table's columns (V3: 6
    points or 1 deal, 11 or 2, 17 or 3, 21 or 4, … 41 or 8).
    """
    deals = length_value
    if length_kind == "points":
        deals = max(1, (2 * length_value + POINTS_A_DEAL) // (2 * POINTS_A_DEAL))
    return match_clock * 1000 // deals


def choose_house_due(turn_from: datetime) -> datetime:
    """Return the instant a house player moves, by dice, so that nothing about its hand shows in the time it takes."""
    return turn_from + timedelta(milliseconds=_dice.randint(*HOUSE_PAUSE_MS))
