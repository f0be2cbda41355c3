"""Transactions (SP6): one move's beside a bare prototype's, on one connection, on SQLite and on PostgreSQL.

bench/prototype.py has both. PostgreSQL waits for the disk at each commit, SQLite keeps its write-ahead log as the
site sets it up.
"""

import json

from bench import sites
from bench.beside import HEADINGS, Goal, Pair, per_second, row
from bench.tables import Table

ROUNDS, MOVES = 15, 80
GOAL = Goal(0.8)
MOST_QUERIES = 2
NAMES = {"sqlite": "SQLite", "postgres": "PostgreSQL"}


def run(rounds: int = ROUNDS, moves: int = MOVES, databases: tuple[str, ...] = tuple(NAMES)) -> Table:
    rows, short = [], []
    for database in databases:
        with sites.backing(database) as behind:
            measured = json.loads(behind.run("-m", "bench.prototype", str(rounds), str(moves)))
        cells, faults = row(f"moves, {NAMES[database]}", Pair(measured["ours"], measured["bare"]), per_second, GOAL)
        counts = measured["queries"]
        rows += [
            cells,
            [f"queries a move, {NAMES[database]}", " or ".join(map(str, counts)), "3", "", "", f"≤ {MOST_QUERIES}"],
        ]
        short += faults
        if counts[-1] > MOST_QUERIES or len(counts) > 1:
            short.append(f"a move on {NAMES[database]} takes {counts} queries: at most {MOST_QUERIES}, always as many.")
    return Table(
        title="SP6: one move's transaction beside a bare prototype's, one connection",
        headings=HEADINGS,
        rows=rows,
        notes=["Ours has the rules, the clocks and the hint to others in it; the last moves of deals count too."],
        short=short,
    )
