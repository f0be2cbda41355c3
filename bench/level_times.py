"""Levels of a year: how long it takes to compute all of them again, to check them, and to follow a correction (L6)."""

import json

from bench import sites
from bench.tables import Table

MATCHES, PEOPLE = 100_000, 2_000


def run(matches: int = MATCHES, people: int = PEOPLE) -> Table:
    with sites.backing() as behind:
        measured = json.loads(behind.run("-m", "bench.level_stage", str(matches), str(people)))
    rows = [
        ("all levels from nothing", f"{measured['anew']:.1f} s"),
        ("compared with what is stored", f"{measured['checked']:.1f} s"),
        ("a result in the middle corrected, and all that follows", f"{measured['corrected']:.1f} s"),
    ]
    return Table(
        title=f"RATED: levels of {people:,} people after {matches:,} matches",
        headings=("what", "time"),
        rows=rows,
        notes=[f"{measured['steps']:,} steps of levels. Equal: {'yes' if measured['equal'] else 'no'}."],
        short=[] if measured["equal"] else ["what is computed again isn't what was stored"],
    )
