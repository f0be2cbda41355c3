"""Mining of problems: finished public matches, gone through once each, and what is worth asking in them stored.

Matches that may not be studied yet (``games.study``) wait; training, annulled and stopped ones, and those whose secret
isn't out, have none. It is slow on purpose: a bounded process aside, behind whatever else the machine has to do.
"""

import logging
import time
from collections.abc import Callable, Iterator
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from games import replays, study
from games.engine.record import RecordError, write_move
from games.models import Match
from games.selectors import build_record
from records.models import CardProblem, MinedMatch
from records.problems.search import MOST_MISSED, FoundProblem, find_problems
from scoring.ratings import NEW

logger = logging.getLogger(__name__)

MOST_DEALS = 6  # of a match that are gone through
MOST_A_MATCH = 2  # problems of one match
SPREAD = 10.0  # of mu, between what nobody misses and what everybody does: 600 of the level that is shown


def list_unmined() -> QuerySet[Match]:
    """Return the matches that are to be gone through, the latest first; among them some that must wait."""
    public = Q(commitment=None) | ~Q(commitment__secret="")
    over = Match.objects.filter(public, status=Match.Status.FINISHED, training=False, mined=None).in_the_open()
    return over.filter(annulled_at=None, stopped_at=None).order_by("-finished_at", "-pk")


def is_due() -> bool:
    """Tell if there is a match to go through."""
    return any(study.find_match_refusal(match) is None for match in list_unmined()[:100])


def mine(*, now: datetime, seconds: float, most: int, tell: Callable[[Match, int], None] | None = None) -> int:
    """Go through matches until so many seconds are over, or so many are done; return how many problems that gave.
    ``tell`` is told of each."""
    until = time.monotonic() + seconds
    stored = done = 0
    for match in list_unmined().iterator(chunk_size=50):
        if done >= most or time.monotonic() >= until:
            break
        if study.find_match_refusal(match) is None:
            number = mine_match(match=match, now=now)
            stored, done = stored + number, done + 1
            if tell is not None:
                tell(match, number)
    return stored


def mine_match(*, match: Match, now: datetime) -> int:
    """Store the problems of a match, and that it was gone through; return how many there are."""
    try:
        problems = list(_search(match))
    except RecordError as error:  # what its page can't show, either
        logger.warning("no problems are looked for in %s: %s", match.public_id, error.code)
        problems = []
    hardest = sorted(problems, key=lambda one: (-one[1].missed, -one[1].study.margin))[:MOST_A_MATCH]
    with transaction.atomic():
        _mined, new = MinedMatch.objects.get_or_create(match=match, defaults={"at": now})
        if not new:
            return 0
        CardProblem.objects.bulk_create([_build(match, place, one, now) for place, one in hardest])
    return len(hardest)


def _search(match: Match) -> Iterator[tuple[int, FoundProblem]]:
    """Yield the hardest problem of each deal, with the place of the deal in the record."""
    record = build_record(match)
    if record is None:
        return
    for place in range(1, min(len(record["deals"]), MOST_DEALS) + 1):
        replayed = replays.replay_deal(record, place)
        candidates = [] if replayed is None else list(find_problems(replayed))
        if candidates:
            yield place, max(candidates, key=lambda one: (one.missed, one.study.margin))


def _build(match: Match, place: int, candidate: FoundProblem, now: datetime) -> CardProblem:
    return CardProblem(
        ruleset=match.ruleset,
        match=match,
        deal=place,
        step=candidate.step,
        seat=candidate.seat,
        ways=candidate.study.ways,
        plays=[
            {
                "move": write_move(play.move).partition(" ")[2],
                "points": round(play.points, 6),
                "best_in": play.best_in,
                "ahead_in": play.ahead_in,
                "line": [write_move(move) for move in play.line],
            }
            for play in candidate.study.plays
        ],
        played=write_move(candidate.played).partition(" ")[2],
        mined_at=now,
        mu=NEW.mu + SPREAD * (candidate.missed / MOST_MISSED - 0.5),
        sigma=NEW.sigma,
    )
