"""``python -m bench.overdue TABLES SPREAD TURN MASTERS``: how late each timeout was at tables where nobody moves.

At so many other tables of four the house plays itself meanwhile, at its strongest. It runs in the environment of the
worker that is measured and prints the delays in seconds, as JSON: from the end of the grace to the instant the timeout
was decided at. Fails if a table is still running long after its deadline, or a house that should play doesn't.
"""

import json
import sys
import time

from bench.programs import set_up_django
from tests.support.waiting import until

PATIENCE = 60.0  # seconds


def main() -> int:
    set_up_django()
    from django.utils import timezone

    from bench.stage import open_house_tables, open_tables
    from games.clocks import GRACE
    from games.models import Match, Move, Strength
    from games.services import seating

    tables, spread, turn, masters = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    house = open_house_tables(masters, Strength.MASTER)
    played = Move.objects.filter(match_id__in=house)
    until(lambda: played.values("match").distinct().count() == masters, seconds=PATIENCE, what="the house to play")
    opened = open_tables(tables, turn_timeout=turn, match_clock=None)
    deadlines = {}
    began = time.monotonic()
    for number, (match, players) in enumerate(opened):
        time.sleep(max(0.0, began + number * spread / tables - time.monotonic()))
        for player in players:
            seating.sit_down(match_id=match.pk, player_id=player.pk, token="", now=timezone.now)
        deadline = Match.objects.values_list("deadline_at", flat=True).get(pk=match.pk)
        assert deadline is not None
        deadlines[match.pk] = deadline
    before = played.count()
    running = Match.objects.filter(pk__in=deadlines).exclude(status=Match.Status.FINISHED)
    until(lambda: not running.exists(), seconds=turn + PATIENCE, what="every table to run out of time")
    ends = Move.objects.filter(match_id__in=deadlines, text__endswith=" timeout").values_list("match_id", "played_at")
    late = [(at - deadlines[match_id] - GRACE).total_seconds() for match_id, at in ends]
    assert len(late) == tables, f"{len(late)} timeouts for {tables} tables"
    assert not masters or played.count() > before, "the house has stopped"
    json.dump(late, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
