"""Asking for an analysis (HP6): of a match one has played, or of a record one sends. It weighs nothing itself.

Whoever asks twice gets the first answer; one that failed is begun anew. Refusals are AnalysisRefused with a code.
"""

import hashlib
import json
import logging
from datetime import datetime, timedelta

from celery import current_app
from django.db import transaction

from games import selectors as tables
from games import study
from games.engine import record as verbale
from games.engine.game import list_seats
from games.models import Match
from players import caps
from players.clean_text import is_storable
from players.models import Player
from players.services.counted_acts import TooMany, count_act
from records import results
from records.models import Analysis

logger = logging.getLogger(__name__)

TASK = "records.analyse"
CODES = frozenset({"not_own", "members_only", "unreadable", "incomplete", "no_such_seat", "too_many"})


class AnalysisRefused(Exception):
    """Refusal of an analysis: one of CODES, or of what keeps from studying (games/study.py). ``wait``: until it is
    possible again."""

    def __init__(self, code: str, wait: timedelta = timedelta()) -> None:
        super().__init__(code)
        self.code = code
        self.wait = wait


def ask_about_match(*, match: Match, player: Player, now: datetime) -> Analysis:
    """Ask for the analysis of one's own decisions in a finished match. AnalysisRefused."""
    seat = tables.find_seat(match, player)
    if seat is None:
        raise AnalysisRefused("not_own")
    refusal = study.find_match_refusal(match) or study.find_refusal(player, now)
    if refusal is not None:
        raise AnalysisRefused(refusal)
    return _ask(player, now, {f"analysis:{player.pk}": caps.ANALYSES_A_PERSON}, match=match, seat=seat)


def ask_about_record(*, text: bytes, seat: int, player: Player, now: datetime) -> Analysis:
    """Ask for the analysis of whoever sits at ``seat`` in a record that was sent: a whole match, by a member.
    AnalysisRefused."""
    if player.kind != Player.Kind.MEMBER:
        raise AnalysisRefused("members_only")
    refusal = study.find_refusal(player, now)
    if refusal is not None:
        raise AnalysisRefused(refusal)
    answer = results.replay_text(text)
    if not answer["ok"]:
        raise AnalysisRefused("unreadable")
    if not answer["complete"]:
        raise AnalysisRefused("incomplete")
    record = results.decode(text)
    if not is_storable(record):
        raise AnalysisRefused("unreadable")
    if seat not in list_seats(verbale.parse(record).setup.players):
        raise AnalysisRefused("no_such_seat")
    limits = {f"analysis-record:{player.pk}": caps.RECORD_ANALYSES_A_PERSON}
    return _ask(player, now, limits, digest=digest_record(record), seat=seat, record=record)


def digest_record(record: object) -> str:
    """Return what a record is known by: the same for the same match, however it is written."""
    return hashlib.sha256(json.dumps(record, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def forget_record_analyses(now: datetime) -> int:
    """Delete a batch of the analyses of records that were sent long ago."""
    old = Analysis.objects.filter(asked_at__lte=now - caps.RECORD_ANALYSES_KEPT).exclude(digest="")
    batch = list(old.order_by("asked_at").values_list("pk", flat=True)[: caps.HOUSEKEEPING_BATCH])
    Analysis.objects.filter(pk__in=batch).delete()
    return len(batch)


def forget_own(*, player: Player) -> None:
    """Delete all analyses of an account that closes."""
    Analysis.objects.filter(player=player).delete()


def _ask(
    player: Player,
    now: datetime,
    limits: dict[str, caps.Caps],
    *,
    seat: int,
    match: Match | None = None,
    digest: str = "",
    record: object = None,
) -> Analysis:
    with transaction.atomic():
        key = {"player": player, "seat": seat, "match": match, "digest": digest}
        earlier = Analysis.objects.select_for_update().filter(**key).first()
        if earlier is not None and earlier.state != Analysis.State.FAILED:
            return earlier
        try:
            count_act(limits, now=now)
        except TooMany as refused:
            raise AnalysisRefused("too_many", refused.wait) from None
        fresh = {"asked_at": now, "state": Analysis.State.WAITING, "tries": 0, "results": [], "record": record}
        if earlier is None:
            analysis, _made = Analysis.objects.get_or_create(**key, defaults=fresh)
        else:
            analysis = earlier
            for name, value in fresh.items():
                setattr(analysis, name, value)
            analysis.save()
        transaction.on_commit(_wake)
    return analysis


def _wake() -> None:
    try:
        current_app.send_task(TASK, ignore_result=True, retry=False)
    except Exception as error:
        logger.info("an analysis waits for the beat: %r", error)
