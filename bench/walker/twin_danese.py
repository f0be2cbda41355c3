"""Naive twin of the danese (D1-D4): who may meet whom, and whether the rounds to come can be paired."""

from collections import defaultdict
from collections.abc import Iterator
from functools import cache

from bench.walker.facts import Facts
from bench.walker.twin_orders import check_ranks
from bench.walker.twin_tables import check_sums, list_counted

MOST_SEARCHED = 8  # entries of a danese whose rounds to come are looked for one and all


def check_danese(facts: Facts) -> Iterator[str]:
    met: set[frozenset[int]] = set()
    byes: defaultdict[int, int] = defaultdict(int)
    more: defaultdict[int, tuple[int, int]] = defaultdict(lambda: (0, 0))
    games = list_counted(facts, (one for one in facts.meetings if one.second is not None))
    until = facts.find_unknown("ready", "playing")
    for number in range(1, facts.rounds + 1):
        pairings = [one for one in facts.list_round(number) if one.first is not None]
        for one in pairings:
            assert one.first is not None
            if one.second is not None:
                pair = frozenset((one.first, one.second))
                if pair in met and number not in facts.ways:
                    yield f"D1: seeds {sorted(pair)} meet again in round {number}"
                met.add(pair)
                continue
            kind = facts.out.get(number, {}).get(one.first)
            worth = facts.bye if kind is None else (0, 0 if kind == "absent" else 10)
            byes[one.first] += kind is None and number not in facts.ways
            if number < until:
                more[one.first] = (more[one.first][0] + worth[0], more[one.first][1] + worth[1])
        twice = [seed for seed, count in byes.items() if count > 1]
        if twice:
            yield f"D1: seeds {twice} have two byes"
        if not pairings and facts.finished and facts.size <= MOST_SEARCHED:
            staying = _list_staying(facts, number)
            had = {seed for seed, count in byes.items() if count}
            if len(staying) > 1 and any(True for _ in _pair_all(staying, frozenset(met), frozenset(had))):
                yield f"D1: it ends before round {number}, which {sorted(staying)} can still play"
            break
    yield from check_sums(facts, sorted(facts.entries), games, more)
    yield from check_ranks(facts, sorted(facts.entries), games)


def _list_staying(facts: Facts, number: int) -> frozenset[int]:
    """Return who plays a round that isn't drawn: who hasn't left and doesn't rest."""
    out = facts.out.get(number, {})
    return frozenset(seed for seed, entry in facts.entries.items() if entry.left_after is None and seed not in out)


def _pair_all(
    left: frozenset[int], met: frozenset[frozenset[int]], had: frozenset[int]
) -> Iterator[tuple[frozenset[int], ...]]:
    """Yield every way to pair these, nobody twice with the same; one of an odd number has a bye, a first one."""
    if not left:
        yield ()
        return
    if len(left) % 2:
        for alone in sorted(left - had):
            for pairs in _pair_all(left - {alone}, met, had):
                yield (frozenset((alone,)), *pairs)
        return
    one = min(left)
    for other in sorted(left - {one}):
        pair = frozenset((one, other))
        if pair not in met:
            for pairs in _pair_all(left - pair, met, had):
                yield (pair, *pairs)


def check_way_on(before: Facts | None, after: Facts) -> Iterator[str]:
    """Say where a round was drawn so that those to come can't be paired, though there was a way (D1)."""
    rounds_before = {one.round for one in before.meetings if one.first is not None} if before is not None else set()
    rounds = {one.round for one in after.meetings if one.first is not None}
    if after.size > MOST_SEARCHED or after.banned:
        return
    for number in sorted(rounds - rounds_before):
        met, had = _list_met(after, number)
        to_come = [_list_staying(after, later) for later in range(number + 1, after.rounds + 1)]
        if any(len(staying) < 2 for staying in to_come):
            continue
        now = frozenset(
            side
            for one in after.list_round(number)
            for side in (one.first, one.second)
            if side is not None and side not in after.out.get(number, {})
        )
        own_met, own_had = _list_met(after, number + 1)
        if not can_go_on(tuple(to_come), own_met, own_had) and can_go_on((now, *to_come), met, had):
            yield f"D1: after round {number} as it was drawn, there is no way on, though there was one"


def _list_met(facts: Facts, before: int) -> tuple[frozenset[frozenset[int]], frozenset[int]]:
    """Return who has met, and who has had a bye, in the rounds before this one."""
    met, had = set(), set()
    for one in facts.meetings:
        if one.round < before and one.first is not None:
            if one.second is not None:
                met.add(frozenset((one.first, one.second)))
            elif one.first not in facts.out.get(one.round, {}):
                had.add(one.first)
    return frozenset(met), frozenset(had)


@cache
def can_go_on(rounds: tuple[frozenset[int], ...], met: frozenset[frozenset[int]], had: frozenset[int]) -> bool:
    """Tell if all these rounds can be paired, each of those who stay in it."""
    if not rounds:
        return True
    for pairs in _pair_all(rounds[0], met, had):
        new = frozenset(pair for pair in pairs if len(pair) == 2)
        alone = frozenset(seed for pair in pairs if len(pair) == 1 for seed in pair)
        if can_go_on(rounds[1:], met | new, had | alone):
            return True
    return False
