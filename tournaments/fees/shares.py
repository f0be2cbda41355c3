"""Prizes by rank (O10): what each place is worth, and what those who share a rank get. Nothing is stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType
from typing import Literal

from scoring.tournament_points import count_ranks, place_ranks

Way = Literal["place", "lot", "choice"]


@dataclass(frozen=True, slots=True)
class Prize:
    """Prize of a place: money in cents, and what else there is, which can't be divided."""

    cents: int
    what: str = ""


@dataclass(frozen=True, slots=True)
class Contender:
    """An entry of people that may take a prize, with its rank. ``named``: their order among those of one rank, for the
    cents that are left over; ``drawn``: their order in the lot, for what can't be divided."""

    entry_id: int
    rank: int
    named: int
    drawn: int = 0


@dataclass(frozen=True, slots=True)
class PrizeChoice:
    """Choice of the organiser: who of those that share a place gets the thing of it that can't be divided, and why."""

    what: str
    entry_id: int
    reason: str


@dataclass(frozen=True, slots=True)
class Thing:
    """Thing that can't be divided, the prize of a ``place``: of whoever has it alone, or by the lot, or by choice."""

    place: int
    what: str
    by: Way = "place"
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Share:
    """The prize of an entry: of one or of several places, ``first`` to ``last``, which ``among`` entries share."""

    entry_id: int
    first: int
    last: int
    cents: int
    things: tuple[Thing, ...]
    among: int

    @property
    def what(self) -> tuple[str, ...]:
        """Return what it gets that isn't money."""
        return tuple(thing.what for thing in self.things)


def share_prizes(
    contenders: Sequence[Contender],
    prizes: Sequence[Prize],
    *,
    ahead: int = 0,
    everybody: Mapping[int, int] | None = None,
    choices: Mapping[int, PrizeChoice] = MappingProxyType({}),
) -> list[Share]:
    """Return the prizes of those who get some, the best first.

    Entries of one rank share the money of the places they take together; the cents that can't be divided go to the
    first named. What isn't money is given once: as the organiser chose for its place, while that one shares it; else
    by the lot, the first thing to the first drawn of those to whom nothing was given so, the next to the next. They
    all have a row then, also who gets nothing. ``ahead``: how many still play for the places before those of the
    contenders. ``everybody``: how many entries have each rank (0: none yet), also of those who take no prize: a place
    that nobody earned has none (K5).
    """
    shares: list[Share] = []
    places = place_ranks({0: ahead, **count_ranks(one.rank for one in contenders)}, everybody)
    ordered = sorted(contenders, key=lambda one: (one.rank, one.named))
    for rank, group in groupby(ordered, key=lambda one: one.rank):
        level = list(group)
        first, last = places[rank]
        pool = prizes[first - 1 : last]
        share, rest = divmod(sum(prize.cents for prize in pool), len(level))
        things = {place: prize.what for place, prize in enumerate(pool, start=first) if prize.what}
        given = _give_things(level, things, choices)
        if share or rest or things:
            shares += [
                Share(
                    one.entry_id,
                    first,
                    last,
                    share + (rest if one is level[0] else 0),
                    given.get(one.entry_id, ()),
                    len(level),
                )
                for one in level
            ]
    return shares


def _give_things(
    level: Sequence[Contender], things: Mapping[int, str], choices: Mapping[int, PrizeChoice]
) -> dict[int, tuple[Thing, ...]]:
    """Return what each of those who share these places gets of what can't be divided, each thing once."""
    ids = [one.entry_id for one in sorted(level, key=lambda one: (one.drawn, one.named))]
    given: dict[int, tuple[Thing, ...]] = {}
    left: list[tuple[int, str]] = []
    for place, what in things.items():
        choice = choices.get(place)
        if len(ids) > 1 and choice is not None and choice.what == what and choice.entry_id in ids:
            thing = Thing(place, what, "choice", choice.reason)
            given[choice.entry_id] = (*given.get(choice.entry_id, ()), thing)
        else:
            left.append((place, what))
    waiting = [entry_id for entry_id in ids if entry_id not in given]
    for (place, what), entry_id in zip(left, waiting, strict=False):
        given[entry_id] = (Thing(place, what, "lot" if len(ids) > 1 else "place"),)
    return given
