"""Rankings of 100,000 people and an archive of 10,000 tournaments by the page (Y1, I2), beside a page that reads
nothing."""

import json

from bench import sites
from bench.beside import Goal, Pair, milliseconds, row
from bench.tables import Table

ROUNDS, PEOPLE, TOURNAMENTS = 7, 100_000, 10_000
GOAL = Goal(6.0, at_most=True)
ROWS = (
    ("the first page of a ranking", "first ranks"),
    ("its last page", "last ranks"),
    ("its first page, for somebody in the middle", "own ranks"),
    ("a name looked for in it", "named"),
    ("the first page of the archive", "first archived"),
    ("a page in its middle", "middle archived"),
    ("what somebody played in", "played by"),
    ("a name looked for in it", "called"),
)


def run(rounds: int = ROUNDS, people: int = PEOPLE, tournaments: int = TOURNAMENTS) -> Table:
    rows, short = [], []
    with sites.backing("sqlite") as behind:
        command = ("-m", "bench.archived", str(people), str(tournaments), str(rounds))
        measured = json.loads(behind.run(*command))
    pages = measured["pages"]
    for name, ours in ROWS:
        cells, faults = row(name, Pair(pages[ours], pages["bare"]), milliseconds, GOAL)
        rows.append(cells)
        short += faults
    return Table(
        title=f"Rankings of {people:,} people, an archive of {tournaments:,} tournaments",
        headings=("what", "ours", "a bare page", "ours / bare", "95 % interval", "goal"),
        rows=rows,
        notes=[f"Time of the processor, from request to answer. A ranking is made anew in {measured['made']:.1f} s."],
        short=short,
    )
