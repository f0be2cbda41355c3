"""Ranks (SP9): a page of the standings of 10,000 entries from the stored ranks, beside reckoning all of them anew."""

import json

from bench import sites
from bench.beside import Goal, Pair, milliseconds, row
from bench.tables import Table

ROUNDS, ENTRIES = 7, 10_000
GOAL = Goal(0.1, at_most=True)
HEADINGS = ("what", "ours", "reckoned anew", "ours / anew", "95 % interval", "goal")
# What is compared with what, and whether the goal is about it: a page has its words and its frame as well.
ROWS = (
    ("the first entries, from stored ranks", "first rows", "reckoned", GOAL),
    ("the last entries, from stored ranks", "last rows", "reckoned", GOAL),
    ("the first page, from request to answer", "first page", "read and reckoned", GOAL),
    ("the last page, from request to answer", "last page", "read and reckoned", GOAL),
)


def run(rounds: int = ROUNDS, entries: int = ENTRIES) -> Table:
    rows, short = [], []
    with sites.backing("sqlite") as behind:
        measured = json.loads(behind.run("-m", "bench.fields", "ranks", str(entries), str(rounds)))
    for name, ours, anew, goal in ROWS:
        cells, faults = row(name, Pair(measured[ours], measured[anew]), milliseconds, goal)
        rows.append(cells)
        short += faults
    return Table(
        title=f"SP9: standings of {entries:,} entries",
        headings=HEADINGS,
        rows=rows,
        notes=[
            "Time of the processor. Ranks are compared with reckoning from results in memory, pages with reading them."
        ],
        short=short,
    )
