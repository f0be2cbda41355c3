"""Pairs of one round of a Swiss tournament (D1): the first by halves, the others by standing, none of them forbidden.

Plain numbers in, pairs out. It knows no results: who has met whom, who stands where, and who plays the rounds to come,
are told it. Of those rounds as many as possible stay possible. Pairs of one club (EV9) give way to that, and to what is
forbidden: of the first round they are made only where there is no other way, later they cost more.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain

from tournaments.formats.common.berger import build_berger
from tournaments.formats.common.clubs import CLUB_PRICE, NO_CLUBS, count_shared, share_club
from tournaments.formats.common.matching import (
    MAX_EXACT,
    MAX_SEARCHED,
    MAX_TRIES,
    Pairs,
    find_cheapest_pairing,
    find_rounds,
    list_pairings,
    measure_distances,
    pair_neighbours,
)
from tournaments.formats.common.rounds_ahead import (
    BYE,
    Fields,
    add_bye,
    count_rounds_ahead,
    find_round_without_opponents,
    has_spare_opponents,
    is_small,
)
from tournaments.formats.protocol import Clubs

Pair = tuple[int, int]
NO_PAIRS: Pairs = frozenset()
NEAR_BOARDS = 4  # beside a forbidden pair of the first round, which are paired anew with it; then twice as many
WAY_ON = "way on"  # the lot of pairings that are only looked for, and not made
FEW_TRIES = 4  # at rounds to come that aren't everybody's
MOST_OTHERS = 8  # pairings beside the best that are tried then


@lru_cache(maxsize=64)
def pair_first_round(
    seeds: tuple[int, ...], lot: str = "", banned: Pairs = NO_PAIRS, to_come: Fields = (), clubs: Clubs = NO_CLUBS
) -> tuple[Pair, ...] | None:
    """Pair top half and bottom half, seats changing from board to board; the last of an odd number has a bye (D1).

    Boards with a forbidden pair are paired anew with those near them, so that the rest stays. None where nothing helps.
    ``to_come``: who plays the rounds after it, as far as known; of a few entries all boards are paired anew, as near
    those halves as can be, where fewer of those rounds would be possible after them. ``clubs``: as few pairs as can be
    are of one.
    """
    half = len(seeds) // 2
    pairs = list(zip(seeds[:half], seeds[half:], strict=False))
    if len(seeds) % 2:
        pairs.append((seeds[-1], BYE))
    if is_small((seeds, *to_come)) and not has_spare_opponents(to_come, NO_PAIRS, before=1):
        boards = _pair_halves(pairs, lot, banned, to_come, clubs)
    else:
        boards = _part_banned(pairs, lot, banned)
        if boards is not None and count_shared(clubs, boards):
            boards = _part_clubs(boards, lot, banned, clubs)
    if boards is None:
        return None
    boards.sort(key=lambda pair: pair[1] == BYE)
    return tuple((a, b) if b == BYE or board % 2 == 0 else (b, a) for board, (a, b) in enumerate(boards))


def _part_banned(pairs: Sequence[Pair], lot: str, banned: Pairs) -> list[Pair] | None:
    """Pair the boards that are forbidden anew, with as few of those near them as it takes; None where nothing helps."""
    parted, near = list(pairs), NEAR_BOARDS
    wrong = [board for board, pair in enumerate(pairs) if frozenset(pair) in banned]
    while wrong:
        chosen = [board for board in range(len(pairs)) if any(abs(board - other) <= near for other in wrong)]
        anew = _pair_halves([pairs[board] for board in chosen], lot, banned)
        if anew is not None:
            for board, pair in zip(chosen, anew, strict=True):
                parted[board] = pair
            break
        if len(chosen) == len(pairs):
            return None
        near *= 2
    return parted


def _part_clubs(pairs: Sequence[Pair], lot: str, banned: Pairs, clubs: Clubs) -> list[Pair]:
    """Pair anew so that as few boards as can be are of one club, all at once; of many entries by swaps with the nearest
    boards that help."""
    if 2 * len(pairs) <= MAX_EXACT:
        return _pair_halves(pairs, lot, banned, clubs=clubs) or list(pairs)
    parted = list(pairs)
    hopeless: set[tuple[frozenset[int], frozenset[int]]] = set()  # clubs of a board, since the last swap
    for board in range(len(parted)):
        a, b = parted[board]
        alike = (clubs[a - 1], clubs[b - 1])
        if share_club(clubs, a, b) and alike not in hopeless:
            other = _find_helping_board(parted, board, banned, clubs)
            if other is None:
                if not banned:  # a ban may stand in the way of this board alone
                    hopeless.add(alike)
                continue
            hopeless.clear()
            c, d = parted[other]
            parted[board], parted[other] = (a, d), (c, b)
    return parted


def _find_helping_board(pairs: Sequence[Pair], board: int, banned: Pairs, clubs: Clubs) -> int | None:
    """Return the nearest board with which to swap the second of this one, so that fewer are of one club; or None."""
    a, b = pairs[board]
    for other in sorted(range(len(pairs)), key=lambda number: abs(number - board)):
        c, d = pairs[other]
        fewer = count_shared(clubs, ((a, b), (c, d))) - count_shared(clubs, ((a, d), (c, b)))
        if BYE not in (b, d) and fewer > 0 and banned.isdisjoint((frozenset((a, d)), frozenset((c, b)))):
            return other
    return None


def _pair_halves(
    boards: Sequence[Pair], lot: str, banned: Pairs, to_come: Fields = (), clubs: Clubs = NO_CLUBS
) -> list[Pair] | None:
    """Pair these boards anew, the top half still against the bottom half wherever that can be, as near as it can; first
    of all as few as can be of one club."""
    place = {entry: (board, side) for board, pair in enumerate(boards) for side, entry in enumerate(pair)}
    entries = sorted(place)
    costs = {}
    for number, a in enumerate(entries):
        for b in entries[number + 1 :]:
            if frozenset((a, b)) not in banned:
                same = place[a][1] == place[b][1]
                costs[a, b] = (place[a][0] - place[b][0]) ** 2 + same * len(boards) ** 3
                costs[a, b] += share_club(clubs, a, b) * len(boards) ** 5
    if to_come:
        best = _choose_longest(list_pairings(entries, costs, lot), NO_PAIRS, to_come)
    else:
        best = find_cheapest_pairing(entries, costs, lot)
    if best is None:
        return None
    pairs = [tuple(sorted(pair, key=lambda entry: (place[entry][1], place[entry][0]))) for pair in best]
    return sorted(((a, b) if a != BYE else (b, a) for a, b in pairs), key=lambda pair: place[pair[0]])


@lru_cache(maxsize=64)
def pair_by_standing(
    order: tuple[int, ...],
    met: Pairs,
    lot: str,
    to_come: Fields = (),
    banned: Pairs = NO_PAIRS,
    clubs: Clubs = NO_CLUBS,
) -> tuple[Pair, ...] | None:
    """Return the pairs, the best first, the bye last; None where not all can be paired without a rematch and without a
    forbidden pair.

    ``to_come``: who plays the rounds after this one, as far as known. Of the pairings after which as many of them as
    possible can be paired, it is the cheapest; with more than a few entries, one that was found. A pair of one of the
    ``clubs`` costs as much more as four places do (EV9).
    """
    field_ = (*order, BYE) if len(order) % 2 else order  # a bye is like meeting who stands below everybody
    place = {entry: number for number, entry in enumerate(field_)}
    safe = has_spare_opponents(to_come, met, before=1)
    if is_small((order, *to_come)):
        ways = list_pairings(field_, measure_distances(field_, place, met | banned, clubs), lot)
        best = next(iter(ways), None) if safe else _choose_longest(ways, met, to_come)
    else:
        best = pair_neighbours(field_, met | banned, lot, clubs=clubs)
        if best is not None and not safe:
            last = find_round_without_opponents((frozenset(order), *to_come), met)
            to_come = to_come if last is None else to_come[: last - 1]
            best = _choose_safe_pairs(field_, met, best, to_come, banned, lot, clubs)
    return None if best is None else list_boards(order, best)


def list_boards(order: Sequence[int], pairs: Iterable[Collection[int]]) -> tuple[Pair, ...]:
    """Return pairs board after board as their entries stand, the byes last."""
    place = {entry: number for number, entry in enumerate((*order, BYE))}
    boards = [tuple(sorted(pair, key=place.__getitem__)) for pair in pairs]
    return tuple((a, b) for a, b in sorted(boards, key=lambda board: (board[1] == BYE, place[board[0]])))


def _choose_longest(ways: Iterable[Pairs], met: Pairs, to_come: Fields) -> Pairs | None:
    """Return the first of these pairings after which as many of the rounds to come as possible can be paired."""
    best, longest = None, -1
    for pairs in ways:
        count = count_rounds_ahead(to_come, met | pairs)
        if count > longest:
            best, longest = pairs, count
        if longest == len(to_come):
            break
    return best


def _choose_safe_pairs(
    field_: Sequence[int], met: Pairs, best: Pairs, to_come: Fields, banned: Pairs, lot: str, clubs: Clubs
) -> Pairs:
    """Return the best pairs, if the rounds to come can be paired after them; else the nearest after which they can, or
    as many of them as are found."""
    places = [frozenset(field_), *map(add_bye, to_come)]
    place = {entry: number for number, entry in enumerate(field_)}

    def distance(pairs: Pairs) -> int:
        return sum((place[a] - place[b]) ** 2 + CLUB_PRICE * share_club(clubs, a, b) for a, b in map(tuple, pairs))

    def count(pairs: Pairs, tries: int) -> int:
        return len(find_rounds(places[1:], met | pairs, WAY_ON, tries))

    same = all(field == places[0] for field in places)
    tries = MAX_TRIES if same else FEW_TRIES
    longest = count(best, tries)
    if longest == len(to_come):
        return best
    known = find_rounds(places, met, WAY_ON, tries)
    if same:
        whole = known if len(known) == len(places) else _find_unplayed_rounds(places[0], met, len(places)) or ()
        nearest = sorted((pairs for pairs in whole if pairs.isdisjoint(banned)), key=distance)
        safe = next((pairs for pairs in nearest if count(pairs, tries) == len(to_come)), None)
        if safe or nearest:
            return safe or nearest[0]
    if len(field_) > MAX_SEARCHED:
        return best
    chosen = best
    first = (pairs for pairs in known[:1] if pairs.isdisjoint(banned))
    others = sorted(chain(first, _list_next_best(field_, met | banned, best, lot, clubs)), key=distance)
    for pairs in others[:MOST_OTHERS]:
        number = count(pairs, FEW_TRIES)
        if number > longest:
            chosen, longest = pairs, number
    return chosen


def _list_next_best(field_: Sequence[int], met: Pairs, best: Pairs, lot: str, clubs: Clubs) -> Iterator[Pairs]:
    """Yield the best pairings without each one of the pairs of the best."""
    for pair in sorted(best, key=sorted):
        pairs = pair_neighbours(field_, met | {pair}, lot, clubs=clubs)
        if pairs is not None:
            yield pairs


def _find_unplayed_rounds(places: Iterable[int], met: Pairs, count: int) -> tuple[Pairs, ...] | None:
    """Return the unplayed rounds of a round robin that begins as this tournament did (R1).

    None where pairs were made that aren't of that table.
    """
    entries = sorted(places)
    seeds = [entry for entry in entries if entry != BYE]
    labels = [entry for pair in build_berger(len(entries))[0] for entry in pair]
    named = dict(zip(labels, (entry for pair in pair_first_round(tuple(seeds)) or () for entry in pair), strict=True))
    table = [frozenset(frozenset((named[a], named[b])) for a, b in pairs) for pairs in build_berger(len(entries))]
    left = tuple(pairs for pairs in table if pairs.isdisjoint(met))
    played = sum(pairs <= met for pairs in table)
    return left if len(left) + played == len(table) and len(left) >= count else None
