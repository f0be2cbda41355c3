"""Clubs of entries (EV9): who shares one, and the swaps by which entries change places.

Plain numbers. It knows neither who is of a club nor why: two seeds are of one if they share any.
"""

from collections.abc import Iterable, Mapping

from tournaments.formats.protocol import Clubs, Swaps

Board = tuple[int, int]
NO_CLUBS: Clubs = ()
CLUB_PRICE = 4**2  # of a pair of one club in the danese, as if its two stood four places apart


def share_club(clubs: Clubs, one: int, other: int) -> bool:
    """Tell if two seeds are of one club; never, where no clubs are given or one of them is nobody."""
    return min(one, other) > 0 and bool(clubs) and not clubs[one - 1].isdisjoint(clubs[other - 1])


def count_shared(clubs: Clubs, boards: Iterable[Board]) -> int:
    """Return how many of these pairs are of one club."""
    return sum(share_club(clubs, one, other) for one, other in boards)


def swap_clubs(clubs: Clubs, swaps: Swaps) -> Clubs:
    """Return the clubs of the seeds after these swaps."""
    swapped = list(clubs)
    for one, other in swaps:
        swapped[one - 1], swapped[other - 1] = swapped[other - 1], swapped[one - 1]
    return tuple(swapped)


def reach_places(seat: Mapping[int, int]) -> Swaps:
    """Return the swaps that bring to the place of each seed whoever is to come there."""
    now = {place: place for place in seat}
    where = dict(now)
    swaps = []
    for place in sorted(seat):
        present, comes = now[place], seat[place]
        if present != comes:
            swaps.append((place, where[comes]))
            now[place], now[where[comes]] = comes, present
            where[present], where[comes] = where[comes], place
    return tuple(swaps)
