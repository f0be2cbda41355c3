"""``python -m tests.storm.stage TABLES TURN_TIMEOUT``: open tables of Scopa and Tresette in the database of a storm.

It prints each table's public id and the Cookie header of each seat, as JSON. Every third has four seats.
"""

import json
import os
import sys

RULESETS = ("scopa", "tresette", "asso-piglia-tutto")


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.bench.settings")
    import django
    from django.db import transaction

    django.setup()
    from tests.bench.stage import cookie, open_table, people

    count, turn_timeout = int(sys.argv[1]), int(sys.argv[2])
    sizes = [4 if number % 3 == 2 else 2 for number in range(count)]
    opened = []
    with transaction.atomic():
        guests = iter(people(sum(sizes)))
        for number, size in enumerate(sizes):
            players = [next(guests) for _ in range(size)]
            ruleset = RULESETS[number % len(RULESETS)]
            match = open_table(players, title="Storm", ruleset=ruleset, deals=1, turn_timeout=turn_timeout)
            opened.append({"table": match.public_id, "cookies": [cookie(player) for player in players]})
    json.dump(opened, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
