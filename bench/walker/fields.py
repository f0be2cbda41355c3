"""Danesi of few entries walked through without a database: somebody leaves, somebody rests, and the twin says whether a
round was drawn so that those to come can't be paired, though there was a way (D1).

What a walk through services meets once in a thousand comes up here in a second.
"""

from random import Random

from bench.walker.twin_danese import can_go_on
from tournaments.formats.danese import FORMAT, limit_rounds
from tournaments.formats.protocol import Draw, Result, Slot

Pair = tuple[int, int | None]


def walk_field(seed: str) -> str:
    """Draw and play a danese of the seed's. Return what is wrong with it, empty where nothing is."""
    dice = Random(seed)
    size = dice.randint(4, 7)
    rounds = dice.randint(2, limit_rounds(size))
    out = {number: {dice.randint(1, size): (0, 10)} for number in range(2, rounds) if dice.random() < 0.15}
    draw = Draw(size, {"rounds": rounds}, lot=seed, bye=(4, 14), byes=out)
    results: dict[Slot, Result] = {}
    drawn: dict[Slot, Pair] = {}
    leavers: dict[int, int] = {}
    met: frozenset[frozenset[int]] = frozenset()
    had: frozenset[int] = frozenset()
    for number in range(1, rounds + 1):
        plan = FORMAT.plan(draw, results, leavers, drawn)
        pairs = {p.slot: (p.first, p.second) for p in plan.pairings if p.slot.round == number and p.first is not None}
        fields = [
            frozenset(one for one in range(1, size + 1) if one not in leavers and one not in out.get(later, {}))
            for later in range(number, rounds + 1)
        ]
        before = can_go_on(tuple(fields), met, had)
        resting = out.get(number, {})
        met |= {frozenset((a, b)) for a, b in pairs.values() if b is not None}
        had |= {a for a, b in pairs.values() if b is None and a not in resting}
        if before and (not pairs or not can_go_on(tuple(fields[1:]), met, had)):
            return f"D1: {size} entries, {rounds} rounds, {leavers} left, {sorted(out)} rest: no way on after {number}"
        if not pairs:
            break
        drawn |= pairs  # type: ignore[arg-type]
        for slot in (slot for slot, (_a, b) in pairs.items() if b is not None):
            margin = dice.randint(-8, 8)
            winner = None if not margin else int(margin < 0)
            results[slot] = Result(winner, mp=(margin, -margin), vp=(10 + margin, 10 - margin))
        staying = [one for one in range(1, size + 1) if one not in leavers]
        if dice.random() < 0.3 and len(staying) > 3:
            leavers[dice.choice(staying)] = number
    return ""
