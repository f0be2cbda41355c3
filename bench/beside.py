"""Comparison with a peer: both measured in turns in one run, the ratio taken round by round and held against a goal.

It decides how a comparison is printed and when it falls short. The benches decide what is measured.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from bench.timing import interval_of_median

HEADINGS = ("what", "ours", "the peer's", "ours / the peer's", "95 % interval", "goal")

Measure = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Goal:
    """Goal of a ratio (without a peer: of the figure itself), for now and for later."""

    bound: float
    at_most: bool = False
    later: str = ""

    def met(self, value: float) -> bool:
        return value <= self.bound if self.at_most else value >= self.bound

    def __str__(self) -> str:
        words = f"{'≤' if self.at_most else '≥'} {self.bound:g}"
        return f"{words}, then {self.later}" if self.later else words


@dataclass(frozen=True, slots=True)
class Pair:
    """The figures of each round, ours and the peer's; the peer's are empty where it can't be measured."""

    ours: Sequence[float]
    peers: Sequence[float]

    @property
    def ratios(self) -> list[float]:
        return sorted(one / other for one, other in zip(self.ours, self.peers, strict=False) if other)


def in_turns(ours: Measure, peer: Measure | None, rounds: int) -> Pair:
    """Measure both so many times, who is first changing from round to round; a round before that isn't counted."""
    both: dict[str, list[float]] = {"ours": [], "peer": []}
    for turn in range(rounds + 1):
        order = [("ours", ours), ("peer", peer)]
        for name, measure in order if turn % 2 else reversed(order):
            if measure is not None:
                figure = measure()
                if turn:
                    both[name].append(figure)
    return Pair(both["ours"], both["peer"])


def row(name: str, pair: Pair, show: Callable[[float], str], goal: Goal | None = None) -> tuple[list[str], list[str]]:
    """The row of a comparison, and the sentences (none or one) on what falls short."""
    ratios = pair.ratios
    ours = show(median(pair.ours))
    meant = "" if goal is None else str(goal)
    if not ratios:
        return [name, ours, "not measured", "", "", meant], []
    ratio, outside = median(ratios), interval_of_median(len(ratios))
    spread = f"{ratios[outside]:.2f} … {ratios[-1 - outside]:.2f}"
    cells = [name, ours, show(median(pair.peers)), f"{ratio:.2f}", spread, meant]
    if goal is None or goal.met(ratio):
        return cells, []
    return cells, [f"{name}: {ratio:.2f} × the peer's, the goal is {goal}."]


def per_second(value: float) -> str:
    return f"{value:,.0f} /s"


def milliseconds(value: float) -> str:
    """Convert seconds to milliseconds."""
    return f"{value * 1000:.2f} ms"
