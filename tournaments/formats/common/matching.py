"""Pairings of everybody with everybody: of least cost, of neighbours in a long order, and many rounds of them.

Plain numbers in, pairs out. Among pairings that cost the same the lot decides, so that the answer is one and the same
whatever the library's own order is. It knows no rounds and no standings. Matchings are networkx's.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import combinations

from tournaments.formats.common.clubs import CLUB_PRICE, NO_CLUBS, share_club
from tournaments.formats.protocol import Clubs

Pair = frozenset[int]
Pairs = frozenset[Pair]

LOT_RANGE = 2**40  # more than the lot's numbers of one pairing together, each of 32 bits
MAX_EXACT = 64  # entries: so many are paired all at once, more section by section
SECTION_ENTRIES = 24  # entries of a section
MAX_SEARCHED = 32  # entries: up to so many, rounds that are left are looked for one by one
MAX_TRIES = 24
MAX_STEPS = 5_000  # of one try


def find_cheapest_pairing(numbers: Collection[int], costs: Mapping[tuple[int, int], int], lot: str) -> Pairs | None:
    """Return the pairing of all the numbers with the smallest sum of costs; None if they can't all be paired.

    ``costs`` has each pair that may be made, once, the smaller number first.
    """
    dearest = sorted(costs.values())[: 16 * len(numbers)]
    for limit in (*dearest[-1:], None):  # first among the cheap pairs, which are nearly always enough
        pairs = _match_pairs({pair: cost for pair, cost in costs.items() if limit is None or cost <= limit}, lot)
        if 2 * len(pairs) < len(numbers):
            continue
        # No dearer pair can be part of a better pairing, if it alone costs more than all of this one.
        if limit is None or sum(costs[min(pair), max(pair)] for pair in pairs) <= limit:
            return pairs
    return None


def _match_pairs(costs: Mapping[tuple[int, int], int], lot: str) -> Pairs:
    import networkx  # a quarter of a second, of which no process has to pay at its start

    graph = networkx.Graph()
    for (a, b), cost in costs.items():
        graph.add_edge(a, b, weight=-_weigh_pair(cost, a, b, lot))
    return frozenset(map(frozenset, networkx.max_weight_matching(graph, maxcardinality=True)))


def _weigh_pair(cost: int, a: int, b: int, lot: str) -> int:
    """Return a cost to which the lot adds what decides between pairings that cost the same."""
    return cost * LOT_RANGE + int.from_bytes(sha256(f"{lot}/{a}/{b}".encode()).digest()[:4])


def list_pairings(numbers: Collection[int], costs: Mapping[tuple[int, int], int], lot: str) -> list[Pairs]:
    """Return all pairings of a few numbers, the cheapest first, as ``find_cheapest_pairing`` has them: 105 of eight."""
    weights = {pair: _weigh_pair(cost, *pair, lot) for pair, cost in costs.items()}

    def pair_rest(left: tuple[int, ...]) -> Iterator[tuple[int, tuple[tuple[int, int], ...]]]:
        if not left:
            yield 0, ()
            return
        first, *others = left
        for other in others:
            weight = weights.get((first, other))
            if weight is not None:
                rest = tuple(number for number in others if number != other)
                for sum_, pairs in pair_rest(rest):
                    yield weight + sum_, ((first, other), *pairs)

    return [frozenset(map(frozenset, pairs)) for _weight, pairs in sorted(pair_rest(tuple(sorted(numbers))))]


def measure_distances(
    entries: Sequence[int], place: Mapping[int, int], met: frozenset[Pair], clubs: Clubs = NO_CLUBS
) -> dict[tuple[int, int], int]:
    """Return the squares of the distances of all pairs but those of ``met``, the smaller number first; a pair of one of
    the ``clubs`` costs as much more as four places do (EV9)."""
    return {
        (min(a, b), max(a, b)): (place[a] - place[b]) ** 2 + CLUB_PRICE * share_club(clubs, a, b)
        for a, b in combinations(entries, 2)
        if frozenset((a, b)) not in met
    }


def pair_neighbours(
    order: Sequence[int],
    met: Collection[Pair],
    lot: str,
    *,
    clubs: Clubs = NO_CLUBS,
    exact: int = MAX_EXACT,
    section: int = SECTION_ENTRIES,
) -> Pairs | None:
    """Pair an even number of entries so that the squares of the distances in ``order`` sum up to as little as they can.

    None where they can't all be paired without a pair of ``met``. Up to ``exact`` entries the sum is the very least.
    More are paired from the top, a section at a time: of each section's best pairing those of its upper half are kept,
    and the others are paired again together with whoever follows. So a pair depends on nobody far away, and what is
    lost against the least sum is little. Where the last entries can't be paired, others are paired again with them.
    """
    place = {entry: number for number, entry in enumerate(order)}
    met = met if isinstance(met, frozenset) else frozenset(met)
    kept: list[Pair] = []
    left = list(order)
    while len(left) > exact:
        size = section
        best = None
        while best is None and size <= len(left):
            best = _pair_section(left[:size], place, met, lot, clubs)
            size *= 2
        if best is None:
            break
        upper = set(left[: size // 4])  # half of the section that was paired: the last doubling came after it
        done = [pair for pair in best if not pair.isdisjoint(upper)]
        kept += sorted(done, key=lambda pair: min(place[entry] for entry in pair))
        gone = {entry for pair in done for entry in pair}
        left = [entry for entry in left if entry not in gone]
    back = section
    while (rest := _pair_section(left, place, met, lot, clubs)) is None:
        if not kept:
            return None
        left = sorted([*left, *(entry for pair in kept[-back:] for entry in pair)], key=place.__getitem__)
        del kept[-back:]
        back *= 2
    return frozenset((*kept, *rest))


def _pair_section(
    entries: Sequence[int], place: Mapping[int, int], met: frozenset[Pair], lot: str, clubs: Clubs
) -> Pairs | None:
    return find_cheapest_pairing(entries, measure_distances(entries, place, met, clubs), lot)


def find_rounds(
    fields: Sequence[Collection[int]], met: Iterable[Pair], lot: str, tries: int = MAX_TRIES
) -> tuple[Pairs, ...]:
    """Look for a pairing of each field, an even number of entries, no pair of which is in ``met`` or in two of them.

    Return as many of them, from the first on, as one of the ``tries`` found: there may be more all the same. Beyond
    ``MAX_SEARCHED`` entries it doesn't look.
    """
    if max(map(len, fields), default=0) > MAX_SEARCHED:
        return ()
    met = frozenset(met)
    entries = sorted({entry for field in fields for entry in field})
    most: list[Pairs] = []
    for number in range(tries):
        free = {a: {b for b in entries if b != a and frozenset((a, b)) not in met} for a in entries}
        rounds: list[Pairs] = []
        for field in fields:
            pairs = find_pairing({entry: free[entry] for entry in field}, f"{lot}/{number}/{len(rounds)}")
            if pairs is None:
                break
            rounds.append(pairs)
            for a, b in pairs:
                free[a].discard(b)
                free[b].discard(a)
        most = max(most, rounds, key=len)
        if len(most) == len(fields):
            break
    return tuple(most)


def find_pairing(free: Mapping[int, set[int]], lot: str) -> Pairs | None:
    """Return a pairing of everybody with one of those ``free`` for them, those with fewest choices first.

    None where none was found in so many steps.
    """
    chance = {entry: sha256(f"{lot}/{entry}".encode()).digest() for entry in free}
    steps = 0

    def search(left: frozenset[int]) -> list[Pair] | None:
        nonlocal steps
        steps += 1
        if not left:
            return []
        if steps > MAX_STEPS:
            return None
        entry = min(left, key=lambda one: (len(free[one] & left), chance[one]))
        for other in sorted(free[entry] & left, key=chance.__getitem__):
            rest = search(left - {entry, other})
            if rest is not None:
                return [frozenset((entry, other)), *rest]
        return None

    pairs = search(frozenset(free))
    return None if pairs is None else frozenset(pairs)
