"""Prizes by rank (O10): what each place is worth, and what those who share a rank get. Nothing is stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from scoring.tournament_points import count_ranks, place_ranks


@dataclass(frozen=True, slots=True)
class Prize:
    """Prize of a place: money in cents, and what else there is."""

    cents: int
    what: str = ""


@dataclass(frozen=True, slots=True)
class Contender:
    """An entry of people that may take a prize, with its rank. ``named``: their order among those of one rank."""

    entry_id: int
    rank: int
    named: int


@dataclass(frozen=True, slots=True)
class Share:
    """The prize of an entry: of one or of several places, ``first`` to ``last``, which ``among`` entries share."""

    entry_id: int
    first: int
    last: int
    cents: int
    what: tuple[str, ...]
    among: int


def share_prizes(
    contenders: Sequence[Contender],
    prizes: Sequence[Prize],
    *,
    ahead: int = 0,
    everybody: Mapping[int, int] | None = None,
) -> list[Share]:
    """Return the prizes of those who get some, the best first.

    Entries of one rank share the money of the places they take together; the cents that can't be divided go to the
    first named. ``ahead``: how many still play for the places before those of the contenders. ``everybody``: how many
    entries have each rank (0: none yet), also of those who take no prize: a place that nobody earned has none (K5).
    """
    shares: list[Share] = []
    places = place_ranks({0: ahead, **count_ranks(one.rank for one in contenders)}, everybody)
    ordered = sorted(contenders, key=lambda one: (one.rank, one.named))
    for rank, group in groupby(ordered, key=lambda one: one.rank):
        level = list(group)
        first, last = places[rank]
        pool = prizes[first - 1 : last]
        share, rest = divmod(sum(prize.cents for prize in pool), len(level))
        what = tuple(prize.what for prize in pool if prize.what)
        if share or rest or what:
            shares += [
                Share(one.entry_id, first, last, share + (rest if one is level[0] else 0), what, len(level))
                for one in level
            ]
    return shares
