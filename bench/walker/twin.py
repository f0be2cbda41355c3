"""Naive twin of formats and standings, written from the rules of tournaments alone: plain values in, sentences out.

It looks at what a tournament has come to, and says what no rule allows. It is slow and short on purpose: who meets whom
by trying everything, standings by adding up.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations

MOST_SEARCHED = 8  # entries of a danese whose rounds to come are looked for one and all
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
K1 = {2: (1, 2), 4: (1, 4, 2, 3), 8: (1, 8, 4, 5, 2, 7, 3, 6), 16: (1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11)}  # fmt: skip  # noqa: E501


@dataclass(frozen=True, slots=True)
class Meeting:
    """A fixture as it is stored, its entries by seed. ``second`` None: alone."""

    round: int
    board: int
    first: int | None
    second: int | None
    state: str
    group: int | None = None
    over: bool = False
    annulled: bool = False  # by a referee
    winner: int | None = None
    double: bool = False
    vp: tuple[int, int] = (0, 0)
    mp: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Standing:
    """An entry as it is stored; ``place``: as readers see its rank, None where they see none."""

    rank: int | None
    place: int | None
    played: int
    won: int
    mp: int
    vp: int
    left_after: int | None = None  # what it had when it left (R5)
    group: int | None = None
    house: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """A drawn tournament, without anything that names it."""

    format: str
    options: Mapping[str, bool | int]
    ties: str
    equal: bool
    finished: bool
    rounds: int
    bye: tuple[int, int]  # MP and VP (D1)
    entries: Mapping[int, Standing]
    meetings: tuple[Meeting, ...]
    out: Mapping[int, Mapping[int, str]] = field(default_factory=dict)  # by round, who doesn't play it: the kind
    banned: bool = False  # some pairs are forbidden (D4), which are asked before the rounds to come
    ways: frozenset[int] = frozenset()  # rounds that the organiser had paired otherwise, where there was no way (D1)

    @property
    def size(self) -> int:
        return len(self.entries)

    def list_round(self, number: int) -> list[Meeting]:
        """Return a round's fixtures, board by board."""
        return sorted((one for one in self.meetings if one.round == number), key=lambda one: one.board)


def find_faults(facts: Facts) -> list[str]:
    """Return what no rule allows."""
    faults = list(_check_everywhere(facts))
    faults += {"ko": _check_ko, "girone": _check_girone, "gironi": _check_gironi, "danese": _check_danese}[
        facts.format
    ](facts)
    return faults


def find_new_faults(before: Facts | None, after: Facts) -> list[str]:
    """Return what an act made of a tournament, and no rule allows."""
    if after.format == "danese":
        return list(_check_way_on(before, after))
    return []


def _check_everywhere(facts: Facts) -> Iterator[str]:
    for number in range(1, facts.rounds + 1):
        sides = [side for one in facts.list_round(number) for side in (one.first, one.second) if side is not None]
        if facts.list_round(number) and facts.list_round(number)[0].group is None and len(set(sides)) < len(sides):
            yield f"somebody sits at two boards of round {number}"
    alone = sum(not entry.house for entry in facts.entries.values()) < 2
    for seed, entry in facts.entries.items():
        if entry.place is None or entry.rank is None or alone:
            continue
        above = [one for one in facts.entries.values() if one.rank is not None and one.rank < entry.rank]
        if facts.finished and entry.place != entry.rank - sum(one.house for one in above):
            yield f"E8, K5: seed {seed} has rank {entry.rank} and is shown as {entry.place}"
    if facts.finished and any(one.state in ("waiting", "ready", "playing") for one in facts.meetings):
        yield "it is over, and something is left to play"
    if not facts.finished and all(one.state not in ("waiting", "ready", "playing") for one in facts.meetings):
        yield "nothing is left to play, and it isn't over"


# --- KO ---------------------------------------------------------------------------------------------------------------

NOBODY, UNKNOWN = 0, -1


def _check_ko(facts: Facts) -> Iterator[str]:
    size = next(size for size in K1 if size >= facts.size)
    first = facts.list_round(1)
    alone = {one.first for one in first if one.second is None and one.first is not None}
    if len(alone) != size - facts.size:
        yield f"K2: {len(alone)} byes of {size - facts.size}"
    if not facts.options.get("byes_by_lot"):
        seeds = [seed if seed <= facts.size else NOBODY for seed in K1[size]]
        if [(one.first or NOBODY, one.second or NOBODY) for one in first] != _pair_up(seeds):
            yield f"K1: the first round is {[(one.first, one.second) for one in first]}"
    sides = [side or NOBODY for one in first for side in (one.first, one.second)]
    yield from _play_bracket(facts, sides, 1, bool(facts.options.get("third_place")), facts.size)


def _pair_up(sides: Sequence[int]) -> list[tuple[int, int]]:
    """Return two by two, nobody behind somebody."""
    pairs = list(zip(sides[::2], sides[1::2], strict=True))
    return [(second, first) if first == NOBODY else (first, second) for first, second in pairs]


def _play_bracket(facts: Facts, sides: list[int], number: int, third: bool, among: int) -> Iterator[str]:
    """Play the bracket out from round ``number`` by the results that are in; compare pairs, states and ranks."""
    ranks: dict[int, int] = {}
    losers: list[int] = []
    while len(sides) > 1:
        if len(sides) == 2 and third and len(losers) == 2:
            beaten = tuple(losers)
            for fault, winner, out in _play_round(facts, number, list(beaten)):
                yield from fault
                if winner > 0:
                    # K5: alone there, it is third alone.
                    behind = out or [seed for seed, rank in ranks.items() if rank == 3 and seed != winner]
                    ranks.update(dict.fromkeys(behind, 4))
            number += 1
        rank, on, losers = len(sides) // 2 + 1, [], []
        for fault, winner, out in _play_round(facts, number, sides):
            yield from fault
            ranks.update(dict.fromkeys(out, rank))
            on.append(winner)
            losers.append(UNKNOWN if winner == UNKNOWN else out[0] if len(out) == 1 else NOBODY)
        sides = on
        number += 1
    if sides[0] > 0:
        ranks[sides[0]] = 1
    if number - 1 != facts.rounds:
        yield f"the bracket has {facts.rounds} rounds, not {number - 1}"
    for seed, entry in facts.entries.items():
        if seed in ranks and entry.rank != ranks[seed]:
            yield f"K4, K5: seed {seed} has rank {entry.rank}, not {ranks[seed]}"
        if facts.format == "ko" and seed not in ranks and entry.rank is not None:
            yield f"K4: seed {seed} has rank {entry.rank}, and isn't out"


def _play_round(facts: Facts, number: int, sides: list[int]) -> Iterator[tuple[list[str], int, list[int]]]:
    """Yield of each fixture of a round what is wrong, who goes on and who is out."""
    fixtures = facts.list_round(number)
    for board in range(len(sides) // 2):
        pair = (sides[2 * board], sides[2 * board + 1])
        where = f"round {number} board {board + 1}"
        if board >= len(fixtures):
            yield [f"{where} is missing"], UNKNOWN, []
            continue
        one = fixtures[board]
        known = [side for side in pair if side > 0]
        if UNKNOWN in pair or len(known) == 2:
            wanted = tuple(side if side > 0 else None for side in pair)
            faults = [f"{where}: {(one.first, one.second)} meet, not {wanted}"] if (one.first, one.second) != wanted else []  # fmt: skip  # noqa: E501
            if one.state in ("bye", "void"):
                faults.append(f"{where} is a {one.state}")
            if UNKNOWN in pair or not one.over:
                yield faults + ([f"{where} has a result already"] if one.over else []), UNKNOWN, []
            elif one.double:
                yield faults, NOBODY, known
            elif one.winner is None:
                yield [*faults, f"K3: {where} is over without a winner"], NOBODY, known
            else:
                yield faults, pair[one.winner], [pair[1 - one.winner]]
        else:  # K2, K5: somebody has a bye, or nobody comes
            state = "bye" if known else "void"
            wrong = one.state != state or [side for side in (one.first, one.second) if side] != known
            yield (
                ([f"K5: {where} is a {one.state} of {one.first}, not a {state} of {known}"] if wrong else []),
                (known[0] if known else NOBODY),
                [],
            )


# --- Girone -----------------------------------------------------------------------------------------------------------


def _check_girone(facts: Facts) -> Iterator[str]:
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
        for number, pairs in enumerate(table, start=1):
            drawn = {(one.first, one.second) for one in meetings if one.round == number}
            if drawn != {(seeds[a - 1], seeds[b - 1]) for a, b in pairs}:
                yield f"R1: round {number} is {sorted(map(str, drawn))}"


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
        one for one in _list_counted(facts, meetings) if not early & {one.first, one.second} and one.second is not None
    ]
    yield from _check_sums(facts, [seed for seed in seeds if seed not in early], games, {})
    if facts.format == "girone":
        yield from _check_ranks(facts, [seed for seed in seeds if seed not in early], games)
        for seed in early:
            if facts.entries[seed].rank != len(seeds) - len(early) + 1:
                yield f"R5: seed {seed} left before half, and has rank {facts.entries[seed].rank}"


def _list_counted(facts: Facts, meetings: Iterable[Meeting]) -> list[Meeting]:
    """Return the fixtures that count: with equal deals those of rounds that everybody knows (J10)."""
    ordered = sorted(meetings, key=lambda one: (one.round, one.board))
    open_ = [one.round for one in facts.meetings if one.state in ("waiting", "ready", "playing")]
    until = min(open_, default=facts.rounds + 1) if facts.equal else facts.rounds + 1
    return [one for one in ordered if one.over and not one.annulled and one.round < until]


def _check_sums(
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


def _check_ranks(facts: Facts, seeds: Sequence[int], games: Sequence[Meeting]) -> Iterator[str]:
    """Compare the ranks (R2). Of three and more that are level the direct encounter may be asked once, or anew of each
    smaller group (EV10): both readings stand."""
    wanted = [_rank(facts, seeds, games, again=again) for again in (False, True)]
    stored = {seed: facts.entries[seed].rank for seed in seeds}
    if facts.ties == "club" and any(len(set(ranks.values())) < len(ranks) for ranks in wanted):
        wanted = [_loosen(ranks, stored) for ranks in wanted]
    if stored not in wanted:
        yield f"R2: ranks are {stored}, not {wanted[0]}"


def _loosen(ranks: Mapping[int, int], stored: Mapping[int, int | None]) -> dict[int, int | None]:
    """Return the ranks with what is level in any order: the lot has the last word in *club*."""
    loose: dict[int, int | None] = dict(ranks)
    for rank in set(ranks.values()):
        level = [seed for seed, own in ranks.items() if own == rank]
        if sorted(stored[seed] or 0 for seed in level) == list(range(rank, rank + len(level))):
            loose.update({seed: stored[seed] for seed in level})
    return loose


def _rank(facts: Facts, seeds: Sequence[int], games: Sequence[Meeting], *, again: bool) -> dict[int, int]:
    criteria = {"standard": ["direct", "mp", "won"], "rete": ["mp"], "club": ["direct", "mp"]}[facts.ties]
    ranks: dict[int, int] = {}

    def split(group: Sequence[int], left: Sequence[str]) -> Iterator[list[int]]:
        if len(group) == 1 or not left:
            yield list(group)
            return
        values = _ask(facts, left[0], group, games)
        if values is None or len(set(values.values())) == 1:
            yield from split(group, left[1:])
            return
        for value in sorted(set(values.values()), reverse=True):
            part = [seed for seed in group if values[seed] == value]
            anew = again and "direct" in criteria
            yield from split(part, ["direct", *[one for one in left[1:] if one != "direct"]] if anew else left[1:])

    place = 1
    for vp in sorted({facts.entries[seed].vp for seed in seeds}, reverse=True):
        for group in split([seed for seed in seeds if facts.entries[seed].vp == vp], criteria):
            ranks.update(dict.fromkeys(group, place))
            place += len(group)
    return ranks


def _ask(facts: Facts, criterion: str, group: Sequence[int], games: Sequence[Meeting]) -> dict[int, int] | None:
    if criterion == "mp":
        return {seed: facts.entries[seed].mp for seed in group}
    if criterion == "won":
        return {seed: facts.entries[seed].won for seed in group}
    among = [one for one in games if one.first in group and one.second in group]
    if len({frozenset((one.first, one.second)) for one in among}) < len(group) * (len(group) - 1) // 2:
        return None
    values = dict.fromkeys(group, 0)
    for one in among:
        for side, seed in enumerate((one.first, one.second)):
            values[seed or 0] += one.vp[side]
    return values


# --- Groups -----------------------------------------------------------------------------------------------------------


def _check_gironi(facts: Facts) -> Iterator[str]:
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
        yield from _play_bracket(facts, sides, in_groups + 1, third, len(qualified - {None}))


# --- Danese -----------------------------------------------------------------------------------------------------------


def _check_danese(facts: Facts) -> Iterator[str]:
    met: set[frozenset[int]] = set()
    byes: defaultdict[int, int] = defaultdict(int)
    more: defaultdict[int, tuple[int, int]] = defaultdict(lambda: (0, 0))
    games = _list_counted(facts, (one for one in facts.meetings if one.second is not None))
    known = facts.rounds + 1
    if facts.equal:
        open_ = [one.round for one in facts.meetings if one.state in ("ready", "playing")]
        known = min(open_, default=known)
    for number in range(1, facts.rounds + 1):
        drawn = [one for one in facts.list_round(number) if one.first is not None]
        for one in drawn:
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
            if number < known:
                more[one.first] = (more[one.first][0] + worth[0], more[one.first][1] + worth[1])
        twice = [seed for seed, count in byes.items() if count > 1]
        if twice:
            yield f"D1: seeds {twice} have two byes"
        if not drawn and facts.finished and facts.size <= MOST_SEARCHED:
            staying = _list_staying(facts, number)
            had = {seed for seed, count in byes.items() if count}
            if len(staying) > 1 and any(True for _ in _pair_all(staying, frozenset(met), frozenset(had))):
                yield f"D1: it ends before round {number}, which {sorted(staying)} can still play"
            break
    yield from _check_sums(facts, sorted(facts.entries), games, more)
    yield from _check_ranks(facts, sorted(facts.entries), games)


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


def _check_way_on(before: Facts | None, after: Facts) -> Iterator[str]:
    """Say where a round was drawn so that those to come can't be paired, though there was a way (D1)."""
    drawn_before = {one.round for one in before.meetings if one.first is not None} if before is not None else set()
    drawn = {one.round for one in after.meetings if one.first is not None}
    if after.size > MOST_SEARCHED or after.banned:
        return
    for number in sorted(drawn - drawn_before):
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
