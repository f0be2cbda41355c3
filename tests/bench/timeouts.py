"""Lateness of timeouts (SP7) with the real sweep: a Celery worker over a database in which nobody moves.

Tables start one after the other, so that their deadlines are spread evenly; each one's first turn runs out. Late is
from the end of the grace (deadline + 0.5 s) to the instant at which the sweep decided, with the row locked. The promise
is about time itself, so there is no peer.
"""

import json
from statistics import quantiles

from tests.bench import sites
from tests.bench.beside import Goal, milliseconds
from tests.bench.tables import Table

TABLES = 200
SPREAD = 10.0  # seconds from the first deadline to the last
TURN = 5  # seconds
GOAL = Goal(0.5, at_most=True)  # seconds, of the 99th hundredth


def run(tables: int = TABLES, spread: float = SPREAD, turn: int = TURN) -> Table:
    with sites.backing() as behind, sites.worker(behind):
        late = json.loads(behind.run("-m", "tests.bench.overdue", str(tables), str(spread), str(turn)))
    cuts = quantiles(late, n=100, method="inclusive")
    figures = {"p50": cuts[49], "p99": cuts[98], "the latest": max(late)}
    early = sum(seconds < 0 for seconds in late)
    return Table(
        title=f"SP7: how late {tables} timeouts are, spread over {spread:g} s, with one worker's sweep",
        headings=("what", "late", "goal"),
        rows=[[name, milliseconds(value), "≤ 500 ms" if name == "p99" else ""] for name, value in figures.items()],
        notes=["From the end of the grace to the instant the sweep decided at; none may be early."],
        short=[
            *([] if GOAL.met(cuts[98]) else [f"p99 is {milliseconds(cuts[98])}, the goal is 500 ms."]),
            *([f"{early} timeouts were early."] if early else []),
        ],
    )
