"""Points of a finished tournament (Y2): ``100/3 × log2(N / r)`` for the line of rank r among N; and the places among
lines that count.

Which lines count is decided by whoever asks: the people's that played and weren't annulled. Nothing is approximated
where it is rounded: a value next to a half is compared in whole numbers.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import log2, prod
from typing import Generic, NamedTuple, TypeVar

LEAST_LINES = 4
TEAM_SHARE = 3  # who played at least one fixture in so many of the team's has its points
NEARNESS = 1e-6  # floats are off by far less: what is further from a half than that lies where they say

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class RankedLine(Generic[Key]):
    """A line that counts, with its stored rank."""

    key: Key
    rank: int
    finished: bool = True  # False: it left, or was taken out, after it had played enough to stay in the standings (R5)


@dataclass(frozen=True, slots=True)
class EarnedPoints:
    """The points of a line: its rank among those that count, of how many, and what that is worth."""

    rank: int
    field: int
    points: int


class Places(NamedTuple):
    """Places that those of one rank fill together: from the ``first``, by which they are called, to the ``last``."""

    first: int
    last: int


def place_ranks(counted: Mapping[int, int], everybody: Mapping[int, int] | None = None) -> dict[int, Places]:
    """Return the places of those who count, by rank: how many of them have each rank, and how many of ``everybody``;
    0 is the rank of those who have none yet, and may still come to stand above.

    Places close up over those who don't count, never over one that nobody earned (K5): more than there are to stand
    above. None for ``everybody``: nobody else is there, and ranks say but the order.
    """
    by_rank: dict[int, Places] = {}
    ahead, above, taken = counted.get(0, 0), (everybody or {}).get(0, 0), 0
    for rank in sorted({*counted, *(everybody or {})} - {0}):
        size = counted.get(rank, 0)
        if size:
            unearned = 0 if everybody is None else max(0, rank - 1 - above)
            first = ahead + 1 + unearned
            first = max(taken + 1, first if everybody is None else min(rank, first))  # nobody is fifth behind five
            by_rank[rank] = Places(first, min(first + size - 1, max(first, ahead + size)))
            taken = by_rank[rank].last
        ahead += size
        above += (everybody or {}).get(rank, 0)
    return by_rank


def count_ranks(ranks: Iterable[int | None]) -> Counter[int]:
    """Return how many have each rank; 0: none yet."""
    return Counter(rank or 0 for rank in ranks)


def compute_tournament_points(
    lines: Sequence[RankedLine[Key]], everybody: Mapping[int, int] | None = None
) -> dict[Key, EarnedPoints]:
    """Return the points of each line by its key; of none where fewer than four count. ``everybody``: how many have each
    rank, also of those that don't count: where nobody won, nobody has the first place's points (K5)."""
    field = len(lines)
    if field < LEAST_LINES:
        return {}
    earned: dict[Key, EarnedPoints] = {}
    for places, level in _group_by_place(lines, everybody):
        points = round_mean_points(field, list_counted_places(places, len(level), field))
        for line in level:
            earned[line.key] = EarnedPoints(places.first, field, max(points, int(line.finished)))
    return earned


def list_counted_places(places: Places, size: int, field: int | None = None) -> list[int]:
    """Return what places so many on one rank count as, none beyond the field: one each, the first
    several times where there are fewer."""
    counted = [max(place, places.first) for place in range(places.last - size + 1, places.last + 1)]
    return counted if field is None else [min(place, field) for place in counted]


def rank_lines(lines: Sequence[RankedLine[Key]], everybody: Mapping[int, int] | None = None) -> dict[Key, int]:
    """Return the place of each line among these, however few; those level share it."""
    return {line.key: places.first for places, level in _group_by_place(lines, everybody) for line in level}


def _group_by_place(
    lines: Sequence[RankedLine[Key]], everybody: Mapping[int, int] | None
) -> Iterator[tuple[Places, list[RankedLine[Key]]]]:
    """Yield the lines that are level together, best first, each time with the places they fill."""
    places = place_ranks(count_ranks(line.rank for line in lines), everybody)
    for rank, group in groupby(sorted(lines, key=lambda line: line.rank), key=lambda line: line.rank):
        yield places.get(rank, Places(1, 1)), list(group)


def round_mean_points(field: int, places: Sequence[int]) -> int:
    """Return the mean of the unrounded points of these places among ``field``, rounded half up.

    Lines level at m places have 100/3m × log2(Q), with Q = field^m / (product of the places). That is a fraction only
    where Q is a power of two, so a half can be met only there; elsewhere whole numbers say on which side it lies.
    """
    count = len(places)
    estimate = 100 / (3 * count) * sum(log2(field / place) for place in places)
    below = int(estimate)  # never negative: no place is beyond the field
    if abs(estimate - below - 0.5) > NEARNESS:
        return below + int(estimate - below > 0.5)
    quotient = Fraction(field**count, prod(places))
    return below + int(quotient**200 >= 2 ** (3 * count * (2 * below + 1)))


def share_points(points: int, played: int, fixtures: int) -> int:
    """Return the part of the line's points for whoever played so many of its fixtures, rounded half up."""
    return (2 * points * played + fixtures) // (2 * fixtures)


def divide_points(points: int, played: Mapping[Key, int], fixtures: int, *, team: bool = False) -> dict[Key, int]:
    """Return what each person of a line has of its points: ``played`` of its ``fixtures`` each.

    Of a team all of them go to whoever played at least a third of its fixtures; to the others nothing.
    """
    if team:
        return {key: points for key, count in played.items() if count * TEAM_SHARE >= fixtures and count}
    return {key: share_points(points, count, fixtures) for key, count in played.items() if count}
