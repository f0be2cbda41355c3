"""Points of a finished tournament (Y2): ``100/3 × log2(N / r)`` for the line of rank r among N.

Which lines count is decided by who asks: the people's that played and weren't annulled. Nothing is approximated where
it is rounded: a value next to a half is compared in whole numbers.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import log2, prod
from typing import Generic, TypeVar

LEAST_LINES = 4
TEAM_SHARE = 3  # who played at least one fixture in so many of the team's has its points
NEARNESS = 1e-6  # floats are off by far less: what is further from a half than that lies where they say

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class RankedLine(Generic[Key]):
    """A line that counts, with its stored rank, of which only the order and what is level are read."""

    key: Key
    rank: int
    finished: bool = True  # False: it left, or was taken out, after it had played enough to stay in the standings (R5)


@dataclass(frozen=True, slots=True)
class EarnedPoints:
    """The points of a line: its rank among those that count, of how many, and what that is worth."""

    rank: int
    field: int
    points: int


def compute_tournament_points(
    lines: Sequence[RankedLine[Key]], *, without_winner: bool = False
) -> dict[Key, EarnedPoints]:
    """Return the points of each line by its key; of none where fewer than four count.

    ``without_winner``: a KO in which nobody won the final (K5): there the first place counts as the second.
    """
    field = len(lines)
    if field < LEAST_LINES:
        return {}
    earned: dict[Key, EarnedPoints] = {}
    for first, level in _group_by_place(lines):
        places = range(first, first + len(level))
        counted = [2 if place == 1 and without_winner else place for place in places]
        points = round_mean_points(field, counted)
        for line in level:
            earned[line.key] = EarnedPoints(first, field, max(points, int(line.finished)))
    return earned


def rank_lines(lines: Sequence[RankedLine[Key]]) -> dict[Key, int]:
    """Return the rank of each line among these, however few; those level share it."""
    return {line.key: first for first, level in _group_by_place(lines) for line in level}


def _group_by_place(lines: Sequence[RankedLine[Key]]) -> Iterator[tuple[int, list[RankedLine[Key]]]]:
    """Yield the lines that are level together, best first, each time with the first of the places they fill."""
    first = 1
    for _rank, group in groupby(sorted(lines, key=lambda line: line.rank), key=lambda line: line.rank):
        level = list(group)
        yield first, level
        first += len(level)


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
    """Return the part of the line's points for who played so many of its fixtures, rounded half up."""
    return (2 * points * played + fixtures) // (2 * fixtures)


def divide_points(points: int, played: Mapping[Key, int], fixtures: int, *, team: bool = False) -> dict[Key, int]:
    """Return what each person of a line has of its points: ``played`` of its ``fixtures`` each.

    Of a team all of them go to whoever played at least a third of its fixtures; to the others nothing.
    """
    if team:
        return {key: points for key, count in played.items() if count * TEAM_SHARE >= fixtures and count}
    return {key: share_points(points, count, fixtures) for key, count in played.items() if count}
