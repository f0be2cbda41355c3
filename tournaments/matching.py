"""The pairing of everybody with everybody that costs least, by the library's maximum weight matching.

Plain numbers in, pairs out. Among pairings that cost the same the lot decides, so that the answer is one and the same
whatever the library's own order is.
"""

from collections.abc import Collection, Mapping
from hashlib import sha256

SPREAD = 2**40  # more than the lot's numbers of one pairing together, each of 32 bits


def cheapest(
    numbers: Collection[int], costs: Mapping[tuple[int, int], int], lot: str
) -> frozenset[frozenset[int]] | None:
    """The pairing of all the numbers with the smallest sum of costs; None if they can't all be paired.

    ``costs`` has each pair that may be made, once, the smaller number first.
    """
    dearest = sorted(costs.values())[: 16 * len(numbers)]
    for limit in (*dearest[-1:], None):  # first among the cheap pairs, which are nearly always enough
        found = _matching({pair: cost for pair, cost in costs.items() if limit is None or cost <= limit}, lot)
        if 2 * len(found) < len(numbers):
            continue
        # No dearer pair can be part of a better pairing, if it alone costs more than all of this one.
        if limit is None or sum(costs[min(pair), max(pair)] for pair in found) <= limit:
            return found
    return None


def _matching(costs: Mapping[tuple[int, int], int], lot: str) -> frozenset[frozenset[int]]:
    import networkx  # a quarter of a second, of which no process has to pay at its start

    graph = networkx.Graph()
    for (a, b), cost in costs.items():
        chance = int.from_bytes(sha256(f"{lot}/{a}/{b}".encode()).digest()[:4])
        graph.add_edge(a, b, weight=-(cost * SPREAD + chance))
    return frozenset(map(frozenset, networkx.max_weight_matching(graph, maxcardinality=True)))
