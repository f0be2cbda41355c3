"""Analyses that wait, worked off one after the other in the background, by a process aside (HP6).

A worker does one at a time. What is weighed is stored as it goes; a run that gave no sign for two minutes has died, and
whoever finds it goes on behind what is stored. Decisions and their dice come from the record alone, so nothing depends
on how often it was cut off.
"""

import logging
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from time import monotonic
from typing import Any

from django.db import transaction
from django.db.models import Q

from games.bots.study import WeighedDecision
from games.engine.cards import NAMES
from games.engine.game import GameMove
from games.engine.record import Json, write_move
from games.selectors import build_record
from games.thinking import Thinker
from records.analysis.decisions import PastDecision, list_decisions
from records.models import Analysis

logger = logging.getLogger(__name__)

BEAT_FOR = timedelta(minutes=2)
MOST_TRIES = 3
ANSWER_SECONDS = 60.0  # a decision takes a fraction of a second, but steps back behind everything else
STORE_SECONDS = 1.0
PROCESS = "games.bots.study_process"
_at_work = threading.Lock()  # one analysis at a time in each worker


class AnalysisLost(Exception):
    """Somebody else works at it by now, or it is gone."""


class NoAnswer(Exception):
    """The process aside gave none."""


def run_waiting(*, clock: Callable[[], datetime]) -> int:
    """Work off what waits; return how many were finished. 0 at once where this worker is at it already."""
    if not _at_work.acquire(blocking=False):
        return 0
    thinker = Thinker(PROCESS)
    finished = 0
    try:
        while (analysis := claim_next(clock())) is not None:
            finished += _work_off(analysis, thinker, clock)
    finally:
        thinker.stop()
        _at_work.release()
    return finished


def claim_next(now: datetime) -> Analysis | None:
    """Take the analysis that has waited longest, or whose run died; None where there is none."""
    State = Analysis.State
    with transaction.atomic():
        free = Q(state=State.WAITING) & (Q(beat_at=None) | Q(beat_at__lte=now))
        dead = Q(state=State.RUNNING, beat_at__lte=now - BEAT_FOR)
        rows = Analysis.objects.select_for_update(skip_locked=True, of=("self",)).filter(free | dead)
        analysis = rows.order_by("asked_at", "pk").first()
        if analysis is None:
            return None
        analysis.tries += 1
        analysis.state = State.RUNNING
        analysis.beat_at = now
        if analysis.tries > MOST_TRIES:
            analysis.state, analysis.finished_at = State.FAILED, now
        analysis.save(update_fields=["tries", "state", "beat_at", "finished_at"])
    return analysis


def _work_off(analysis: Analysis, thinker: Thinker, clock: Callable[[], datetime]) -> bool:
    """Weigh what is left of an analysis; whether it was finished."""
    if analysis.state == Analysis.State.FAILED:
        return False
    try:
        _weigh(analysis, thinker, clock)
    except AnalysisLost:
        logger.warning("an analysis was taken over, or is gone: %s", analysis.public_id)
        return False
    except Exception as error:  # what it says may hold cards (N2)
        logger.error("an analysis was cut off: %s, by %s", analysis.public_id, type(error).__name__)
        later = {"state": Analysis.State.WAITING, "beat_at": clock() + timedelta(seconds=10)}
        Analysis.objects.filter(pk=analysis.pk, beat_at=analysis.beat_at).update(**later)
        return False
    return True


def _weigh(analysis: Analysis, thinker: Thinker, clock: Callable[[], datetime]) -> None:
    record = analysis.record if analysis.match is None else build_record(analysis.match)
    if record is None:
        raise AnalysisLost
    decisions = list(list_decisions(record, analysis.seat))
    results = list(analysis.results)
    _store(analysis, clock(), total=len(decisions))
    stored_at = monotonic()
    for decision in decisions[len(results) :]:
        answer = thinker.ask(decision.question, ANSWER_SECONDS)
        if answer is None:
            _store(analysis, clock(), results=results)
            raise NoAnswer
        results.append(write_result(decision, answer.decision))
        if monotonic() - stored_at > STORE_SECONDS:
            _store(analysis, clock(), results=results)
            stored_at = monotonic()
    now = clock()
    _store(analysis, now, results=results, state=Analysis.State.DONE, finished_at=now)


def _store(analysis: Analysis, now: datetime, **values: Any) -> None:
    """Store how far it is, as long as it is still this run's. AnalysisLost."""
    rows = Analysis.objects.filter(pk=analysis.pk, beat_at=analysis.beat_at, state=Analysis.State.RUNNING)
    if not rows.update(beat_at=now, **values):
        raise AnalysisLost
    analysis.beat_at = now


def write_result(decision: PastDecision, weighed: WeighedDecision | None) -> Json:
    """Return a decision as it is stored: moves in the record's words, points with three decimals. Without ``moves`` it
    couldn't be weighed."""
    result: Json = {"deal": decision.place, "step": decision.step, "lead": _read_lead(decision)}
    if weighed is None:
        return {**result, "moves": []}
    reason = weighed.reason
    return {
        **result,
        "played": _write(weighed.played.move),
        "moves": [[_write(one.move), round(one.worth, 3)] for one in weighed.moves],
        "loss": round(weighed.played.loss, 3),
        "doubt": round(weighed.played.doubt, 3),
        "exact": weighed.exact,
        "agreed": weighed.agreed,
        "reason": None
        if reason is None
        else {
            "code": reason.code,
            "cards": [NAMES[card] for card in reason.cards],
            "number": reason.number,
            "total": reason.total,
        },
        "open": {_write(move): round(worth, 3) for move, worth in weighed.openly.items()},
    }


def _read_lead(decision: PastDecision) -> int:
    """Return by how many points the own line led before the deal, as its points stand."""
    side = decision.question.played.seat % 2
    return decision.score[side] - decision.score[1 - side]


def _write(move: GameMove) -> str:
    """Write a play without its seat and verb: ``7d x 4c 3s``."""
    return write_move(move).split(" ", 2)[2]
