"""Pairing of the lobby (B3, B4): who plays whom, by the seeks of one kind and the hour alone.

Tables are opened one after the other: always the one whose people differ least in level, of equal ones that of
whoever has waited longest. Levels, blocks and who met whom are given to it; it reads no clock and draws no lots.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

ADMITTED, ADMITTED_A_SECOND = 100, 20  # difference of levels: at once, and more for each second of the longer wait
HOUSE_SECONDS = 25  # until who plays with the house, too, is seated with it: B4's 30 less what a round may be late

Pair = frozenset[int]  # of people
Line = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Seeking:
    """Seek as pairing sees it: a person, or two partners who are one line. ``since`` is a second on the same clock as
    ``now``; the range is that of the others' levels, None: open; ``house``: they play with the house, too."""

    key: int
    people: Line
    level: float
    since: float
    lowest: int | None = None
    highest: int | None = None
    house: bool = False

    def accepts(self, level: float) -> bool:
        """Tell if a level is in the range."""
        return (self.lowest is None or level >= self.lowest) and (self.highest is None or level <= self.highest)


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """People to seat at one table, by line, and the seeks that end with it; the house has the seats that are left."""

    lines: tuple[Line, Line]
    keys: tuple[int, ...]


def admit_each_other(first: Seeking, second: Seeking, now: float) -> bool:
    """Tell if two seeks fit by their levels: in both ranges, and no further apart than the longer wait admits."""
    waited = max(0, int(now - min(first.since, second.since)))
    near = abs(first.level - second.level) <= ADMITTED + ADMITTED_A_SECOND * waited
    return near and first.accepts(second.level) and second.accepts(first.level)


def pair_seeks(
    seeks: Collection[Seeking],
    now: float,
    *,
    seats: int,
    blocked: Collection[Pair] = (),
    recent: Collection[Pair] = (),
) -> list[PlannedTable]:
    """Return the tables to open now, of ``seats`` people each.

    Whoever is in a pair of ``blocked`` never meets; those of ``recent`` only where nobody else is left for them.
    """
    waiting = _sort_by_wait(seeks)
    tables: list[PlannedTable] = []
    for avoided in (frozenset({*blocked, *recent}), frozenset(blocked)):
        fits = _find_fitting(waiting, now, avoided)
        while best := _Search(waiting, seats, fits).find_best():
            tables.append(PlannedTable(_split_in_lines(best), tuple(seek.key for seek in best)))
            waiting = [seek for seek in waiting if seek not in best]
    return tables


def plan_house_tables(
    seeks: Collection[Seeking], now: float, *, seats: int, blocked: Collection[Pair] = ()
) -> list[PlannedTable]:
    """Return the tables to open now with the house at some of the seats: of people who all chose it beforehand, the
    one who has waited long enough and those who fit at their table (B4)."""
    waiting = [seek for seek in _sort_by_wait(seeks) if seek.house]
    fits = _find_fitting(waiting, now, frozenset(blocked))
    tables: list[PlannedTable] = []
    while waiting and now - waiting[0].since >= HOUSE_SECONDS:
        together: list[Seeking] = []
        for seek in waiting:
            room = sum(len(other.people) for other in together) + len(seek.people) <= seats
            if room and all(frozenset((seek.key, other.key)) in fits for other in together):
                together.append(seek)
        tables.append(PlannedTable(_fill_lines(together, seats), tuple(seek.key for seek in together)))
        waiting = [seek for seek in waiting if seek not in together]
    return tables


def _sort_by_wait(seeks: Iterable[Seeking]) -> list[Seeking]:
    return sorted(seeks, key=lambda seek: (seek.since, seek.key))


def _find_fitting(seeks: Sequence[Seeking], now: float, avoided: Collection[Pair]) -> set[Pair]:
    """Return the pairs of seeks, by key, that may sit at one table."""
    return {
        frozenset((first.key, second.key))
        for first, second in combinations(seeks, 2)
        if admit_each_other(first, second, now)
        and not any(frozenset((one, other)) in avoided for one in first.people for other in second.people)
    }


class _Search:
    """Search for the one table to open first among seeks in the order of waiting. Of tables that differ equally the
    first to be found has waited longest; what can't become better than that is left."""

    def __init__(self, seeks: Sequence[Seeking], seats: int, fits: Collection[Pair]) -> None:
        self._seeks, self._seats, self._fits = seeks, seats, fits
        self._best: tuple[Seeking, ...] = ()
        self._least = float("inf")

    def find_best(self) -> tuple[Seeking, ...]:
        """Return the seeks of that table; none where no table is full."""
        self._grow((), 0, 0.0, 0)
        return self._best

    def _grow(self, chosen: tuple[Seeking, ...], seated: int, difference: float, start: int) -> None:
        if seated == self._seats:
            self._best, self._least = chosen, difference
            return
        for place in range(start, len(self._seeks)):
            seek = self._seeks[place]
            if seated + len(seek.people) > self._seats:
                continue
            if any(frozenset((seek.key, other.key)) not in self._fits for other in chosen):
                continue
            more = difference + sum(_measure(seek, other) for other in chosen)
            if more < self._least:
                self._grow((*chosen, seek), seated + len(seek.people), more, place + 1)


def _measure(first: Seeking, second: Seeking) -> float:
    """Return the difference of levels between everybody of one seek and everybody of the other."""
    return abs(first.level - second.level) * len(first.people) * len(second.people)


def _split_in_lines(table: Sequence[Seeking]) -> tuple[Line, Line]:
    """Return the two lines of a full table: partners stay together, singles are split so that the sums of levels are
    closest; of equal splits, who has waited longest plays with whoever has waited next."""
    if len(table) == 2:
        return table[0].people, table[1].people
    if len(table) == 3:
        partners = next(seek for seek in table if len(seek.people) == 2)
        singles = [seek for seek in table if seek is not partners]
        return partners.people, (*singles[0].people, *singles[1].people)
    whole = sum(seek.level for seek in table)
    first = table[0]
    other = min(table[1:], key=lambda seek: abs(2 * (first.level + seek.level) - whole))
    rest = [seek for seek in table if seek is not first and seek is not other]
    return (*first.people, *other.people), (*rest[0].people, *rest[1].people)


def _fill_lines(table: Sequence[Seeking], seats: int) -> tuple[Line, Line]:
    """Return the lines of people who sit down with the house: at two seats opposite, at four one line after the
    other."""
    people = [person for seek in sorted(table, key=lambda seek: -len(seek.people)) for person in seek.people]
    half = seats // 2
    return tuple(people[:half]), tuple(people[half:])
