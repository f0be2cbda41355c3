"""Reports and calls to the referee from a table: kept, and shown to nobody but who runs the tournament or the site.

It decides who may ask and how often, and judges nothing.
"""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction

from games import wording
from games.clocks import Now
from games.models import ChatLine, Match, Report, Seat
from games.services.errors import ActionRefused, NotSeated
from games.services.playing import Ack
from games.services.writing import lock_for_writing
from games.signals import referee_called
from players import caps
from players.clean_text import clean_line

logger = logging.getLogger(__name__)

MAX_CHARACTERS = 300  # characters
CALL = Report.Reason.CALL
MAX_SHOWN = 50


class ReportTooLong(ActionRefused):
    code = "report_too_long"


class ReportTooMany(ActionRefused):
    """Too many reports of one person: at this table, or today."""

    code = "report_too_many"


class ReportUnknown(ActionRefused):
    """No such reason, nobody at that seat, no such line, or the reporter themselves."""

    code = "report_unknown"


def report(
    *,
    match_id: int,
    reporter_id: int | None,
    reason: str,
    text: str,
    client_id: str,
    now: Now,
    seat: int | None = None,
    line: int | None = None,
) -> Ack:
    """Ask the referee to look at whoever sits at ``seat``, at a line of the chat and who said it, or at the table.

    Reason ``call``: ask the referee to come now, from a seat of a match that belongs to something and isn't over (F4).
    A client id that was already used gets its first answer. Raises NotSeated (a visitor without a name),
    ReportUnknown, ReportTooLong, ReportTooMany.
    """
    if reporter_id is None:
        raise NotSeated
    written = clean_line(text)
    with transaction.atomic():
        match, at, first_answer = lock_for_writing(Report, match_id=match_id, client_id=client_id, now=now)
        if first_answer is not None:
            return first_answer
        if reason not in Report.Reason.values or (reason == CALL and not _may_call(match, reporter_id)):
            raise ReportUnknown(match.version)
        about, quote = _find_subject(match, reporter_id, seat, line)
        if len(written) > MAX_CHARACTERS:
            raise ReportTooLong(match.version)
        own = Report.objects.filter(reporter_id=reporter_id)
        own = own.filter(reason=CALL) if reason == CALL else own.exclude(reason=CALL)
        most, daily = caps.MAX_REPORTS_AT_A_TABLE, caps.MAX_REPORTS_IN_A_DAY
        if reason == CALL:
            most, daily = caps.MAX_CALLS_AT_A_TABLE, caps.MAX_CALLS_IN_A_DAY
        today = own.filter(at__gt=at - timedelta(days=1)).count()
        if own.filter(match=match).count() >= most or today >= daily:
            raise ReportTooMany(match.version)
        made = Report.objects.create(
            match=match,
            reporter_id=reporter_id,
            about_id=about,
            reason=reason,
            text=written,
            quote=quote,
            client_id=client_id,
            at=at,
        )
        if reason == CALL:
            transaction.on_commit(partial(_tell, made.pk, at))
        return Ack(client_id, match.version)


def mark_seen(*, report_id: int, by_id: int, now: datetime) -> bool:
    """A referee has seen to it; False where another had already."""
    unseen = Report.objects.filter(pk=report_id, seen_at=None)
    return bool(unseen.update(seen_by=by_id, seen_at=now))


def _may_call(match: Match, reporter_id: int) -> bool:
    seated = Seat.objects.filter(match=match, player_id=reporter_id).exists()
    return bool(match.about_url) and match.status != Match.Status.FINISHED and seated


def _tell(report_id: int, now: datetime) -> None:
    """The call is stored: whoever hears of it late finds it."""
    for receiver, answer in referee_called.send_robust(sender=Report, report_id=report_id, now=now):
        if isinstance(answer, Exception):
            logger.error("a call of the referee could not be passed on by %s", receiver, exc_info=answer)


def _find_subject(match: Match, reporter_id: int, seat: int | None, line: int | None) -> tuple[int | None, str]:
    """Return the player reported, and the line of the chat; the reporter must have been able to read it."""
    quote = ""
    about: int | None = None
    if line is not None:
        chat_line = ChatLine.objects.filter(match=match, pk=line).first()
        seated = Seat.objects.filter(match=match, player_id=reporter_id).exists()
        if chat_line is None or (seated and chat_line.seat is None):
            raise ReportUnknown(match.version)
        quote = chat_line.text or str(wording.PHRASES.get(chat_line.phrase, chat_line.phrase))
        seat, about = chat_line.seat, chat_line.author_id
    if seat is not None:
        about = Seat.objects.filter(match=match, number=seat).values_list("player_id", flat=True).first()
        if about is None:
            raise ReportUnknown(match.version)
    if about == reporter_id:
        raise ReportUnknown(match.version)
    return about, quote


def list_reports(match_ids: Iterable[int]) -> list[Report]:
    """The last ones about these matches, newest first."""
    reports = Report.objects.filter(match_id__in=match_ids).select_related("match", "reporter", "about")
    return list(reports[:MAX_SHOWN])
