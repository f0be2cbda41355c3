"""Standings after play-offs (EV11): the entries that shared a rank, in the order of what they played for it.

Plain, and over rows that are ranked already: no VP changes, and nobody else's rank. A play-off counts while its entries
share a rank and nobody else does; one after the other, so that what an earlier one left level may be played again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from scoring.standings import Asking, StandingsRow, TieBreakReason

PLAY_OFF = "play_off"  # the code of the reason
LEAST, MOST = 2, 8  # entries of one

Places = Mapping[int, int]  # of the entries of a play-off that is over, from 1, by seed; some may share one


class SettledStandings(NamedTuple):
    """Rows after the play-offs, and of each play-off whether it counts."""

    rows: tuple[StandingsRow, ...]
    counts: tuple[bool, ...]


def settle_ranks(rows: Sequence[StandingsRow], play_offs: Sequence[Places]) -> SettledStandings:
    """Return the standings after these play-offs, in the order in which they were opened."""
    settled, counts = list(rows), []
    for places in play_offs:
        at = _find_level(settled, places)
        counts.append(at is not None)
        if at is not None:
            settled[at] = _order(settled[at], places)
    return SettledStandings(tuple(settled), tuple(counts))


def _find_level(rows: Sequence[StandingsRow], places: Places) -> slice | None:
    """Return where the entries of a play-off stand, if they share a rank and nobody else does."""
    numbers = [number for number, row in enumerate(rows) if row.seed in places]
    ranks = {rows[number].rank for number in numbers}
    if not numbers or len(numbers) != len(places) or len(ranks) != 1 or None in ranks:
        return None
    alone = sum(row.rank in ranks for row in rows) == len(numbers)
    return slice(numbers[0], numbers[-1] + 1) if alone else None


def _order(level: Sequence[StandingsRow], places: Places) -> list[StandingsRow]:
    """Return level rows in the order of their places; who shares one shares the rank, and ranks close up over a place
    that nobody has (K5)."""
    first, asked, last = level[0].rank or 0, level[0].separation, level[-1].separation
    before = () if asked is None else asked.before
    ordered = sorted(level, key=lambda row: (places[row.seed], row.seed))
    ranks = [first + sum(places[other.seed] < places[row.seed] for other in ordered) for row in ordered]
    pairs = [(places[own.seed], places[other.seed]) for own, other in pairwise(ordered)]
    reasons = [_find_reason(own, other, len(level), before) for own, other in pairs]
    return [
        replace(row, rank=rank, separation=reason)
        for row, rank, reason in zip(ordered, ranks, (*reasons, last), strict=True)
    ]


def _find_reason(own: int, other: int, among: int, before: tuple[Asking, ...]) -> TieBreakReason:
    """Return what the play-off says of an entry and the next one, after what was asked of them ``before``."""
    if own != other:
        return TieBreakReason(PLAY_OFF, own, other, among, before)
    return TieBreakReason("equal", None, None, None, (*before, Asking(PLAY_OFF, own, among)))
