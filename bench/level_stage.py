"""``python -m bench.level_stage MATCHES PEOPLE``: finished matches in the database of a bench, and their levels.

Two thirds are alone, a third in pairs. They are rated as they finish, a batch at a time; then everything is computed
again from nothing, and a result in the middle is corrected. Prints seconds, and whether both give the same, as JSON.
"""

import json
import random
import sys
from datetime import datetime, timedelta
from time import perf_counter
from typing import TYPE_CHECKING, Any

from bench.programs import set_up_django
from bench.stage import people

if TYPE_CHECKING:
    from players.models import Player

CHUNK = 2000
APART = timedelta(minutes=5)  # so that a hundred thousand last a year


def main(matches: int, size: int) -> dict[str, Any]:
    """Store, rate, recompute and correct."""
    from django.utils import timezone

    from scoring import level_audit, level_book
    from scoring.models import Level, LevelStep

    now = timezone.now()
    players = people(size)
    ids = _store(matches, players, now - matches * APART)
    level_book.begin_whole_run(now=now)
    level_book.run(now=timezone.now)
    stored = _read()
    Level.objects.all().delete()
    LevelStep.objects.all().delete()
    began = perf_counter()
    level_book.begin_whole_run(now=now)
    level_book.run(now=timezone.now)
    anew = perf_counter() - began
    same = _read() == stored
    began = perf_counter()
    wrong = list(level_audit.list_differences())
    checked = perf_counter() - began
    began = perf_counter()
    _correct(ids[len(ids) // 2], now)
    corrected = perf_counter() - began
    return {
        "anew": anew,
        "checked": checked,
        "corrected": corrected,
        "equal": same and not wrong and not list(level_audit.list_differences()),
        "steps": len(stored),
    }


def _store(matches: int, players: "list[Player]", at: datetime) -> list[int]:
    from games.models import Match, Seat

    dice, ids = random.Random(14), list[int]()
    for first in range(0, matches, CHUNK):
        rows, seated = [], []
        for number in range(first, min(first + CHUNK, matches)):
            seats = dice.sample(players, 4 if number % 3 == 2 else 2)
            points = dice.choice(((11, dice.randrange(11)), (dice.randrange(11), 11)))
            finished = at + number * APART
            rows.append(
                Match(
                    ruleset="scopa", players=len(seats), length_kind="points", length_value=11, context="free",
                    first_dealer=0, status="finished", opened_at=finished, finished_at=finished, settled_at=finished,
                    winner=int(points[1] > points[0]), decided_by="points", margin=abs(points[0] - points[1]),
                )
            )  # fmt: skip
            seated.append(seats)
        made = Match.objects.bulk_create(rows)
        Seat.objects.bulk_create(
            Seat(match=match, number=number, player=player, live=False, kind="member")
            for match, seats in zip(made, seated, strict=True)
            for number, player in enumerate(seats)
        )
        ids += [match.pk for match in made]
    return ids


def _correct(match_id: int, now: datetime) -> None:
    """Change the result of one match, and have levels follow to the end."""
    from django.db.models import F
    from django.utils import timezone

    from games.models import Match
    from scoring import level_book

    Match.objects.filter(pk=match_id).update(winner=1 - F("winner"))
    level_book.note_changes(match_ids=[match_id], now=now)
    level_book.settle(now=now)
    level_book.run(now=timezone.now)


def _read() -> list[tuple[object, ...]]:
    from scoring.models import LevelStep

    rows = LevelStep.objects.order_by("match", "player")
    return list(rows.values_list("match", "player", "mu_after", "sigma_after", "matches"))


if __name__ == "__main__":
    set_up_django()
    sys.stdout.write(json.dumps(main(int(sys.argv[1]), int(sys.argv[2]))))
