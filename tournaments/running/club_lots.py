"""Lots of clubs at the draw (EV9): who changes places, so that as few of one club meet as can be. It stores nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from games.engine.record import Json
from tournaments.formats import FORMATS
from tournaments.formats.common.clubs import count_shared, swap_clubs
from tournaments.models import Tournament
from tournaments.running.line_clubs import find_club_format, read_clubs
from tournaments.running.plan_basis import make_draw, read_wishes, weigh_wishes


@dataclass(frozen=True, slots=True)
class ClubLots:
    """The ``clubs`` of each entry that was drawn, as they were listed; the ids of those that changed places in
    ``swaps``, one after the other; and how many pairs were of one club before and after (``met``)."""

    clubs: tuple[tuple[int, ...], ...] = ()
    swaps: tuple[tuple[int, int], ...] = ()
    met: tuple[int, ...] = ()

    @classmethod
    def from_json(cls, kept: Json | None) -> "ClubLots":
        """Return what a draft has kept; one from before clubs were kept apart has nothing."""
        if kept is None:
            return cls()
        swaps = tuple((one, other) for one, other in kept["swaps"])
        return cls(tuple(map(tuple, kept["clubs"])), swaps, tuple(kept["met"]))


NO_CLUB_LOTS = ClubLots()


def draw_clubs(
    tournament: Tournament,
    listed: Sequence[int],
    order: Sequence[int],
    lot: str,
    mates: Mapping[int, int] = MappingProxyType({}),
) -> ClubLots:
    """Return who changes places of the entries in this ``order`` of their seeds; nobody where no club is protected.
    ``mates``: the entry of these that each of others is part of (EV2)."""
    format_ = find_club_format(tournament)
    if format_ is None:
        return NO_CLUB_LOTS
    seeds = {pk: seed for seed, pk in enumerate(order, start=1)}
    seeds |= {other: seeds[one] for other, one in mates.items()}
    byes, banned = weigh_wishes(*read_wishes(tournament), seeds)
    options = FORMATS[tournament.format].freeze_options(tournament.format_options, len(order))
    plain = replace(make_draw(tournament, len(order)), options=options, lot=lot, byes=byes, banned=banned)
    clubs = read_clubs(tournament, order, mates)
    seed_swaps = format_.part_clubs(replace(plain, clubs=clubs))
    parted = replace(plain, clubs=swap_clubs(clubs, seed_swaps))
    met = [count_shared(draw, format_.list_meetings(one)) for draw, one in ((clubs, plain), (parted.clubs, parted))]
    by_entry = dict(zip(order, clubs, strict=True))
    return ClubLots(
        tuple(tuple(sorted(by_entry[pk])) for pk in listed), _name_swaps(order, seed_swaps), (met[0], met[1])
    )


def _name_swaps(order: Sequence[int], swaps: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return the ids of the entries that stand at these places when they are swapped."""
    now, named = list(order), []
    for one, other in swaps:
        named.append((now[one - 1], now[other - 1]))
        now[one - 1], now[other - 1] = now[other - 1], now[one - 1]
    return tuple(named)


def swap_order(order: Sequence[int], swaps: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """Return the entries after these swaps."""
    swapped = list(order)
    for one, other in swaps:
        first, second = swapped.index(one), swapped.index(other)
        swapped[first], swapped[second] = other, one
    return tuple(swapped)
