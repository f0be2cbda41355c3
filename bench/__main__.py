"""``python -m bench``: run every bench, or with ONLY=NAME in the environment that one, and print its table.

DOC=1 writes the tables into docs/bench.md as well, each with its date; a bench that wasn't run keeps the table it has
there. DB=postgres runs those of a site on PostgreSQL (ON_BOTH), with sections of their own. A bench is a module with
``run() -> Table``, listed here by the name it has in the list of promises. The ending is 1 for a name nobody has; a
goal not reached is said in the table.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path

from bench import (
    crowds,
    delays,
    desks,
    draws,
    evening,
    forged,
    halls,
    house,
    level_times,
    level_trial,
    lobbies,
    moves,
    pages,
    rankings,
    ranks,
    rest,
    rules,
    screens,
    sites,
    solvers,
    spiel,
    spread,
    team_spread,
    tells,
    timeouts,
    transactions,
)
from bench.tables import KeptTables, Table

BENCHES: dict[str, Callable[[], Table]] = {
    "SP1": spiel.run,
    "SP2": solvers.run,
    "SP3": moves.run,
    "SP4": delays.run,
    "SP5": spread.run,
    "SP6": transactions.run,
    "SP7": timeouts.run,
    "SP8": draws.run,
    "SP9": ranks.run,
    "SP10": pages.run,
    "SP11": crowds.run_return,
    "SP12": crowds.run_spectators,
    "REST": rest.run,
    "AT11": forged.run,
    "N3": tells.run,
    "FIELDS": desks.run,
    "QUICK": halls.run_quick,
    "DANESE": halls.run_danese,
    "RANKINGS": rankings.run,
    "RULES": rules.run,
    "HOUSE": house.run,
    "TEAMS": team_spread.run,
    "TABLE": screens.run,
    "EVENING": evening.run,
    "LOBBY": lobbies.run,
    "LEVELS": level_trial.run,
    "RATED": level_times.run,
}
ON_BOTH = ("SP3", "SP4", "SP5", "SP7", "SP10", "SP11", "SP12")
ON_POSTGRES = " on PostgreSQL"
DOC = Path(__file__).resolve().parent.parent / "docs" / "bench.md"
TITLE = "# How fast it is"
ABOUT = """Written by `make bench DOC=1`; `make bench ONLY=SP3` runs one bench and prints its table.
A ratio is taken in one run, round by round, the sides in turns; it is given as the median with its 95 % interval.
Other figures depend on the machine and on what else it does; the load average (5 minutes) says how busy it was, the
bench's own processes included. Above the number of cores, delays and moves a second say more of that than of us."""


def main(only: str, doc: Path | None) -> int:
    if only and only not in BENCHES:
        print(f"There is no bench {only}; there are {', '.join(BENCHES)}.", file=sys.stderr)  # noqa: T201
        return 1
    elsewhere = sites.DATABASE == "postgres"
    for name in [only] if only else ON_BOTH if elsewhere else BENCHES:
        print(f"{name} …", file=sys.stderr, flush=True)  # noqa: T201 some take an hour
        table = BENCHES[name]()
        print(table, flush=True)  # noqa: T201 the table is what this is for
        if doc is not None:
            open_page(doc).write(name + ON_POSTGRES * (elsewhere and name in ON_BOTH), table)
    return 0


def open_page(doc: Path) -> KeptTables:
    """Return the page that keeps the tables of all benches."""
    return KeptTables(doc, TITLE, ABOUT, [name + where for name in BENCHES for where in ("", ON_POSTGRES)])


if __name__ == "__main__":
    if len(sys.argv) > 1:  # --help, or a name: all of them take hours, and nobody means that
        sys.exit(__doc__)
    sys.exit(main(os.environ.get("ONLY", "").strip().upper(), DOC if os.environ.get("DOC", "").strip() else None))
