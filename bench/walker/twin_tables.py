"""Naive twin of round robins and groups (R1-R5, Q1-Q4): the schedule, the sums and the ranks."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from bench.walker.facts import Facts, Meeting
from bench.walker.twin_ko import NOBODY, play_bracket
from bench.walker.twin_orders import check_ranks

BERGER = {  # R1: the literal tables
    4: (((1, 4), (2, 3)), ((4, 3), (1, 2)), ((2, 4), (3, 1))),
    6: (
        ((1, 6), (2, 5), (3, 4)),
        ((6, 4), (5, 3), (1, 2)),
        ((2, 6), (3, 1), (4, 5)),
        ((6, 5), (1, 4), (2, 3)),
        ((3, 6), (4, 2), (5, 1)),
    ),
}


def check_girone(facts: Facts) -> Iterator[str]:
    seeds = sorted(facts.entries)
    yield from _check_schedule(facts, seeds, facts.meetings)
    yield from _check_robin(facts, seeds, facts.meetings)


def _check_schedule(facts: Facts, seeds: Sequence[int], meetings: Iterable[Meeting]) -> Iterator[str]:
    """Say where not everybody meets everybody, once or twice (R1)."""
    times = 2 if facts.options.get("double") else 1
    met: defaultdict[frozenset[int], int] = defaultdict(int)
    at: defaultdict[int, list[int]] = defaultdict(list)
    for one in meetings:
        at[one.round] += [side for side in (one.first, one.second) if side is not None]
        if one.first is not None and one.second is not None:
            met[frozenset((one.first, one.second))] += 1
    for a, b in combinations(seeds, 2):
        if met[frozenset((a, b))] != times:
            yield f"R1: seeds {a} and {b} meet {met[frozenset((a, b))]} times"
    for number, sides in at.items():
        if sorted(sides) != list(seeds):
            yield f"R1: in round {number} there are {sorted(sides)}"
    table = BERGER.get(len(seeds))
    if table and times == 1:
        for number, wanted in enumerate(table, start=1):
            pairs = {(one.first, one.second) for one in meetings if one.round == number}
            if pairs != {(seeds[a - 1], seeds[b - 1]) for a, b in wanted}:
                yield f"R1: round {number} is {sorted(map(str, pairs))}"


def _check_robin(facts: Facts, seeds: Sequence[int], meetings: Sequence[Meeting]) -> Iterator[str]:
    """Say where a girone's standings aren't those of its results (R2, R4, R5)."""
    times = 2 if facts.options.get("double") else 1
    early = {
        seed
        for seed in seeds
        if (left := facts.entries[seed].left_after) is not None and 2 * left < times * (len(seeds) - 1)
    }
    for one in meetings:
        if early & {one.first, one.second} and one.second is not None and one.state != "annulled":
            yield f"R5: round {one.round} board {one.board} is {one.state}"
    games = [
        one for one in list_counted(facts, meetings) if not early & {one.first, one.second} and one.second is not None
    ]
    yield from check_sums(facts, [seed for seed in seeds if seed not in early], games, {})
    if facts.format == "girone":
        yield from check_ranks(facts, [seed for seed in seeds if seed not in early], games)
        for seed in early:
            if facts.entries[seed].rank != len(seeds) - len(early) + 1:
                yield f"R5: seed {seed} left before half, and has rank {facts.entries[seed].rank}"


def list_counted(facts: Facts, meetings: Iterable[Meeting]) -> list[Meeting]:
    """Return the fixtures that count: with equal deals those of rounds that everybody knows (J10)."""
    ordered = sorted(meetings, key=lambda one: (one.round, one.board))
    until = facts.find_unknown("waiting", "ready", "playing")
    return [one for one in ordered if one.over and not one.annulled and one.round < until]


def check_sums(
    facts: Facts, seeds: Iterable[int], games: Sequence[Meeting], more: Mapping[int, tuple[int, int]]
) -> Iterator[str]:
    """Compare the sums of each entry. ``more``: MP and VP that it has without playing."""
    for seed in seeds:
        own = [(one, 0 if one.first == seed else 1) for one in games if seed in (one.first, one.second)]
        mp, vp = more.get(seed, (0, 0))
        played = len(own)
        mp += sum(one.mp[side] for one, side in own)
        vp += sum(one.vp[side] for one, side in own)
        stored = facts.entries[seed]
        if facts.format == "gironi":
            if (stored.mp, stored.vp) != (mp, vp):
                yield f"R2: seed {seed} has {stored.mp} MP, {stored.vp} VP, not {mp}, {vp}"
        elif (stored.played, stored.mp, stored.vp) != (played, mp, vp):
            yield f"R2: seed {seed} has {stored.played}, {stored.mp} MP, {stored.vp} VP, not {played}, {mp}, {vp}"


def check_gironi(facts: Facts) -> Iterator[str]:
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for seed, entry in sorted(facts.entries.items()):
        groups[entry.group or 0].append(seed)
    count = int(facts.options["groups"])
    snake: defaultdict[int, list[int]] = defaultdict(list)
    for seed in sorted(facts.entries):
        turn, step = divmod(seed - 1, count)
        snake[count - step if turn % 2 else step + 1].append(seed)
    if groups != snake:
        yield f"Q1: the groups are {dict(groups)}"
    in_groups = max((one.round for one in facts.meetings if one.group is not None), default=0)
    for number, seeds in groups.items():
        own = [one for one in facts.meetings if one.group == number]
        yield from _check_schedule(facts, seeds, own)
        yield from _check_robin(facts, seeds, own)
    bracket = facts.list_round(in_groups + 1)
    for one in bracket:
        pair = [facts.entries[side].group for side in (one.first, one.second) if side is not None]
        if len(pair) == 2 and len(set(pair)) == 1 and len(bracket) > 1:
            yield f"Q2: two of group {pair[0]} meet at once"
    qualified = {one.first for one in bracket} | {one.second for one in bracket}
    over = all(one.state not in ("waiting", "ready", "playing") for one in facts.meetings if one.group is not None)
    if over:
        sides = [side or NOBODY for one in bracket for side in (one.first, one.second)]
        third = bool(facts.options.get("third_place")) and len(sides) >= 4
        yield from play_bracket(facts, sides, in_groups + 1, third, len(qualified - {None}))
