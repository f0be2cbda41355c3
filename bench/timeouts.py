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
        with sites.backing() as behind, sites.worker(behind):
            late = measure_lateness(behind, tables, spread, turn, beside)
        where = f"beside {beside} tables of Maestro" if beside else "alone"
        p50, p99, latest = summarise(late)
        figures = {"p50": p50, "p99": p99, "the latest": latest}
        goals = {"p99": "≤ 500 ms"}
        rows += [[where, name, milliseconds(value), goals.get(name, "")] for name, value in figures.items()]
        if not GOAL.met(p99):
            short.append(f"p99 {where} is {milliseconds(p99)}, the goal is 500 ms.")
        if early := sum(seconds < 0 for seconds in late):
            short.append(f"{early} timeouts were early, {where}.")
    return Table(
        title=f"SP7: how late {tables} timeouts are, spread over {spread:g} s, with one worker's sweep",
        headings=("where", "what", "late", "goal"),
        rows=rows,
        notes=["From the end of the grace to the instant the sweep decided at; none may be early."],
        short=short,
    )


def measure_lateness(behind: sites.Backing, tables: int, spread: float, turn: int, masters: int = 0) -> list[float]:
    """Return the seconds by which each timeout was late, beside so many tables at which the house plays itself."""
    sizes = (str(tables), str(spread), str(turn), str(masters))
    late: list[float] = json.loads(behind.run("-m", "bench.overdue", *sizes))
    return late


def summarise(late: list[float]) -> tuple[float, float, float]:
    """Return p50, p99 and the largest of some seconds."""
    cuts = quantiles(late, n=100, method="inclusive")
    return cuts[49], cuts[98], max(late)
