"""Comparison of tables that played the same decks (*confronto*, J10): what each deal is worth at each table, and the
share of the possible that a table's sides reach. Plain: points in, exact fractions out.
"""

from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

BETTER, EQUAL = 2, 1  # of a comparison with one other table
EVEN = Fraction(1, 2)  # of a round of which no deal can be compared
FORFEIT_LEAST = Fraction(70, 100)  # of whoever is left alone by a forfeit, unless they did better
BYE = Fraction(60, 100)
MISSED = Fraction(40, 100)  # of a bye that was asked for, or a round that was missed

Table = TypeVar("Table", bound=Hashable)
Points = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ComparedDeal:
    """A deal at one table: its points, and what the side at seat 0 got against the ``possible`` of all the others."""

    number: int
    points: Points
    won: int
    possible: int

    def score(self, side: int) -> int:
        """Return what a side got: nothing is lost between the two."""
        return self.won if side == 0 else self.possible - self.won


def compare_tables(
    tables: Mapping[Table, Mapping[int, Points]], *, fewest_wins: bool = False
) -> dict[Table, tuple[ComparedDeal, ...]]:
    """Compare each deal among the tables that have points of it, by its number; one that a single table finished is
    worth nothing. ``fewest_wins``: fewer points are the better ones (A1)."""
    sign = -1 if fewest_wins else 1
    differences: dict[int, Counter[int]] = {}
    for deals in tables.values():
        for number, points in deals.items():
            differences.setdefault(number, Counter())[sign * (points[0] - points[1])] += 1
    worth = {number: _score_differences(counts) for number, counts in differences.items()}
    return {
        table: tuple(
            ComparedDeal(
                number,
                points,
                worth[number][sign * (points[0] - points[1])],
                BETTER * (differences[number].total() - 1),
            )
            for number, points in sorted(deals.items())
        )
        for table, deals in tables.items()
    }


def _score_differences(counts: Counter[int]) -> dict[int, int]:
    """Return what each difference is worth against all others."""
    below, scores = 0, {}
    for difference in sorted(counts):
        scores[difference] = BETTER * below + EQUAL * (counts[difference] - 1)
        below += counts[difference]
    return scores


def compute_share(deals: tuple[ComparedDeal, ...], side: int) -> Fraction:
    """Return a side's share of the possible in a round; half of it, where nothing was compared."""
    possible = sum(deal.possible for deal in deals)
    return Fraction(sum(deal.score(side) for deal in deals), possible) if possible else EVEN


def settle_forfeit(share: Fraction, *, by_them: bool) -> Fraction:
    """Return the share after a forfeit: of whoever forfeited nothing, of the other side at least seven tenths."""
    return Fraction(0) if by_them else max(FORFEIT_LEAST, share)
