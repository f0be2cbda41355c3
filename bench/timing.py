"""Speed as a ratio: every contender is timed beside a fixed loop of plain Python, in turns, in one run.

A machine that is busy or slow slows both, so the ratio can be compared between machines and days; the absolute
figures can't.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import comb
from statistics import median
from time import perf_counter

Work = Callable[[], int]  # does a fixed piece of work and returns how many units of it were done

ROUNDS = 15
REFERENCE_STEPS = 300_000


@dataclass(frozen=True, slots=True)
class Speed:
    """Units a second, and units for each 1,000 steps of the reference loop: the median and its 95 % interval."""

    rate: float
    ratio: float
    low: float
    high: float


def reference() -> int:
    """The loop everything is measured against: integer arithmetic and list access, nothing else. Never change it."""
    buckets = [0] * 40
    value = 1
    for _ in range(REFERENCE_STEPS):
        value = (value * 1_103_515_245 + 12_345) & 0x7FFF_FFFF
        buckets[value % 40] ^= value
    return REFERENCE_STEPS


def measure(
    contenders: Mapping[str, Work], *, rounds: int = ROUNDS, clock: Callable[[], float] = perf_counter
) -> dict[str, Speed]:
    """Time every contender ``rounds`` times, the reference before each; one unmeasured round comes first.

    ``clock`` counts seconds: pass ``process_time`` for work that never waits, so that only its own time counts.
    """
    rates: dict[str, list[float]] = {name: [] for name in contenders}
    ratios: dict[str, list[float]] = {name: [] for name in contenders}
    for turn in range(rounds + 1):
        for name, work in contenders.items():
            steps = _units_a_second(reference, clock)
            units = _units_a_second(work, clock)
            if turn:
                rates[name].append(units)
                ratios[name].append(1000 * units / steps)
    return {name: _speed(rates[name], ratios[name]) for name in contenders}


def _units_a_second(work: Work, clock: Callable[[], float]) -> float:
    start = clock()
    done = work()
    return done / (clock() - start)


def _speed(rates: list[float], ratios: list[float]) -> Speed:
    ordered = sorted(ratios)
    outside = interval_of_median(len(ordered))
    return Speed(median(rates), median(ordered), ordered[outside], ordered[-1 - outside])


def interval_of_median(count: int) -> int:
    """Return how many values to cut off at each end of a sorted sample so that its median lies between, 95 times in
    100."""
    cut, tail = 0, 0.0
    while (tail := tail + comb(count, cut) / 2**count) <= 0.025:
        cut += 1
    return max(cut - 1, 0)
