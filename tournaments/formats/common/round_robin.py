"""A round robin of some entries of a field (R1, R5, R6): a whole girone, or one group among others (Q1).

It decides pairings, readiness and annulled results. It never draws and never reads a clock.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType

from scoring.standings import Game, StandingsRow, TieBreakReason, compute_standings
from tournaments.formats.common.berger import build_schedule
from tournaments.formats.protocol import NOBODY_LEFT, Draw, Kind, Pairing, Result, Slot


def find_early_leavers(entries: Sequence[int], leavers: Mapping[int, int], *, double: bool) -> frozenset[int]:
    """Return the entries that had results in fewer than half of the schedule's fixtures when they left (R5).

    All of the schedule counts, whatever other leavers left of it: so one withdrawal doesn't change another's effect.
    """
    fixtures = (len(entries) - 1) * (2 if double else 1)
    return frozenset(entry for entry in entries if entry in leavers and 2 * leavers[entry] < fixtures)


@dataclass
class RoundRobin:
    """The fixtures of ``entries``, which stand in the order of their numbers in the table, after these results.

    A round is played when those before it are over, or at its own hour (R6). A result is taken in wherever two entries
    meet: a match of an earlier round may be played again while a later one has begun (F2).
    """

    draw: Draw
    entries: Sequence[int]
    results: Mapping[Slot, Result]
    leavers: Mapping[int, int] = field(default_factory=lambda: NOBODY_LEFT)
    group: int | None = None
    pairings: list[Pairing] = field(default_factory=list)
    games: list[Game] = field(default_factory=list)
    over: bool = True

    def __post_init__(self) -> None:
        self.double = bool(self.draw.options.get("double"))
        self.rounds = build_schedule(len(self.entries), double=self.double)
        self.early = find_early_leavers(self.entries, self.leavers, double=self.double)

    def play(self, boards: Iterable[int] = ()) -> None:
        """Fill in pairings and games. ``boards``: by round, the number of boards of the groups before this one."""
        before = list(boards) or [0] * len(self.rounds)
        for number, pairs in enumerate(self.rounds, start=1):
            reached = self.over or self.draw.timed
            for board, (a, b) in enumerate(pairs, start=before[number - 1] + 1):
                self._pair(Slot(number, board), a, b, reached=reached)
        self.over = self.over and self.draw.counts(len(self.rounds))

    def _pair(self, slot: Slot, a: int, b: int, *, reached: bool) -> None:
        result = self.results.get(slot)
        if max(a, b) > len(self.entries):
            if result is not None:
                raise ValueError(f"a result for {slot}, which is a rest")
            self.pairings.append(Pairing(slot, self.entries[min(a, b) - 1], None, Kind.REST, group=self.group))
            return
        first, second = self.entries[a - 1], self.entries[b - 1]
        if first in self.early or second in self.early:
            self.pairings.append(Pairing(slot, first, second, Kind.ANNULLED, group=self.group))
            return
        if result is None:
            self.over = False
        elif not result.annulled and self.draw.counts(slot.round):
            self.games.append(result.make_game(first, second))
        ready = reached or result is not None
        self.pairings.append(Pairing(slot, first, second, Kind.MATCH, ready, self.group))

    def rank_entries(self, cut: int = 0) -> tuple[StandingsRow, ...]:
        """Return the rows by ``rank_entries``. ``cut``: so many entries go on from here, once it is over (Q3)."""
        tie_break, lot = self.draw.tie_break, self.draw.lot
        cut = cut if self.over else 0
        return rank_entries(self.entries, self.early, self.games, tie_break, lot, cut, self.draw.shares)


def rank_entries(
    entries: Iterable[int],
    early: frozenset[int],
    games: Sequence[Game],
    tie_break: str,
    lot: str,
    cut: int = 0,
    shares: Mapping[int, Fraction] = MappingProxyType({}),
) -> tuple[StandingsRow, ...]:
    """Rank entries by an order of tie-breaks (R2), with the ``shares`` of equal deals (J10), and by lot at the first
    ``cut`` places (Q3).

    Below everybody, sharing the last rank, stand those whose results are annulled (R5).
    """
    staying = [entry for entry in entries if entry not in early]
    rows = compute_standings(staying, games, tie_break, lot, cut=cut, shares=shares)
    return (*close_rows(rows, "left" if early else None), *make_level_rows(sorted(early), len(rows) + 1))


def close_rows(rows: Sequence[StandingsRow], code: str | None) -> tuple[StandingsRow, ...]:
    """Return the rows, the last one put before those that follow by the reason ``code``."""
    if not rows or code is None:
        return tuple(rows)
    return (*rows[:-1], replace(rows[-1], separation=TieBreakReason(code, None, None)))


def make_level_rows(entries: Sequence[int], rank: int) -> tuple[StandingsRow, ...]:
    """Return rows without points for entries that share a rank."""
    equal = TieBreakReason("equal", None, None)
    return tuple(
        StandingsRow(entry, rank, 0, 0, 0, 0, 0, equal if number < len(entries) else None)
        for number, entry in enumerate(entries, start=1)
    )
