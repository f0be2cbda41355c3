"""Rematches of a double knockout (EV4): how often two meet again before the final, by tournaments played by dice.

``python -m bench.double_ko [tries]`` prints the table: lines, rematches a tournament, and the first upper round whose
losers had come in when two met again.
"""

import sys
from dataclasses import dataclass
from random import Random

from tournaments.formats.doppio import FINAL, FORMAT, read_layout
from tournaments.formats.protocol import Draw, Kind, Result, Slot

SIZES = (8, 9, 12, 13, 16, 17, 24, 31, 32, 33, 48, 63, 64, 65, 100, 128, 129, 200, 256)
TRIES = 300


@dataclass(frozen=True, slots=True)
class Rematches:
    """Rematches of so many tournaments before the final; ``first_drop``: the upper round whose losers had come in
    when two met again for the first time, None if nobody did."""

    size: int
    mean: float
    first_drop: int | None


def count_rematches(size: int, tries: int) -> Rematches:
    """Play so many tournaments by dice."""
    total, first = 0, None
    for number in range(tries):
        met: set[frozenset[int | None]] = set()
        for come, pair in _play(size, Random(f"{size} {number}")):
            if pair in met:
                total += 1
                first = come if first is None else min(first, come)
            met.add(pair)
    return Rematches(size, total / tries, first)


def _play(size: int, dice: Random) -> list[tuple[int, frozenset[int | None]]]:
    """Play a tournament. Return who met before the final, in order, each with the last upper round whose losers had
    come in below."""
    results: dict[Slot, Result] = {}
    draw = Draw(size, {"no_decider": True})
    while True:
        plan = FORMAT.plan(draw, results)
        ready = [pairing for pairing in plan.pairings if pairing.ready and pairing.slot not in results]
        if not ready:
            break
        results |= {pairing.slot: Result(dice.randrange(2)) for pairing in ready}
    layout = read_layout(plan.names)
    return [
        (layout[p.slot.round - 1].beaten // 2 + 1, frozenset((p.first, p.second)))
        for p in plan.pairings
        if p.kind is Kind.MATCH and plan.names[p.slot.round - 1] != FINAL
    ]


def main() -> int:
    tries = int(sys.argv[1]) if len(sys.argv) > 1 else TRIES
    sys.stdout.write(
        f"rematches before the final, {tries} tournaments each\nlines  a tournament  not before the losers of round\n"
    )
    for size in SIZES:
        counted = count_rematches(size, tries)
        sys.stdout.write(f"{size:5}  {counted.mean:12.2f}  {counted.first_drop or '-':>30}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
