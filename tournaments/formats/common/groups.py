"""Groups before a KO: the seeds of each (Q1), and the bracket's places of those that go on (Q2).

Nothing is played here.
"""

from collections.abc import Mapping
from functools import lru_cache

from tournaments.formats.common.brackets import compute_bracket_size, order_bracket
from tournaments.formats.common.matching import find_cheapest_pairing


def fill_groups(size: int, groups: int) -> tuple[tuple[int, ...], ...]:
    """Return the seeds of each group, filled in snake order (Q1): 16 in 4 give 1 8 9 16, 2 7 10 15 and so on."""
    filled: list[list[int]] = [[] for _ in range(groups)]
    for seed in range(1, size + 1):
        turn, step = divmod(seed - 1, groups)
        filled[groups - 1 - step if turn % 2 else step].append(seed)
    return tuple(tuple(group) for group in filled)


@lru_cache(maxsize=256)
def cross_groups(qualify: tuple[int, ...]) -> Mapping[int, tuple[int, int]]:
    """Return, by place of the bracket, the group and the place in it, both from 1 (K1, Q2).

    ``qualify``: how many go on from each group. The winners are the bracket's first seeds in the order of their groups,
    then the runners-up, and so on: K1 lets the first meet the last. Within each of these ranks the groups are put so
    that entries of one group are as far apart in the bracket as they can be: with two a group, in different halves.
    """
    size = compute_bracket_size(sum(qualify))
    at = {place: position for position, place in enumerate(order_bracket(size))}
    taken: dict[int, list[int]] = {group: [] for group in range(1, len(qualify) + 1)}
    origins: dict[int, tuple[int, int]] = {}
    for rank in range(1, max(qualify) + 1):
        here = [group for group, count in enumerate(qualify, start=1) if count >= rank]
        places = range(len(origins) + 1, len(origins) + len(here) + 1)
        costs = {
            (-group, place): sum(_near(at[place], other, size) for other in taken[group])
            for place in places
            for group in here
        }
        pairs = find_cheapest_pairing([*places, *(-group for group in here)], costs, "crossing")
        put = dict(zip(places, here, strict=True))
        if rank > 1 and pairs is not None:  # a winner has nobody to keep away from
            put = {max(pair): -min(pair) for pair in pairs}
        for place, group in put.items():
            taken[group].append(at[place])
            origins[place] = (group, rank)
    return origins


def _near(one: int, other: int, size: int) -> int:
    """Return the cost of two entries of one group at these positions: the sooner they could meet, the higher."""
    meeting = (one ^ other).bit_length()  # 1 is the first round
    return int(64 ** (size.bit_length() - 1 - meeting))
