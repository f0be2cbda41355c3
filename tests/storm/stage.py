"""``python -m tests.storm.stage TABLES TURN_TIMEOUT``: open tables of Scopa and Tresette in the database of a storm.

It prints each table's public id and the Cookie header of each seat, as JSON. Every third has four seats.
"""

import json
import os
import sys

RULESETS = ("scopa", "tresette", "asso-piglia-tutto")
MATCH_CLOCK_SECONDS = 3600


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django
    from django.db import transaction

    django.setup()
    from django.utils import timezone

    from games.engine.game import Length
    from games.services import seating
    from tests.bench.stage import cookie, people

    count, turn_timeout = int(sys.argv[1]), int(sys.argv[2])
    sizes = [4 if number % 3 == 2 else 2 for number in range(count)]
    opened = []
    with transaction.atomic():
        guests = iter(people(sum(sizes)))
        for number, size in enumerate(sizes):
            players = [next(guests) for _ in range(size)]
            match = seating.open_match(
                ruleset=RULESETS[number % len(RULESETS)],
                length=Length("deals", 1),
                context="free",
                options={},
                players=players,
                turn_timeout=turn_timeout,
                match_clock=MATCH_CLOCK_SECONDS,
                noshow_after=None,
                first_dealer=0,
                title="Storm",
                now=timezone.now,
            )
            opened.append({"table": match.public_id, "cookies": [cookie(player) for player in players]})
    json.dump(opened, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
