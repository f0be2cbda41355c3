"""Projections: the VP that make an entry sure of a place when the round is over.

A claim holds against every way in which the round's other fixtures can end, draws, forfeits and double forfeits
included; withdrawals and referees' acts aside. An entry's *worst place* counts as ahead of it every entry that may
reach its VP. Tie-breaks are trusted only where this fixture is the last one: then the standings decide each possible
end. So every claim is certain, and now and then a little less would have done.

The work is entries x VP x fixtures, each step a look into a table; nothing is tried in combination.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from games.engine.game import Length
from scoring import vp
from scoring.standings import Game, compute_standings
from scoring.tiebreaks import DIRECT, LOT, VP, read_order

# What the VP of an end and its MP decide, and nothing else that isn't known before it.
SURE = frozenset({VP, DIRECT, "mp", "won", LOT})
NO_END = 10_000  # a margin beyond any match's: the last row of a column has no upper bound


@dataclass(frozen=True, slots=True)
class Ending:
    """Way in which a match can end, first line first."""

    winner: int | None
    double_forfeit: bool
    mp: tuple[int, int]
    vp: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Claim:
    """A place that is at stake for an entry.

    ``place``: this one or a better one, alone: nobody level with it below that place. ``least``: with at least so many
    VP it is certain; 0: it is certain already. ``against``: what the opponent then has in an ordinary end (13-7); None
    where it is certain already, or that isn't one number.
    """

    place: int
    least: int
    against: int | None


def can_claim(tie_break: str) -> bool:
    """Tell if an order has claims at all: only by VP are ends known to be enough (EV10)."""
    return read_order(tie_break).criteria[0] == VP


def trusts(tie_break: str) -> bool:
    """Tell if the end of the last fixture, as claims know it, decides all that an order asks."""
    return SURE.issuperset(read_order(tie_break).criteria)


def list_endings(ruleset: str, length: Length) -> tuple[Ending, ...]:
    """Return the ends of a match of that length (V1-V5, R4): per row of the table, its smallest and largest margin."""
    ends: set[Ending] = {Ending(None, False, (0, 0), (vp.EVEN, vp.EVEN))}
    both = vp.compute_double_forfeit(ruleset, length)
    if both is None:
        return ()
    ends.add(Ending(None, True, both.mp, both.vp))
    column = vp.find_column(ruleset, length)
    bounds = (0,) if column is None else column.bounds
    margins = {*bounds, *(bound - 1 for bound in bounds[1:]), NO_END}
    for margin in margins:
        for winner in (0, 1):
            for offender in (None, 1 - winner):
                worth = vp.compute_points(ruleset, length, winner, margin, offender)
                assert worth is not None
                ends.add(Ending(winner, False, worth.mp, worth.vp))
    return tuple(sorted(ends, key=lambda end: (end.vp, end.mp, str(end.winner))))


@dataclass(frozen=True, slots=True)
class RoundState:
    """The state of a round before its remaining fixtures end.

    ``totals``: the VP of each entry. ``running``: the fixtures still to be decided; an entry is in at most one of them.
    ``games``: all that count so far, where ``standings`` of them gives the ranks; None where a format has reasons of
    its own, and then equals are never separated here. ``outside``: entries that play out of competition: nobody's place
    counts them, and nothing is claimed for them.
    """

    totals: Mapping[int, int]
    running: Sequence[tuple[int, int]]
    endings: Sequence[Ending]
    games: Sequence[Game] | None = None
    tie_break: str = "standard"
    lot: str = ""
    outside: frozenset[int] = frozenset()


def compute_claims(now: RoundState, places: Iterable[int]) -> dict[int, tuple[Claim, ...]]:
    """Return the claims of each entry that has any about one of ``places``, the best place first.

    An entry that has played already, or rests, has only claims that are certain. A place is named only where it takes
    less than every better one.
    """
    wanted = sorted(set(places))
    reach = _compute_reach(now.endings)
    out: dict[int, tuple[Claim, ...]] = {}
    for entry in now.totals.keys() - now.outside:
        own = next((pair for pair in now.running if entry in pair), None)
        worst = (
            _find_worst_place_at_rest(now, entry, reach) if own is None else _find_worst_places(now, entry, own, reach)
        )
        own_claims: list[Claim] = []
        for place in wanted:
            if place >= len(now.totals.keys() - now.outside):
                continue  # everybody is that
            least = _find_least_vp(worst, place)
            if least is None:
                continue
            if own_claims and own_claims[-1].least <= least:
                continue  # a worse place for as much is no news
            own_claims.append(Claim(place, least, _find_opponent_vp(now.endings, least) if least else None))
            if least == 0:
                break
        if own_claims:
            out[entry] = tuple(own_claims)
    return out


def _find_least_vp(worst: Mapping[int, int], place: int) -> int | None:
    """Return the smallest VP with which the worst place is good enough; 0 where any will do, None where none does."""
    least = None
    for own in sorted(worst, reverse=True):
        if worst[own] > place:
            break
        least = own
    return 0 if least is not None and least == min(worst) else least


def _find_opponent_vp(endings: Sequence[Ending], own: int) -> int | None:
    """Return the VP of the other line in an ordinary end with these VP; None if that isn't one number."""
    others = {end.vp[1] for end in endings if end.vp[0] == own and end.mp[0] + end.mp[1] == 0}
    return others.pop() if len(others) == 1 else None


def _compute_reach(endings: Sequence[Ending]) -> list[int]:
    """Return, by the VP of one line, the most the other can have while it has at least so many; -1 if it can't."""
    top = max((end.vp[0] for end in endings), default=0)
    return [max((end.vp[1] for end in endings if end.vp[0] >= own), default=-1) for own in range(top + 2)]


def _count_reaching(reach: Sequence[int], needs: tuple[int | None, int | None]) -> int:
    """Count the entries of a fixture that can meet their needs, together if possible. None: out of the count."""
    most = len(reach) - 2
    first, second = (most + 1 if need is None else max(0, need) for need in needs)
    if first <= most and reach[first] >= second:
        return 2
    return int(first <= most or second <= most)


def _count_ahead(now: RoundState, entry: int, total: int, reach: Sequence[int], skip: tuple[int, ...]) -> int:
    """Count the other entries that can have ``total`` VP at least, those of ``skip`` aside."""
    playing = [pair for pair in now.running if entry not in pair]
    busy = {*skip, entry, *now.outside, *(member for pair in playing for member in pair)}
    still = sum(points >= total for other, points in now.totals.items() if other not in busy)
    needs = {other: None if other in now.outside else total - now.totals[other] for pair in playing for other in pair}
    return still + sum(_count_reaching(reach, (needs[first], needs[second])) for first, second in playing)


def _find_worst_place_at_rest(now: RoundState, entry: int, reach: Sequence[int]) -> dict[int, int]:
    """Return the worst place of an entry that doesn't play."""
    if not now.running and now.games is not None:
        return {0: _find_place(now, entry, ())}
    return {0: 1 + _count_ahead(now, entry, now.totals[entry], reach, ())}


def _find_worst_places(now: RoundState, entry: int, own: tuple[int, int], reach: Sequence[int]) -> dict[int, int]:
    """Return the worst place by the VP that an entry takes from its fixture."""
    last = len(now.running) == 1 and now.games is not None
    side = own.index(entry)
    other = own[1 - side]
    worst: dict[int, int] = {}
    for end in now.endings:
        taken = end.vp[side]
        if last:
            result = Game(*own, end.winner, end.double_forfeit, end.mp, end.vp)
            place = _find_place(now, entry, (result,))
        else:
            total = now.totals[entry] + taken
            beaten_by = other not in now.outside and now.totals[other] + end.vp[1 - side] >= total
            place = 1 + beaten_by + _count_ahead(now, entry, total, reach, (other,))
        worst[taken] = max(place, worst.get(taken, 0))
    return worst


def _find_place(now: RoundState, entry: int, more: tuple[Game, ...]) -> int:
    """Return the place among the standings, with level entries counted as ahead."""
    assert now.games is not None
    rows = compute_standings(now.totals, (*now.games, *more), now.tie_break, now.lot)
    rank = next(row.rank for row in rows if row.seed == entry)
    assert rank is not None
    return sum(row.rank is not None and row.rank <= rank for row in rows if row.seed not in now.outside)
