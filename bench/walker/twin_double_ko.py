"""Naive twin of double knock-outs (EV4): who comes where from above and from below, and the ranks, by counting."""

from collections.abc import Generator, Iterator

from bench.walker.facts import Facts
from bench.walker.twin_ko import NOBODY, UNKNOWN, check_first_round, play_round


class Below:
    """The lower bracket's side of the story: who is out, and where somebody still can be."""

    def __init__(self) -> None:
        self.out: dict[int, list[int]] = {}
        self.open: set[int] = set()

    def add(self, place: int, winner: int, out: list[int], *, for_good: bool) -> None:
        if winner == UNKNOWN:
            self.open.add(place)
        if for_good or len(out) == 2:
            self.out.setdefault(place, []).extend(out)


def check_double_ko(facts: Facts) -> Iterator[str]:
    yield from check_first_round(facts)
    ups = [side or NOBODY for one in facts.list_round(1) for side in (one.first, one.second)]
    below, number, place, turn = Below(), 1, 1, 1
    lows: list[int] = []
    somebody_meets = False
    while len(ups) > 1:
        on, losers = [], []
        if turn > 1:
            number += 1
        for fault, winner, out in play_round(facts, number, ups):
            yield from fault
            below.add(max(1, 2 * turn - 2), winner, out, for_good=False)
            on.append(winner)
            losers.append(UNKNOWN if winner == UNKNOWN else out[0] if len(out) == 1 else NOBODY)
        ups = on
        if turn == 1:
            lows = losers
            can_lose = [one.second is not None for one in facts.list_round(1)]
            somebody_meets = any(one and other for one, other in zip(can_lose[::2], can_lose[1::2], strict=True))
        else:
            if turn == 2 and not somebody_meets:
                lows = [one or other for one, other in zip(lows[::2], lows[1::2], strict=True)]
            else:
                number += 1
                lows = yield from _play_below(facts, below, number, 2 * turn - 3, lows)
            number += 1
            sides = [side for pair in zip(_put_in_order(losers, turn), lows, strict=True) for side in pair]
            place = 2 * turn - 2
            lows = yield from _play_below(facts, below, number, place, sides)
        turn += 1
    number += 1
    champion = yield from _play_final(facts, below, number, place + 1, (ups[0], lows[0]))
    wanted = number + (not facts.options.get("no_decider"))
    if facts.rounds != wanted:
        yield f"EV4: there are {facts.rounds} rounds, not {wanted}"
    yield from _check_ranks(facts, below, champion)


def _play_below(
    facts: Facts, below: Below, number: int, place: int, sides: list[int]
) -> Generator[str, None, list[int]]:
    on = []
    for fault, winner, out in play_round(facts, number, sides):
        yield from fault
        below.add(place, winner, out, for_good=True)
        on.append(winner)
    return on


def _put_in_order(losers: list[int], turn: int) -> list[int]:
    """Return the losers of an upper round as they come below, by the period of four."""
    count = len(losers)
    half = count // 2
    at = {
        2: lambda i: count - 1 - i,
        3: lambda i: half - 1 - i if i < half else count + half - 1 - i,
        0: lambda i: (i + half) % count,
        1: lambda i: i,
    }[turn % 4]
    return [losers[at(i)] for i in range(count)]


def _play_final(
    facts: Facts, below: Below, number: int, place: int, pair: tuple[int, int]
) -> Generator[str, None, int]:
    ((fault, winner, out),) = play_round(facts, number, list(pair))
    yield from fault
    if facts.options.get("no_decider"):
        below.add(place, winner, out, for_good=True)
        return winner
    again = winner not in (UNKNOWN, NOBODY) and winner == pair[1] and len(out) == 1
    below.add(place, winner, out, for_good=not again)
    sides = [UNKNOWN, UNKNOWN] if winner == UNKNOWN else [winner, out[0]] if again else [NOBODY, NOBODY]
    ((fault, last, out),) = play_round(facts, number + 1, sides)
    yield from fault
    if again or winner == UNKNOWN:
        below.add(place, last, out, for_good=True)
        return last
    return winner


def _check_ranks(facts: Facts, below: Below, champion: int) -> Iterator[str]:
    ranks: dict[int, int] = {champion: 1} if champion > 0 else {}
    left = facts.size
    for place in sorted({*below.out, *below.open}):
        if place in below.open:
            break
        left -= len(below.out[place])
        # Behind whoever went further; and nobody is first who hasn't won.
        ranks.update(dict.fromkeys(below.out[place], left + 1 if left else 2))
    for seed, entry in facts.entries.items():
        if entry.rank != ranks.get(seed):
            yield f"EV4: seed {seed} has rank {entry.rank}, not {ranks.get(seed)}"
