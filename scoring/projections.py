"""What a line needs in the fixture it is playing, to be sure of a place when the round is over.

A claim holds against every way in which the round's other fixtures can end, draws, forfeits and double forfeits
included; withdrawals and referees' acts aside. A line's *worst place* counts as ahead of it every line that may reach
its VP: what separates equals is trusted only where this fixture is the last one, and then ``standings`` decides each
possible end. So whatever is claimed is certain, and now and then a little less would have done.

The work is lines x VP x fixtures, each step a look into a table; nothing is tried in combination.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from games.engine.game import Length
from scoring import vp
from scoring.standings import Game, standings

NO_END = 10_000  # a margin beyond any match's: the last row of a column has no upper bound


@dataclass(frozen=True, slots=True)
class Ending:
    """One way in which a match can end, first line first."""

    winner: int | None
    double_forfeit: bool
    mp: tuple[int, int]
    vp: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Claim:
    """A place that is at stake for a line.

    ``place``: this one or a better one, alone: nobody level with it below that place. ``least``: with at least so many
    VP it is certain; 0: it is certain already. ``against``: what the opponent then has in an ordinary end (13-7); None
    where it is certain already, or that isn't one number.
    """

    place: int
    least: int
    against: int | None


def endings(ruleset: str, length: Length) -> tuple[Ending, ...]:
    """How a match of that length can end (V1-V5, R4): of each row of the table the smallest and the largest margin."""
    found: set[Ending] = {Ending(None, False, (0, 0), (vp.EVEN, vp.EVEN))}
    both = vp.both_forfeit(ruleset, length)
    if both is None:
        return ()
    found.add(Ending(None, True, both.mp, both.vp))
    entry = vp.column(ruleset, length)
    bounds = (0,) if entry is None else entry.bounds
    margins = {*bounds, *(bound - 1 for bound in bounds[1:]), NO_END}
    for margin in margins:
        for winner in (0, 1):
            for offender in (None, 1 - winner):
                worth = vp.worth(ruleset, length, winner, margin, offender)
                assert worth is not None
                found.add(Ending(winner, False, worth.mp, worth.vp))
    return tuple(sorted(found, key=lambda each: (each.vp, each.mp, str(each.winner))))


@dataclass(frozen=True, slots=True)
class Standing:
    """Where things stand before the round's remaining fixtures end.

    ``totals``: the VP of each line. ``running``: the fixtures still to be decided; a line is in at most one of them.
    ``games``: all that count so far, where ``standings`` of them gives the ranks; None where a format has reasons of
    its own, and then equals are never separated here. ``outside``: lines that play out of competition: nobody's place
    counts them, and nothing is claimed for them.
    """

    totals: Mapping[int, int]
    running: Sequence[tuple[int, int]]
    endings: Sequence[Ending]
    games: Sequence[Game] | None = None
    tie_break: str = "standard"
    lot: str = ""
    outside: frozenset[int] = frozenset()


def claims(now: Standing, places: Iterable[int]) -> dict[int, tuple[Claim, ...]]:
    """For each line that may be told something about one of ``places``: its claims, the best place first.

    A line that has played already, or rests, has only claims that are certain. A place is named only where it takes
    less than every better one.
    """
    wanted = sorted(set(places))
    reach = _reach(now.endings)
    out: dict[int, tuple[Claim, ...]] = {}
    for line in now.totals.keys() - now.outside:
        own = next((pair for pair in now.running if line in pair), None)
        worst = _settled(now, line, reach) if own is None else _by_vp(now, line, own, reach)
        found: list[Claim] = []
        for place in wanted:
            if place >= len(now.totals.keys() - now.outside):
                continue  # everybody is that
            least = _least(worst, place)
            if least is None:
                continue
            if found and found[-1].least <= least:
                continue  # a worse place for as much is no news
            found.append(Claim(place, least, _against(now.endings, least) if least else None))
            if least == 0:
                break
        if found:
            out[line] = tuple(found)
    return out


def _least(worst: Mapping[int, int], place: int) -> int | None:
    """The smallest VP from which on the worst place is good enough; 0 where any will do, None where none does."""
    least = None
    for own in sorted(worst, reverse=True):
        if worst[own] > place:
            break
        least = own
    return 0 if least is not None and least == min(worst) else least


def _against(endings: Sequence[Ending], own: int) -> int | None:
    """What the other line has in an ordinary end with these VP."""
    others = {each.vp[1] for each in endings if each.vp[0] == own and each.mp[0] + each.mp[1] == 0}
    return others.pop() if len(others) == 1 else None


def _reach(endings: Sequence[Ending]) -> list[int]:
    """For each number of VP of one line: the most the other can have while it has at least so many; -1: it can't."""
    top = max((each.vp[0] for each in endings), default=0)
    return [max((each.vp[1] for each in endings if each.vp[0] >= own), default=-1) for own in range(top + 2)]


def _many(reach: Sequence[int], needs: tuple[int | None, int | None]) -> int:
    """How many of a fixture's two lines can have what they need, together if that is possible; None: one that doesn't
    count."""
    most = len(reach) - 2
    first, second = (most + 1 if need is None else max(0, need) for need in needs)
    if first <= most and reach[first] >= second:
        return 2
    return int(first <= most or second <= most)


def _ahead(now: Standing, line: int, total: int, reach: Sequence[int], skip: tuple[int, ...]) -> int:
    """How many other lines can have ``total`` VP at least, those of ``skip`` aside."""
    playing = [pair for pair in now.running if line not in pair]
    busy = {*skip, line, *now.outside, *(each for pair in playing for each in pair)}
    still = sum(points >= total for each, points in now.totals.items() if each not in busy)
    needs = {each: None if each in now.outside else total - now.totals[each] for pair in playing for each in pair}
    return still + sum(_many(reach, (needs[first], needs[second])) for first, second in playing)


def _settled(now: Standing, line: int, reach: Sequence[int]) -> dict[int, int]:
    """The worst place of a line that doesn't play."""
    if not now.running and now.games is not None:
        return {0: _place(now, line, ())}
    return {0: 1 + _ahead(now, line, now.totals[line], reach, ())}


def _by_vp(now: Standing, line: int, own: tuple[int, int], reach: Sequence[int]) -> dict[int, int]:
    """The worst place by the VP that a line takes from its fixture."""
    last = len(now.running) == 1 and now.games is not None
    side = own.index(line)
    other = own[1 - side]
    worst: dict[int, int] = {}
    for each in now.endings:
        taken = each.vp[side]
        if last:
            ended = Game(*own, each.winner, each.double_forfeit, each.mp, each.vp)
            place = _place(now, line, (ended,))
        else:
            total = now.totals[line] + taken
            beaten_by = other not in now.outside and now.totals[other] + each.vp[1 - side] >= total
            place = 1 + beaten_by + _ahead(now, line, total, reach, (other,))
        worst[taken] = max(place, worst.get(taken, 0))
    return worst


def _place(now: Standing, line: int, more: tuple[Game, ...]) -> int:
    """The place among the standings, everybody level with it counted as ahead."""
    assert now.games is not None
    rows = standings(now.totals, (*now.games, *more), now.tie_break, now.lot)
    rank = next(row.rank for row in rows if row.line == line)
    assert rank is not None
    return sum(row.rank is not None and row.rank <= rank for row in rows if row.line not in now.outside)
