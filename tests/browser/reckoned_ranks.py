"""Ranks of a danese at real tables, reckoned from the points alone: V1, V2, R2's *standard*, D1's and D2's byes."""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

TWO_DEALS = 22  # points of two deals of tresette
BOUNDS = (0, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19)  # rulebook 000: two deals, "da MP" of 10-10, 11-9, 12-8 …
BYE, MISSED = (7, 14), (0, 10)  # MP and VP: D1's least MP of the row of 14 VP, and D2

Points = Mapping[tuple[str, str], tuple[int, int]]  # of one round, by whoever sat first and second


def reckon_points(first: int, second: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return (MP, VP) of both (V1, V2)."""
    margin = abs(first - second)
    steps = max(row for row, bound in enumerate(BOUNDS) if bound <= margin)
    sign = (first > second) - (first < second)
    return (sign * margin, 10 + sign * steps), (-sign * margin, 10 - sign * steps)


def reckon_ranks(
    rounds: Sequence[Points], pairs: Sequence[str], left_after: Mapping[str, int], late: str = ""
) -> dict[str, list[int]]:
    """Return rank, VP and MP of each pair by the points of all rounds alone.

    ``left_after``: the last round of whoever has gone; ``late``: who hasn't played the first rounds.
    """
    sums = {pair: [0, 0, 0] for pair in pairs}  # VP, MP, won
    met: dict[frozenset[str], dict[str, int]] = {}
    seen: set[str] = set()
    for number, points in enumerate(rounds, start=1):
        for (one, other), typed in points.items():
            assert frozenset((one, other)) not in met, "no rematch (D1)"
            both = reckon_points(*typed)
            met[frozenset((one, other))] = {one: both[0][1], other: both[1][1]}
            for pair, (mp, vp), won in zip((one, other), both, (typed[0] > typed[1], typed[1] > typed[0]), strict=True):
                sums[pair] = [sums[pair][0] + vp, sums[pair][1] + mp, sums[pair][2] + won]
        playing = {pair for both in points for pair in both}
        seen |= playing
        for pair in pairs:
            if pair not in playing and left_after.get(pair, number) >= number:
                mp, vp = BYE if pair in seen or pair != late else MISSED
                sums[pair] = [sums[pair][0] + vp, sums[pair][1] + mp, sums[pair][2]]

    def reckon_direct(level: Sequence[str]) -> dict[str, int]:
        games = [met.get(frozenset(two)) for two in combinations(level, 2)]
        if None in games:
            return dict.fromkeys(level, 0)
        return {pair: sum(game.get(pair, 0) for game in games if game) for pair in level}

    tiers = divide([list(pairs)], lambda level: {pair: sums[pair][0] for pair in level})
    tiers = divide(tiers, reckon_direct)
    for column in (1, 2):  # MP, then won: and the direct encounter again in each part
        tiers = [
            part
            for tier in tiers
            for parts in [divide([tier], lambda level, at=column: {pair: sums[pair][at] for pair in level})]
            for part in (divide(parts, reckon_direct) if len(parts) > 1 else parts)
        ]
    ranks = {pair: 1 + sum(map(len, tiers[:at])) for at, tier in enumerate(tiers) for pair in tier}
    return {pair: [ranks[pair], *sums[pair][:2]] for pair in pairs}


def divide(tiers: Sequence[list[str]], reckon: Callable[[list[str]], dict[str, int]]) -> list[list[str]]:
    """Return the tiers, each split by what is reckoned of its pairs, the best first."""
    parts: list[list[str]] = []
    for tier in tiers:
        values = reckon(tier)
        best_first = sorted(set(values.values()), reverse=True)
        parts += [[pair for pair in tier if values[pair] == value] for value in best_first]
    return parts
