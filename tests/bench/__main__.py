"""``python -m tests.bench``: run every bench, or with ONLY=NAME in the environment that one, and print its table.

A bench is a module with ``run() -> Table``, listed here by the name it has in the list of promises. The ending is 1 for
a name nobody has; a goal not reached is said in the table.
"""

import os
import sys
from collections.abc import Callable

from tests.bench import house, rules
from tests.bench.tables import Table

BENCHES: dict[str, Callable[[], Table]] = {
    "HOUSE": house.run,
    "RULES": rules.run,
}


def main(only: str) -> int:
    if only and only not in BENCHES:
        print(f"There is no bench {only}; there are {', '.join(BENCHES)}.", file=sys.stderr)  # noqa: T201
        return 1
    for name in [only] if only else BENCHES:
        print(BENCHES[name](), flush=True)  # noqa: T201 the table is what this is for
    return 0


if __name__ == "__main__":
    sys.exit(main(os.environ.get("ONLY", "").strip().upper()))
