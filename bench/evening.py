"""EVENING: an evening in the lobby, simulated: waiting times and differences of level, beside pairing at random (B3).

People come one after the other at random intervals (Poisson), with levels as at a club, wait, play and come again or
go; each second the lobby pairs whoever waits. The same people come at the same instants to both. Nothing of the site
runs but its pairing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from statistics import quantiles

from bench.tables import Table
from games.lobby.pairing import PlannedTable, Seeking, pair_seeks

HOURS, PEOPLE, EVENINGS = 3, 400, 3
AN_HOUR = {2: (30, 120, 480), 4: (120, 480)}  # arrivals at one kind of match, by the seats of its tables
MATCH_SECONDS, BREAK_SECONDS, PATIENCE_SECONDS = 480.0, 20.0, 180.0
AGAIN = 0.6  # of those who have played
HEADINGS = (
    "seats, arrivals an hour", "pairing", "tables", "gave up", "wait p50", "wait p95", "difference p50",
    "difference p95", "met again",
)  # fmt: skip

Pairing = Callable[[Sequence[Seeking], float, int, set[frozenset[int]]], list[PlannedTable]]


@dataclass
class Evening:
    """Outcome of an evening: seconds waited, differences of level between the sides, and who met again at once."""

    waits: list[float] = field(default_factory=list)
    differences: list[float] = field(default_factory=list)
    tables: int = 0
    gave_up: int = 0
    met_again: int = 0


def pair_by_rule(seeks: Sequence[Seeking], now: float, seats: int, met: set[frozenset[int]]) -> list[PlannedTable]:
    """Pair as the lobby does."""
    return pair_seeks(seeks, now, seats=seats, recent=met)


def make_random_pairing(dice: Random) -> Pairing:
    """Return a pairing that seats whoever waits, in any order."""

    def pair(seeks: Sequence[Seeking], now: float, seats: int, met: set[frozenset[int]]) -> list[PlannedTable]:
        waiting = list(seeks)
        dice.shuffle(waiting)
        tables = []
        for first in range(0, len(waiting) - seats + 1, seats):
            four = waiting[first : first + seats]
            people = [seek.people[0] for seek in four]
            half = seats // 2
            lines = (tuple(people[:half]), tuple(people[half:]))
            tables.append(PlannedTable(lines, tuple(seek.key for seek in four)))
        return tables

    return pair


def simulate(seats: int, an_hour: float, pairing: Pairing, *, hours: float = HOURS, seed: int = 14) -> Evening:
    """Simulate an evening, second by second."""
    dice = Random(seed)
    levels = [dice.gauss(1500, 220) for _person in range(PEOPLE)]
    comes: list[tuple[float, int]] = []
    at = 0.0
    while (at := at + dice.expovariate(an_hour / 3600)) < hours * 3600:
        comes.append((at, dice.randrange(PEOPLE)))
    later = Random(seed + 1)
    evening, waiting, last = Evening(), {}, {person: [] for person in range(PEOPLE)}
    busy: set[int] = set()
    for second in range(int(hours * 3600)):
        due = [come for come in comes if come[0] <= second]
        comes = [come for come in comes if come[0] > second]
        for since, person in due:
            if person not in waiting and person not in busy:
                waiting[person] = Seeking(person, (person,), levels[person], since)
        for person, seek in list(waiting.items()):
            if second - seek.since > PATIENCE_SECONDS:
                evening.gave_up += 1
                del waiting[person]
        met = {frozenset((person, other)) for person in waiting for other in last[person]}
        for table in pairing(list(waiting.values()), second, seats, met):
            people = [person for line in table.lines for person in line]
            evening.tables += 1
            sums = [sum(levels[person] for person in line) / len(line) for line in table.lines]
            evening.differences.append(abs(sums[0] - sums[1]))
            evening.met_again += any(frozenset((a, b)) in met for a in people for b in people if a != b)
            busy -= set(people)
            for person in people:
                evening.waits.append(second - waiting.pop(person).since)
                last[person] = [*last[person], *(other for other in people if other != person)][-3 * (seats - 1) :]
                if later.random() < AGAIN:
                    comes.append((second + MATCH_SECONDS + later.expovariate(1 / BREAK_SECONDS), person))
    return evening


def run() -> Table:
    rows = []
    for seats, rates in AN_HOUR.items():
        for an_hour in rates:
            for name, pairing in (("by level", pair_by_rule), ("at random", make_random_pairing(Random(3)))):
                evenings = [simulate(seats, an_hour, pairing, seed=number) for number in range(EVENINGS)]
                rows.append(_describe(f"{seats}, {an_hour}", name, evenings))
    return Table(
        title=f"EVENING: {EVENINGS} evenings of {HOURS} hours in the lobby, simulated, at one kind of match",
        headings=HEADINGS,
        rows=rows,
        notes=[
            f"Levels of {PEOPLE} people around 1500 (deviation 220); a match takes 8 minutes, {AGAIN:.0%} of those who "
            "played seek again soon, and who has waited 3 minutes gives up. The house isn't asked.",
            "The difference is that between the means of the two sides; *met again*: tables at which two sat who had "
            "met in their last three matches.",
        ],
    )


def _describe(what: str, name: str, evenings: Sequence[Evening]) -> list[str]:
    waits = _cut([wait for evening in evenings for wait in evening.waits])
    differences = _cut([difference for evening in evenings for difference in evening.differences])
    tables, gave_up, again = (
        sum(getattr(evening, figure) for evening in evenings) for figure in ("tables", "gave_up", "met_again")
    )
    return [
        what, name, str(tables), str(gave_up), f"{waits[0]:.0f} s", f"{waits[1]:.0f} s",
        f"{differences[0]:.0f}", f"{differences[1]:.0f}", f"{again / max(1, tables):.0%}",
    ]  # fmt: skip


def _cut(values: Sequence[float]) -> tuple[float, float]:
    if len(values) < 2:
        return (0.0, 0.0)
    parts = quantiles(values, n=100, method="inclusive")
    return parts[49], parts[94]
