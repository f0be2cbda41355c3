"""Naive twin of the protection of clubs (EV9): whether fewer of one club could meet, by trying everything."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from bench.walker.facts import Facts

MOST_TRIED = 8  # entries of a quarter


def check_clubs(facts: Facts) -> Iterator[str]:
    if not facts.options.get("apart") or not facts.clubs:
        return
    if facts.format == "ko":
        yield from _check_quarters(facts)
    elif facts.format == "gironi":
        yield from _check_groups(facts)


def _check_quarters(facts: Facts) -> Iterator[str]:
    first = facts.list_round(1)
    quarter = max(1, len(first) // 4)
    kept = int(facts.options.get("apart_seeds") or 2 * len(first) // 4)
    for start in range(0, len(first), quarter):
        pairs = [(one.first, one.second) for one in first[start : start + quarter]]
        boards = [(one, other) for one, other in pairs if one is not None and other is not None]
        entries = [seed for board in boards for seed in board]
        if len(entries) <= MOST_TRIED:
            least = min(_count(facts, way) for way in _pair_all(entries) if _keeps(way, boards, kept))
            if _count(facts, boards) > least:
                yield f"EV9: of {boards} {_count(facts, boards)} are of one club, and {least} could be"


def _keeps(way: Sequence[tuple[int, int]], boards: Sequence[tuple[int, int]], kept: int) -> bool:
    """Tell if no two that keep their places would meet who don't meet as it is."""
    present = {frozenset(board) for board in boards}
    return all(max(pair) > kept or frozenset(pair) in present for pair in way)


def _check_groups(facts: Facts) -> Iterator[str]:
    groups: dict[int, list[int]] = {}
    for seed, entry in facts.entries.items():
        groups.setdefault(entry.group or 0, []).append(seed)

    def count(stand: dict[int, int]) -> int:
        return sum(_count(facts, combinations([stand.get(s, s) for s in group], 2)) for group in groups.values())

    now = count({})
    for one, other in combinations(sorted(facts.entries), 2):
        turn = (one - 1) // len(groups)
        if turn and (other - 1) // len(groups) == turn and count({one: other, other: one}) < now:
            yield f"EV9: fewer of one club would be together, if seeds {one} and {other} changed places"
            return


def _count(facts: Facts, pairs: Iterable[tuple[int, int]]) -> int:
    return sum(not facts.clubs[one].isdisjoint(facts.clubs[other]) for one, other in pairs)


def _pair_all(left: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    if not left:
        yield []
        return
    one, *others = left
    for other in others:
        for way in _pair_all([seed for seed in others if seed != other]):
            yield [(one, other), *way]
