"""FIELDS: the referee's page and a withdrawal in a KO of 4,096, beside the same in a KO of 64, in turns."""

import json

from bench import sites
from bench.beside import Goal, Pair, milliseconds, row
from bench.tables import Table

ROUNDS, BIG, SMALL = 9, 4096, 64
GOAL = Goal(2, at_most=True)
HEADINGS = ("what", f"of {BIG:,}", f"of {SMALL}", "ratio", "95 % interval", "goal")


def run(rounds: int = ROUNDS, big: int = BIG, small: int = SMALL) -> Table:
    rows, short = [], []
    with sites.backing("sqlite") as behind:
        found = json.loads(behind.run("-m", "bench.fields", "desk", str(big), str(rounds), str(small)))
    for name, figures in found.items():
        cells, faults = row(name, Pair(figures[str(big)], figures[str(small)]), milliseconds, GOAL)
        rows.append(cells)
        short += faults
    return Table(
        title=f"FIELDS: a KO of {big:,} entries beside one of {small}",
        headings=HEADINGS,
        rows=rows,
        notes=["Time of the processor, from request to answer."],
        short=short,
    )
