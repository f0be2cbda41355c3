"""The standings of entries that met each other: VP, then the tie-breaks of a preset (R2), with the reason of each rank.

Plain: from finished games to rows, recomputed whole each time, never patched. ``vp`` and R4 decide before it which
fixtures count and their points; the codes get their words at the edge.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from types import MappingProxyType
from typing import NamedTuple

from scoring.tiebreaks import CRITERIA, PERCENTAGE, PRESETS, Game, Results, Totals, draw_lot_order

__all__ = ["Game", "StandingsRow", "TieBreakReason", "compute_standings"]


class TieBreakReason(NamedTuple):
    """The reason that puts an entry before the next one (R3), with both values.

    ``code`` is "vp", a criterion of ``tiebreaks``, "percentage" (in hundredths of one per cent), "equal" (they share
    the rank), or a format's own reason.
    """

    code: str
    own: int | None
    next: int | None


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
    """An entry with the values of all criteria, in order; None where a criterion didn't apply to its group."""

    seed: int
    values: tuple[tuple[str, int | Fraction | None], ...]


def compute_standings(
    entries: Iterable[int],
    games: Sequence[Game],
    tie_break: str = "standard",
    lot: str = "",
    byes: Mapping[int, tuple[int, int]] = MappingProxyType({}),
    cut: int = 0,
    shares: Mapping[int, Fraction] = MappingProxyType({}),
) -> tuple[StandingsRow, ...]:
    """Return one row an entry, best first; entries that stay equal share the rank and keep the order of their numbers.

    ``byes``: the MP and VP that an entry got without playing (D1). ``cut``: so many places lead somewhere, each to
    another; entries still level at one of them are told apart by the lot, whatever the preset (Q3). ``shares``: the
    mean percentages, which come before VP in the preset that is by them (J10).

    Each criterion is applied once, in the preset's order, to the entries that all the values before left level.
    """
    totals = _sum_totals(entries, games, byes)
    first = {entry: (shares.get(entry, Fraction(0)) if tie_break == PERCENTAGE else 0) for entry in totals}
    start = [
        _Ranked(
            entry, (*((("percentage", first[entry]),) if tie_break == PERCENTAGE else ()), ("vp", totals[entry].vp))
        )
        for entry in totals
    ]
    by_vp = sorted(start, key=lambda r: (-first[r.seed], -totals[r.seed].vp, r.seed))
    order = _split(by_vp, PRESETS[tie_break], Results(totals, games, lot))
    order = _draw_level(order, cut, draw_lot_order(lot, tuple(totals), "standings"))
    rows: list[StandingsRow] = []
    for place, ranked in enumerate(order, start=1):
        level = bool(rows) and order[place - 2].values == ranked.values
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


def _split(ranked: Sequence[_Ranked], criteria: Sequence[str], results: Results) -> list[_Ranked]:
    """Separate level entries by the first criterion, and the groups that remain by the next ones."""
    out: list[_Ranked] = []
    for _values, members in groupby(ranked, key=lambda r: r.values):
        group = list(members)
        if len(group) == 1 or not criteria:
            out += group
            continue
        code, rest = criteria[0], criteria[1:]
        values = CRITERIA[code]([r.seed for r in group], results)
        scored = [_Ranked(r.seed, (*r.values, (code, None if values is None else values[r.seed]))) for r in group]
        if values is not None:
            scored.sort(key=lambda r: (-values[r.seed], r.seed))
        out += _split(scored, rest, results)
    return out


def _draw_level(order: Sequence[_Ranked], cut: int, drawn: Sequence[int]) -> list[_Ranked]:
    """Put entries that are level at one of the first ``cut`` places in the order in which they were ``drawn``."""
    out: list[_Ranked] = []
    for _values, members in groupby(order, key=lambda r: r.values):
        group = list(members)
        if len(group) > 1 and len(out) < cut:
            group.sort(key=lambda r: drawn.index(r.seed))
            group = [_Ranked(r.seed, (*r.values, ("lot", len(drawn) - drawn.index(r.seed)))) for r in group]
        out += group
    return out


def _find_reason(ranked: _Ranked, following: _Ranked) -> TieBreakReason:
    for (code, own), (_code, other) in zip(ranked.values, following.values, strict=False):
        if own != other:
            return TieBreakReason(code, _make_whole(own), _make_whole(other))
    return TieBreakReason("equal", None, None)


def _make_whole(value: int | Fraction | None) -> int | None:
    """Return a value as reasons have it: a share in hundredths of one per cent, half up."""
    return round_share(value) if isinstance(value, Fraction) else value


def round_share(share: Fraction) -> int:
    """Return a share in hundredths of one per cent, half up (J10)."""
    return (share * 20000 + 1) // 2
