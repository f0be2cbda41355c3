"""Lateness of timeouts (SP7) with the real sweep: a Celery worker over a database in which nobody moves.

Tables start one after the other, so that their deadlines are spread evenly; each one's first turn runs out. Late is
from the end of the grace (deadline + 0.5 s) to the instant at which the sweep decided, with the row locked. Once with
nothing else to do, once beside tables at which the house plays itself at its strongest (HP0). The promise is about time
itself, so there is no peer.
"""

import json
from statistics import quantiles

from bench import sites
from bench.beside import Goal, milliseconds
from bench.tables import Table

TABLES = 200
MASTER_TABLES = 50
SPREAD = 10.0  # seconds from the first deadline to the last
TURN = 15  # seconds: longer than the spread, so that nobody sits down while turns run out
GOAL = Goal(0.5, at_most=True)  # seconds, of the 99th hundredth


def run(tables: int = TABLES, spread: float = SPREAD, turn: int = TURN, masters: int = MASTER_TABLES) -> Table:
    rows, short = [], []
    for beside in (0, masters):
        late = _measure(tables, spread, turn, beside)
        where = f"beside {beside} tables of Maestro" if beside else "alone"
        cuts = quantiles(late, n=100, method="inclusive")
        figures = {"p50": cuts[49], "p99": cuts[98], "the latest": max(late)}
        goals = {"p99": "≤ 500 ms"}
        rows += [[where, name, milliseconds(value), goals.get(name, "")] for name, value in figures.items()]
        if not GOAL.met(cuts[98]):
            short.append(f"p99 {where} is {milliseconds(cuts[98])}, the goal is 500 ms.")
        if early := sum(seconds < 0 for seconds in late):
            short.append(f"{early} timeouts were early, {where}.")
    return Table(
        title=f"SP7: how late {tables} timeouts are, spread over {spread:g} s, with one worker's sweep",
        headings=("where", "what", "late", "goal"),
        rows=rows,
        notes=["From the end of the grace to the instant the sweep decided at; none may be early."],
        short=short,
    )


def _measure(tables: int, spread: float, turn: int, masters: int) -> list[float]:
    with sites.backing() as behind, sites.worker(behind):
        sizes = (str(tables), str(spread), str(turn), str(masters))
        late: list[float] = json.loads(behind.run("-m", "bench.overdue", *sizes))
    return late
