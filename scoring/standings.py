"""The standings of entries that met each other, by an order of criteria (R2, EV10), with the reason of each rank.

Plain: from finished games to rows, recomputed whole each time, never patched. ``vp`` and R4 decide before it which
fixtures count and their points; the codes get their words at the edge.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from types import MappingProxyType
from typing import NamedTuple, Self

from games.engine.record import Json
from scoring.tiebreaks import (
    CRITERIA,
    DIRECT,
    NO_ROUNDS,
    SHARE,
    UNSIGNED,
    WINS,
    Game,
    Number,
    Results,
    Rounds,
    Totals,
    draw_lot_order,
    read_order,
)

__all__ = ["Asking", "Game", "StandingsRow", "TieBreakReason", "compute_standings"]


class Asking(NamedTuple):
    """A question that left two entries level: its code, the value of both (None: it couldn't be asked of its group),
    and of how many it was asked."""

    code: str
    value: Number | None
    among: int


class TieBreakReason(NamedTuple):
    """The reason that puts an entry before the next one (R3), with both values.

    ``code`` is a criterion of ``tiebreaks`` ("percentage" in hundredths of one per cent), "equal" (they share the
    rank), or a format's own reason. ``among``: of how many it was asked, None where nothing was; ``before``: what
    was asked of both before it, in order. The direct encounter can stand there, and be the reason all the same: it is
    asked again of each part of a group (R2).
    """

    code: str
    own: Number | None
    next: Number | None
    among: int | None = None
    before: tuple[Asking, ...] = ()

    @property
    def repeats(self) -> bool:
        """Tell if the same was asked before, of more entries."""
        return any(asking.code == self.code for asking in self.before)

    @property
    def by_wins(self) -> bool:
        """Tell if matches won came first, so that what is summed of matches is wins."""
        return self.code == WINS or any(asking.code == WINS for asking in self.before[:1])

    @property
    def own_wins(self) -> Number | None:
        """The matches won of the one ahead, where they came first (EV10)."""
        return self.own if self.code == WINS else self.before[0].value if self.by_wins else None

    @property
    def next_wins(self) -> Number | None:
        """The matches won of the next one, likewise."""
        return self.next if self.code == WINS else self.own_wins

    def to_json(self) -> Json:
        """Return the reason as it is stored: no more of it than there is."""
        plain = {"code": self.code, "own": write_number(self.own), "next": write_number(self.next)}
        before = [[code, write_number(value), among] for code, value, among in self.before]
        return plain | ({"among": self.among, "before": before} if before else {})

    @classmethod
    def from_json(cls, stored: Json) -> Self:
        """Return a stored reason; an old one may say nothing of what was asked before it."""
        before = tuple(Asking(code, _read_number(value), among) for code, value, among in stored.get("before", ()))
        own, other = _read_number(stored["own"]), _read_number(stored["next"])
        return cls(stored["code"], own, other, stored.get("among"), before)


def write_number(value: Number | None) -> int | str | None:
    """Return a value as it is stored and sent: a whole number, or an exact fraction, "37/3"."""
    return str(value) if isinstance(value, Fraction) else value


def _read_number(stored: int | str | None) -> Number | None:
    return Fraction(stored) if isinstance(stored, str) else stored


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """An entry of the standings, best first. ``separation`` is None for the last one; ``share`` is the mean of its
    rounds' percentages, 1 for 100 % (J10), None before it has one."""

    seed: int
    rank: int | None
    played: int
    won: int
    drawn: int
    mp: int
    vp: int
    separation: TieBreakReason | None
    share: Fraction | None = None


class _Ranked(NamedTuple):
    """An entry with all that it was asked, in order. Those who are level have the very same questions, of one group;
    those who were told apart have others from there on, though the values of both may read alike."""

    seed: int
    asked: tuple[Asking, ...]


def compute_standings(
    entries: Iterable[int],
    games: Sequence[Game],
    tie_break: str = "standard",
    lot: str = "",
    byes: Mapping[int, tuple[int, int]] = MappingProxyType({}),
    cut: int = 0,
    shares: Mapping[int, Fraction] = MappingProxyType({}),
    rounds: Rounds = NO_ROUNDS,
) -> tuple[StandingsRow, ...]:
    """Return one row an entry, best first; entries that stay equal share the rank and keep the order of their numbers.

    ``tie_break``: an order as ``tiebreaks.read_order`` knows it. ``byes``: the MP and VP that an entry got without
    playing (D1). ``cut``: so many places lead somewhere, each to another; entries still level at one of them are told
    apart by the lot, whatever the order (Q3). ``shares``: the mean percentages (J10); ``rounds``: those of a danese.

    Each criterion is applied in its order, to the entries that all the values before left level; the direct encounter
    once more to each part into which a later one has split a group.
    """
    totals = _sum_totals(entries, games, byes)
    criteria, asks_again = read_order(tie_break)
    results = Results(totals, games, lot, rounds, shares, by_wins=criteria[0] == WINS)
    asking = _Questions(results, asks_again)
    order = asking.separate(tuple(totals), (), criteria)
    order = _draw_level(order, cut, draw_lot_order(lot, tuple(totals), "standings"))
    rows: list[StandingsRow] = []
    for place, ranked in enumerate(order, start=1):
        level = bool(rows) and order[place - 2].asked is ranked.asked
        sums = totals[ranked.seed]
        rank = rows[-1].rank if level else place
        separation = _find_reason(ranked, order[place]) if place < len(order) else None
        rows.append(
            StandingsRow(
                ranked.seed,
                rank,
                sums.played,
                sums.won,
                sums.drawn,
                sums.mp,
                sums.vp,
                separation,
                shares.get(ranked.seed),
            )
        )
    return tuple(rows)


def _sum_totals(
    entries: Iterable[int], games: Sequence[Game], byes: Mapping[int, tuple[int, int]]
) -> Mapping[int, Totals]:
    sums = {entry: [0, 0, 0, *byes.get(entry, (0, 0))] for entry in sorted(entries)}
    for game in games:
        drawn = game.winner is None and not game.double_forfeit
        for side, entry in enumerate((game.first, game.second)):
            sum_ = sums[entry]
            sum_[0] += 1
            sum_[1] += game.winner == side
            sum_[2] += drawn
            sum_[3] += game.mp[side]
            sum_[4] += game.vp[side]
    return {entry: Totals(*values) for entry, values in sums.items()}


@dataclass(frozen=True, slots=True)
class _Questions:
    """The questions that are asked of these results."""

    results: Results
    asks_again: bool

    def separate(self, group: Sequence[int], asked: tuple[Asking, ...], criteria: Sequence[str]) -> list[_Ranked]:
        """Return a level group, which stands in the order of its numbers, as the ``criteria`` to come put it."""
        if len(group) < 2 or not criteria:
            return [_Ranked(entry, asked) for entry in group]
        code, rest = criteria[0], criteria[1:]
        values = CRITERIA[code](group, self.results)
        if values is None:
            return self.separate(group, (*asked, Asking(code, None, len(group))), rest)
        parts: dict[Number, list[int]] = {}
        for entry in group:
            parts.setdefault(values[entry], []).append(entry)
        if self.asks_again and len(parts) > 1 and code != DIRECT and any(one.code == DIRECT for one in asked):
            rest = (DIRECT, *rest)
        return [
            ranked
            for value in sorted(parts, reverse=True)
            for ranked in self.separate(parts[value], (*asked, Asking(code, _say(code, value), len(group))), rest)
        ]


def _draw_level(order: Sequence[_Ranked], cut: int, drawn: Sequence[int]) -> list[_Ranked]:
    """Put entries that are level at one of the first ``cut`` places in the order in which they were ``drawn``."""
    out: list[_Ranked] = []
    for _asked, members in groupby(order, key=lambda r: id(r.asked)):
        group = list(members)
        if len(group) > 1 and len(out) < cut:
            group.sort(key=lambda r: drawn.index(r.seed))
            numbers = {r.seed: len(drawn) - drawn.index(r.seed) for r in group}
            group = [_Ranked(r.seed, (*r.asked, Asking("lot", numbers[r.seed], len(group)))) for r in group]
        out += group
    return out


def _find_reason(ranked: _Ranked, following: _Ranked) -> TieBreakReason:
    for at, (own, other) in enumerate(zip(ranked.asked, following.asked, strict=False)):
        if own is not other:
            asked = (own.among, ranked.asked[:at]) if at else (None, ())
            return TieBreakReason(own.code, own.value, other.value, *asked)
    return TieBreakReason("equal", None, None, None, ranked.asked)


def _say(code: str, value: Number) -> Number:
    """Return a value as reasons have it: a share in hundredths of one per cent, half up, a whole number as such."""
    if code == SHARE:
        return round_share(Fraction(value))
    whole = value.numerator if value.denominator == 1 else value
    return -whole if code in UNSIGNED and whole < 0 else whole


def round_share(share: Fraction) -> int:
    """Return a share in hundredths of one per cent, half up (J10)."""
    return (share * 20000 + 1) // 2
