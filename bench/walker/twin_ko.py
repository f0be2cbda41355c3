"""Naive twin of knock-outs (K1-K5): who meets whom, and the ranks, from the bracket alone."""

from collections.abc import Iterator, Sequence

from bench.walker.facts import Facts

K1 = {2: (1, 2), 4: (1, 4, 2, 3), 8: (1, 8, 4, 5, 2, 7, 3, 6), 16: (1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11)}  # fmt: skip  # noqa: E501
for half in (16, 32):
    K1[2 * half] = tuple(place for one in K1[half] for place in (one, 2 * half + 1 - one))

NOBODY, UNKNOWN = 0, -1


def check_ko(facts: Facts) -> Iterator[str]:
    if facts.options.get("lucky_losers"):
        yield from _check_round_of_all(facts)
    else:
        yield from check_first_round(facts)
    sides = [side or NOBODY for one in facts.list_round(1) for side in (one.first, one.second)]
    yield from play_bracket(facts, sides, 1, bool(facts.options.get("third_place")), facts.size)


def _check_round_of_all(facts: Facts) -> Iterator[str]:
    """Say where not everybody plays the first round, but one of an odd number (EV4)."""
    first = facts.list_round(1)
    alone = [one.first for one in first if one.first is not None and one.second is None]
    sides = [side for one in first for side in (one.first, one.second) if side is not None]
    size = next(size for size in K1 if size >= facts.size)
    if len(alone) != facts.size % 2 or sorted(sides) != sorted(facts.entries) or len(first) != size // 2:
        yield f"EV4: the first round is {[(one.first, one.second) for one in first]}"
    if not facts.options.get("byes_by_lot") and alone not in ([], [1]):
        yield f"K2: {alone} have the bye"


def _let_back_in(facts: Facts, on: list[int], ranks: dict[int, int]) -> Iterator[str]:
    """Put whoever was let back in at the places of nobody; say where it isn't who lost by least (EV4)."""
    first, second = facts.list_round(1), facts.list_round(2)
    free = [board for board, one in enumerate(first) if one.first is None]
    margins = {
        (one.second if one.winner == 0 else one.first) or 0: one.margin
        for one in first
        if one.over and one.winner is not None and one.margin is not None
    }
    if UNKNOWN in on:
        for board in free:
            on[board] = UNKNOWN
        for seed in margins if free else ():
            ranks.pop(seed, None)
        return
    for board in free:
        pair = second[board // 2]
        come = [side for side in (pair.first, pair.second) if side is not None and side != on[board ^ 1]]
        on[board] = come[0] if come else NOBODY
    back = [on[board] for board in free if on[board] != NOBODY]
    stay = [margin for seed, margin in margins.items() if seed not in back]
    wanted = min(len(free), len(margins))
    if len(set(back)) != wanted or not set(back) <= set(margins):
        yield f"EV4: {back} are let back in, not {wanted} of {sorted(margins)}"
    elif back and stay and max(margins[seed] or 0 for seed in back) > min(one or 0 for one in stay):
        yield f"EV4: {back} are let back in, and others lost by less"
    for seed in back:
        ranks.pop(seed, None)


def check_first_round(facts: Facts) -> Iterator[str]:
    size = next(size for size in K1 if size >= facts.size)
    first = facts.list_round(1)
    alone = {one.first for one in first if one.second is None and one.first is not None}
    if len(alone) != size - facts.size:
        yield f"K2: {len(alone)} byes of {size - facts.size}"
    if not facts.options.get("byes_by_lot"):
        seeds = [seed if seed <= facts.size else NOBODY for seed in K1[size]]
        if [(one.first or NOBODY, one.second or NOBODY) for one in first] != _pair_up(seeds):
            yield f"K1: the first round is {[(one.first, one.second) for one in first]}"


def _pair_up(sides: Sequence[int]) -> list[tuple[int, int]]:
    """Return two by two, nobody behind somebody."""
    pairs = list(zip(sides[::2], sides[1::2], strict=True))
    return [(second, first) if first == NOBODY else (first, second) for first, second in pairs]


def play_bracket(facts: Facts, sides: list[int], number: int, third: bool, among: int) -> Iterator[str]:
    """Play the bracket out from round ``number`` by the results that are in; compare pairs, states and ranks."""
    ranks: dict[int, int] = {}
    losers: list[int] = []
    while len(sides) > 1:
        if len(sides) == 2 and third and len(losers) == 2:
            beaten = tuple(losers)
            for fault, winner, out in play_round(facts, number, list(beaten)):
                yield from fault
                if winner > 0:
                    # K5: alone there, it is third alone.
                    behind = out or [seed for seed, rank in ranks.items() if rank == 3 and seed != winner]
                    ranks.update(dict.fromkeys(behind, 4))
            number += 1
        rank, on, losers = len(sides) // 2 + 1, [], []
        for fault, winner, out in play_round(facts, number, sides):
            yield from fault
            ranks.update(dict.fromkeys(out, rank))
            on.append(winner)
            losers.append(UNKNOWN if winner == UNKNOWN else out[0] if len(out) == 1 else NOBODY)
        if number == 1 and facts.format == "ko" and facts.options.get("lucky_losers"):
            yield from _let_back_in(facts, on, ranks)
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


def play_round(facts: Facts, number: int, sides: list[int]) -> Iterator[tuple[list[str], int, list[int]]]:
    """Yield of each fixture of a round what is wrong, who goes on and who is out."""
    fixtures = facts.list_round(number)
    for board in range(len(sides) // 2):
        pair = (sides[2 * board], sides[2 * board + 1])
        where = f"round {number} board {board + 1}"
        if board >= len(fixtures):
            yield [f"{where} is missing"], UNKNOWN, []
            continue
        one = fixtures[board]
        comers = [side for side in pair if side > 0]
        if UNKNOWN in pair or len(comers) == 2:
            wanted = tuple(side if side > 0 else None for side in pair)
            meeting = (one.first, one.second)
            faults = [f"{where}: {meeting} meet, not {wanted}"] if meeting != wanted else []
            if one.state in ("bye", "void"):
                faults.append(f"{where} is a {one.state}")
            if UNKNOWN in pair or not one.over:
                yield faults + ([f"{where} has a result already"] if one.over else []), UNKNOWN, []
            elif one.double:
                yield faults, NOBODY, comers
            elif one.winner is None:
                yield [*faults, f"K3: {where} is over without a winner"], NOBODY, comers
            else:
                yield faults, pair[one.winner], [pair[1 - one.winner]]
        else:  # K2, K5: somebody has a bye, or nobody comes
            state = "bye" if comers else "void"
            wrong = one.state != state or [side for side in (one.first, one.second) if side] != comers
            yield (
                ([f"K5: {where} is a {one.state} of {one.first}, not a {state} of {comers}"] if wrong else []),
                (comers[0] if comers else NOBODY),
                [],
            )
