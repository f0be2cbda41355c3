"""Totals and ranks of a circuit (Y3): the best results of each row, and what puts one before another.

Plain Python: it knows neither people nor tournaments, only rows of results in the order of the tournaments.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Results = Sequence[int | None]  # one a tournament, in their order; None: missing


@dataclass(frozen=True, slots=True)
class TotalReason:
    """The reason why a row comes before the next one at the same total (Y3).

    ``code``: single (the ``nth`` best result), earlier (the total was reached in an earlier tournament, by their
    places from 0), level (nothing: they share the rank).
    """

    code: str
    nth: int = 0
    own: int = 0
    next: int = 0


@dataclass(frozen=True, slots=True)
class TotalRow(Generic[Key]):
    """A row of a circuit. ``counted``: the places of the results that count; ``reached``: of the last one that made
    the total, -1 where nothing did. ``separation`` is None where the next row has another total."""

    key: Key
    rank: int
    total: int
    counted: tuple[int, ...]
    reached: int
    separation: TotalReason | None = None


def rank_totals(results: Mapping[Key, Results], best: int | None) -> tuple[TotalRow[Key], ...]:
    """Return the rows, best first. ``best``: how many results count; None: all. What is missing is 0."""
    rows = sorted(
        (_make_row(key, values, best) for key, values in results.items()), key=lambda row: _make_order(row, results)
    )
    ranked: list[TotalRow[Key]] = []
    for place, row in enumerate(rows, start=1):
        level = place > 1 and _make_order(ranked[-1], results) == _make_order(row, results)
        ranked.append(replace(row, rank=ranked[-1].rank if level else place))
    return tuple(
        replace(row, separation=_separate(row, ranked[at + 1], results)) if at + 1 < len(ranked) else row
        for at, row in enumerate(ranked)
    )


def choose_counted(values: Results, best: int | None) -> tuple[int, ...]:
    """Return the places of the results that count, in order: the best ones, of equal ones the earlier.

    A missing result is 0, and so comes before one below 0.
    """
    order = sorted(range(len(values)), key=lambda at: (-(values[at] or 0), values[at] is None, at))
    return tuple(sorted(at for at in order[:best] if values[at] is not None))


def share_place_points(worth: Sequence[int], other: int, places: Sequence[int]) -> int:
    """Return the points of each of the rows that share these places: their mean, half up (Y3).

    ``worth``: of the first places; ``other``: of every later one.
    """
    total = sum(worth[place - 1] if place <= len(worth) else other for place in places)
    return (2 * total + len(places)) // (2 * len(places))


def _make_row(key: Key, values: Results, best: int | None) -> TotalRow[Key]:
    counted = choose_counted(values, best)
    made = [at for at in counted if values[at]]
    return TotalRow(key, 0, sum(values[at] or 0 for at in counted), counted, made[-1] if made else -1)


def _list_best(row: TotalRow[Key], results: Mapping[Key, Results]) -> list[int]:
    """Return the results that count, the best first; as many for every row of an order, for what is missing is 0."""
    values = results[row.key]
    return sorted((values[at] or 0 if at in row.counted else 0 for at in range(len(values))), reverse=True)


def _make_order(row: TotalRow[Key], results: Mapping[Key, Results]) -> tuple[int, list[int], int]:
    return -row.total, [-value for value in _list_best(row, results)], row.reached


def _separate(row: TotalRow[Key], following: TotalRow[Key], results: Mapping[Key, Results]) -> TotalReason | None:
    if row.total != following.total:
        return None
    both = zip(_list_best(row, results), _list_best(following, results), strict=True)
    for nth, (own, other) in enumerate(both, start=1):
        if own != other:
            return TotalReason("single", nth, own, other)
    if row.reached != following.reached:
        return TotalReason("earlier", 0, row.reached, following.reached)
    return TotalReason("level")
