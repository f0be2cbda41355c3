"""Danese (Swiss, D1): everybody plays every round, against a neighbour in the standings whom he hasn't met.

A round is drawn when the one before is over. First the top half of the seeds meets the bottom half; then the sum of the
squares of the distances in the standings is made as small as it can be, the lot deciding what is left. A bye is worth
what ``draw.bye`` says and goes to who stands lowest, to nobody twice. Results of who leaves stand, and he is drawn no
more. Where those that are left can't all be paired without a rematch, the tournament ends with the round before.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import Literal

from scoring.standings import Game, Row, standings
from tournaments.matching import cheapest
from tournaments.pairing import NOBODY_LEFT, Context, Draw, Kind, Pairing, Plan, Result, Slot

BYE = 0  # whom a line meets that has a bye
Pair = tuple[int, int]


def proposed_rounds(size: int) -> int:
    """⌈log2 N⌉ (D1): as many as a KO would have."""
    return max(1, (size - 1).bit_length())


def rounds_of(draw: Draw) -> int:
    """As many rounds as were asked for, or as are proposed; no more than a girone would have."""
    most = draw.size - 1 + draw.size % 2
    return min(int(draw.options.get("rounds", 0)) or proposed_rounds(draw.size), most)


def first_pairs(seeds: Sequence[int]) -> tuple[Pair, ...]:
    """Top half against bottom half, seats changing from board to board; the last of an odd number has a bye (D1)."""
    half = len(seeds) // 2
    pairs = [(seeds[i], seeds[half + i]) if i % 2 == 0 else (seeds[half + i], seeds[i]) for i in range(half)]
    return (*pairs, (seeds[-1], BYE)) if len(seeds) % 2 else tuple(pairs)


@lru_cache(maxsize=512)
def pairs_by_standing(order: tuple[int, ...], met: frozenset[frozenset[int]], lot: str) -> tuple[Pair, ...] | None:
    """Who meets whom, the best first, the bye last; None where they can't all be paired without a rematch."""
    field_ = (*order, BYE) if len(order) % 2 else order  # a bye is like meeting who stands below everybody
    place = {line: number for number, line in enumerate(field_)}
    costs = {
        (min(a, b), max(a, b)): (place[a] - place[b]) ** 2
        for a, b in combinations(field_, 2)
        if frozenset((a, b)) not in met
    }
    found = cheapest(field_, costs, lot)
    if found is None:
        return None
    pairs = [tuple(sorted(pair, key=place.__getitem__)) for pair in found]
    return tuple((a, b) for a, b in sorted(pairs, key=lambda pair: (pair[1] == BYE, place[pair[0]])))


@dataclass
class _Swiss:
    """One reading of the results, round by round."""

    draw: Draw
    results: Mapping[Slot, Result]
    leavers: Mapping[int, int]
    pairings: list[Pairing] = field(default_factory=list)
    games: list[Game] = field(default_factory=list)
    met: set[frozenset[int]] = field(default_factory=set)
    byes: dict[int, tuple[int, int]] = field(default_factory=dict)
    firsts: Counter[int] = field(default_factory=Counter)

    def plan(self) -> Plan:
        over, ended = True, False
        rounds = rounds_of(self.draw)
        for number in range(1, rounds + 1):
            pairs = self._pairs(number) if over and not ended else None
            ended = ended or (over and pairs is None)
            if pairs is not None:
                over = self._drawn(number, pairs)
            else:
                self._undrawn(number, Kind.VOID if ended else Kind.MATCH)
        return Plan(tuple(self.pairings), ("round",) * rounds, self.rows(), over)

    def rows(self) -> tuple[Row, ...]:
        lines = range(1, self.draw.size + 1)
        return standings(lines, self.games, self.draw.tie_break, self.draw.lot, self.byes)

    def _pairs(self, number: int) -> tuple[Pair, ...] | None:
        """The pairs of a round whose turn has come; None where there can't be one."""
        staying = [row.line for row in self.rows() if self.leavers.get(row.line, number) >= number]
        if len(staying) < 2:
            return None
        if number == 1:
            return first_pairs(sorted(staying))
        pairs = pairs_by_standing(tuple(staying), frozenset(self.met), f"{self.draw.lot}/round {number}")
        if pairs is None:
            return None
        # Who has sat first less often does so now (R1 does the same by its tables).
        return tuple((b, a) if b != BYE and self.firsts[b] < self.firsts[a] else (a, b) for a, b in pairs)

    def _drawn(self, number: int, pairs: tuple[Pair, ...]) -> bool:
        """Add a round's pairings; whether it is over."""
        over = True
        for board, (first, second) in enumerate(pairs, start=1):
            slot = Slot(number, board)
            self.met.add(frozenset((first, second)))
            if second == BYE:
                self.byes[first] = self.draw.bye
                self._add(Pairing(slot, first, None, Kind.BYE, worth=self.draw.bye))
                continue
            self.firsts[first] += 1
            self._add(Pairing(slot, first, second, Kind.MATCH, ready=True))
            result = self.results.get(slot)
            if result is None:
                over = False
            elif not result.annulled:
                self.games.append(Game(first, second, result.winner, result.double_forfeit, result.mp, result.vp))
        self._undrawn(number, Kind.VOID, after=len(pairs))
        return over

    def _undrawn(self, number: int, kind: Kind, after: int = 0) -> None:
        """The boards of a round that nobody has been drawn to, yet or for good."""
        for board in range(after + 1, (self.draw.size + 1) // 2 + 1):
            self._add(Pairing(Slot(number, board), None, None, kind))

    def _add(self, pairing: Pairing) -> None:
        if pairing.slot in self.results and not pairing.ready:
            raise ValueError(f"a result for {pairing.slot}, which is not being played")
        self.pairings.append(pairing)


class Danese:
    id = "danese"
    context: Context = "round_robin"
    has_vp = True
    is_bracket = False
    options: Mapping[str, bool | int] = {"rounds": 0}
    ranges: Mapping[str, range] = {"rounds": range(64)}
    leaver_has: Literal["results", "rounds"] = "rounds"
    min_size = 2
    max_size = 64

    def plan(self, draw: Draw, results: Mapping[Slot, Result], leavers: Mapping[int, int] = NOBODY_LEFT) -> Plan:
        return _Swiss(draw, results, leavers).plan()


FORMAT = Danese()
