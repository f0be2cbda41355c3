"""Pairs of one round of a Swiss tournament (D1): the first by halves, the others by standing, none of them forbidden.

Plain numbers in, pairs out. It knows no results: who has met whom, and who stands where, are told it.
"""

from collections.abc import Sequence
from functools import lru_cache

from tournaments.formats.common.berger import build_berger
from tournaments.formats.common.matching import Pairs, find_cheapest_pairing, find_rounds, pair_neighbours

BYE = 0  # the opponent of an entry that has a bye
Pair = tuple[int, int]
NO_PAIRS: Pairs = frozenset()
NEAR_BOARDS = 4  # beside a forbidden pair of the first round, which are paired anew with it; then twice as many


@lru_cache(maxsize=64)
def pair_first_round(seeds: tuple[int, ...], lot: str = "", banned: Pairs = NO_PAIRS) -> tuple[Pair, ...] | None:
    """Pair top half and bottom half, seats changing from board to board; the last of an odd number has a bye (D1).

    Boards with a forbidden pair are paired anew with those near them, so that the rest stays. None where nothing helps.
    """
    half = len(seeds) // 2
    pairs = list(zip(seeds[:half], seeds[half:], strict=False))
    if len(seeds) % 2:
        pairs.append((seeds[-1], BYE))
    near = NEAR_BOARDS
    wrong = [board for board, pair in enumerate(pairs) if frozenset(pair) in banned]
    while wrong:
        chosen = [board for board in range(len(pairs)) if any(abs(board - other) <= near for other in wrong)]
        anew = _pair_halves([pairs[board] for board in chosen], lot, banned)
        if anew is not None:
            for board, pair in zip(chosen, anew, strict=True):
                pairs[board] = pair
            break
        if len(chosen) == len(pairs):
            return None
        near *= 2
    pairs.sort(key=lambda pair: pair[1] == BYE)
    return tuple((a, b) if b == BYE or board % 2 == 0 else (b, a) for board, (a, b) in enumerate(pairs))


def _pair_halves(boards: Sequence[Pair], lot: str, banned: Pairs) -> list[Pair] | None:
    """Pair these boards anew, the top half still against the bottom half wherever that can be, as near as it can."""
    place = {entry: (board, side) for board, pair in enumerate(boards) for side, entry in enumerate(pair)}
    entries = sorted(place)
    costs = {}
    for number, a in enumerate(entries):
        for b in entries[number + 1 :]:
            if frozenset((a, b)) not in banned:
                same = place[a][1] == place[b][1]
                costs[a, b] = (place[a][0] - place[b][0]) ** 2 + same * len(boards) ** 3
    best = find_cheapest_pairing(entries, costs, lot)
    if best is None:
        return None
    pairs = [tuple(sorted(pair, key=lambda entry: (place[entry][1], place[entry][0]))) for pair in best]
    return sorted(((a, b) if a != BYE else (b, a) for a, b in pairs), key=lambda pair: place[pair[0]])


@lru_cache(maxsize=64)
def pair_by_standing(
    order: tuple[int, ...], met: Pairs, lot: str, to_come: int = 0, banned: Pairs = NO_PAIRS
) -> tuple[Pair, ...] | None:
    """Return the pairs, the best first, the bye last; None where not all can be paired without a rematch and without a
    forbidden pair.

    ``to_come``: so many rounds after this one should have new pairs for everybody, too.
    """
    field_ = (*order, BYE) if len(order) % 2 else order  # a bye is like meeting who stands below everybody
    place = {entry: number for number, entry in enumerate(field_)}
    best = pair_neighbours(field_, met | banned, lot)
    if best is None:
        return None
    # A half of all rounds can be paired whatever the pairs before were (Rosenfeld 1964); more must be looked after.
    if to_come and (len(met) // (len(field_) // 2) + 1 + to_come) > len(field_) // 2:
        best = _choose_safe_pairs(field_, met, best, to_come, banned)
    pairs = [tuple(sorted(pair, key=place.__getitem__)) for pair in best]
    return tuple((a, b) for a, b in sorted(pairs, key=lambda pair: (pair[1] == BYE, place[pair[0]])))


def _choose_safe_pairs(field_: Sequence[int], met: Pairs, best: Pairs, to_come: int, banned: Pairs) -> Pairs:
    """Return the best pairs, if the rounds to come can be paired after them; else the nearest after which they can."""
    entries = sorted(field_)
    if find_rounds(entries, met | best, to_come, "way on") is not None:
        return best
    place = {entry: number for number, entry in enumerate(field_)}

    def distance(pairs: Pairs) -> int:
        return sum((place[a] - place[b]) ** 2 for a, b in map(tuple, pairs))

    known = find_rounds(entries, met, to_come + 1, "way on") or _find_unplayed_rounds(entries, met, to_come + 1) or ()
    nearest = sorted((pairs for pairs in known if pairs.isdisjoint(banned)), key=distance)
    safe = (pairs for pairs in nearest if find_rounds(entries, met | pairs, to_come, "way on") is not None)
    return next(safe, nearest[0] if nearest else best)


def _find_unplayed_rounds(entries: Sequence[int], met: Pairs, count: int) -> tuple[Pairs, ...] | None:
    """Return the unplayed rounds of a round robin that begins as this tournament did (R1).

    None where pairs were made that aren't of that table.
    """
    seeds = [entry for entry in entries if entry != BYE]
    labels = [entry for pair in build_berger(len(entries))[0] for entry in pair]
    named = dict(zip(labels, (entry for pair in pair_first_round(tuple(seeds)) or () for entry in pair), strict=True))
    table = [frozenset(frozenset((named[a], named[b])) for a, b in pairs) for pairs in build_berger(len(entries))]
    left = tuple(pairs for pairs in table if pairs.isdisjoint(met))
    played = sum(pairs <= met for pairs in table)
    return left if len(left) + played == len(table) and len(left) >= count else None
