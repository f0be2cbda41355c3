"""Pairs of a Swiss round that can't be paired as the rules want, by the organiser's choice (D1): with second byes, or
with rematches.

Plain numbers in, pairs out. Whether such a choice may be made is not decided here.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations

from tournaments.formats.common.matching import Pairs, find_cheapest_pairing, measure_distances
from tournaments.formats.common.rounds_ahead import BYE
from tournaments.formats.common.swiss import Pair, list_boards


def can_rest_more(entries: Collection[int], met: Pairs) -> bool:
    """Tell if second byes leave somebody to play: two who haven't met."""
    return any(frozenset(pair) not in met for pair in combinations(entries, 2))


def can_meet_again(entries: Collection[int], met: Pairs) -> bool:
    """Tell if rematches alone help: there are two to play, and with an odd number one who hasn't had a bye."""
    odd = len(entries) % 2 == 1
    return len(entries) > 1 and not (odd and all(frozenset((entry, BYE)) in met for entry in entries))


def pair_with_second_byes(
    order: Sequence[int], met: Pairs, rested: Mapping[int, int], lot: str, banned: Pairs
) -> tuple[Pair, ...] | None:
    """Return the pairs with as few byes as it takes, the byes last; None where a forbidden pair is in the way, or
    nobody has anybody left.

    Byes go to those who had the fewest (``rested``), of them to whoever stands lowest; then neighbours meet.
    """
    size = len(order)
    place = {entry: number for number, entry in enumerate(order)}
    free = measure_distances(order, place, met)
    dearest = size**3  # more than all distances of a round
    byes = {entry: (rested.get(entry, 0) * size**2 + size - place[entry]) * dearest for entry in order}
    for count in range(size % 2, size - 1, 2):
        resting = [BYE - number for number in range(count)]
        alone = {(nobody, entry): cost for nobody in resting for entry, cost in byes.items()}
        if find_cheapest_pairing([*resting, *order], {**alone, **free}, lot) is None:
            continue
        allowed = {pair: cost for pair, cost in free.items() if frozenset(pair) not in banned}
        pairs = find_cheapest_pairing([*resting, *order], {**alone, **allowed}, lot)
        return None if pairs is None else list_boards(order, [{max(one, BYE) for one in pair} for pair in pairs])
    return None


def pair_with_rematches(order: Sequence[int], met: Pairs, lot: str, banned: Pairs) -> tuple[Pair, ...] | None:
    """Return the pairs with as few rematches as it takes, then neighbours; nobody has a second bye.

    None where a forbidden pair is in the way, or everybody has had a bye.
    """
    field = (*order, BYE) if len(order) % 2 else tuple(order)
    place = {entry: number for number, entry in enumerate(field)}
    rested = frozenset(pair for pair in met if BYE in pair)
    costs = {
        (a, b): cost + (frozenset((a, b)) in met) * len(field) ** 3
        for (a, b), cost in measure_distances(field, place, rested | banned).items()
    }
    pairs = find_cheapest_pairing(field, costs, lot)
    return None if pairs is None else list_boards(order, pairs)
