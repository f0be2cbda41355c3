"""``python -m bench.storm.stage TABLES TURN_TIMEOUT``: open tables of Scopa and Tresette in the database of a storm.

It prints each table's public id and the Cookie header of each seat, as JSON. Every third has four seats.
"""

import json
import sys
from typing import Any

from bench.programs import set_up_django

RULESETS = ("scopa", "tresette", "asso-piglia-tutto")


def stage_tables(count: int, turn_timeout: int) -> list[dict[str, Any]]:
    """Open so many tables: the public id of each, and the Cookie header of each seat."""
    from django.db import transaction

    from bench.stage import cookie, open_table, people

    sizes = [4 if number % 3 == 2 else 2 for number in range(count)]
    opened = []
    with transaction.atomic():
        guests = iter(people(sum(sizes)))
        for number, size in enumerate(sizes):
            players = [next(guests) for _ in range(size)]
            ruleset = RULESETS[number % len(RULESETS)]
            match = open_table(players, title="Storm", ruleset=ruleset, deals=1, turn_timeout=turn_timeout)
            opened.append({"table": match.public_id, "cookies": [cookie(player) for player in players]})
    return opened


def main() -> int:
    set_up_django()
    json.dump(stage_tables(int(sys.argv[1]), int(sys.argv[2])), sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
