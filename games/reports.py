"""What people at a table ask the referee to look at: kept, and shown to nobody but who runs the tournament or the site.

It decides who may ask and how often, and judges nothing.
"""

from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction

from games import clocks, words
from games.clocks import Now
from games.models import ChatLine, Match, Report, Seat
from games.services import Ack, NotSeated, Refused
from players.text import clean_line

LONGEST = 300  # characters
AT_A_TABLE = 3  # of one person
IN_A_DAY = 10
SHOWN = 50


class ReportTooLong(Refused):
    code = "report_too_long"


class ReportTooMany(Refused):
    """He has asked often enough: at this table, or today."""

    code = "report_too_many"


class ReportUnknown(Refused):
    """There is no such reason, nobody at that seat, no such line, or it is himself."""

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
    """Ask the referee to look at who sits at ``seat``, at a line of the chat and who said it, or at the table.

    A client id that was already used gets its first answer. Raises NotSeated (a visitor without a name),
    ReportUnknown, ReportTooLong, ReportTooMany.
    """
    if reporter_id is None:
        raise NotSeated
    written = clean_line(text)
    with transaction.atomic():
        match = Match.objects.select_for_update(of=("self",)).get(pk=match_id)
        at = clocks.instant(now)
        if Report.objects.filter(match=match, client_id=client_id).exists():
            return Ack(client_id, match.version)
        if reason not in Report.Reason.values:
            raise ReportUnknown(match.version)
        about, said = _about(match, reporter_id, seat, line)
        if len(written) > LONGEST:
            raise ReportTooLong(match.version)
        own = Report.objects.filter(reporter_id=reporter_id)
        today = own.filter(at__gt=at - timedelta(days=1)).count()
        if own.filter(match=match).count() >= AT_A_TABLE or today >= IN_A_DAY:
            raise ReportTooMany(match.version)
        Report.objects.create(
            match=match,
            reporter_id=reporter_id,
            about_id=about,
            reason=reason,
            text=written,
            said=said,
            client_id=client_id,
            at=at,
        )
        return Ack(client_id, match.version)


def _about(match: Match, reporter_id: int, seat: int | None, line: int | None) -> tuple[int | None, str]:
    """Whom it is about, and the line as it was said; the reporter must have been able to read it."""
    said = ""
    about: int | None = None
    if line is not None:
        found = ChatLine.objects.filter(match=match, pk=line).first()
        seated = Seat.objects.filter(match=match, player_id=reporter_id).exists()
        if found is None or (seated and found.seat is None):
            raise ReportUnknown(match.version)
        said = found.text or str(words.PHRASES.get(found.phrase, found.phrase))
        seat, about = found.seat, found.author_id
    if seat is not None:
        about = Seat.objects.filter(match=match, number=seat).values_list("player_id", flat=True).first()
        if about is None:
            raise ReportUnknown(match.version)
    if about == reporter_id:
        raise ReportUnknown(match.version)
    return about, said


def of_tables(match_ids: Iterable[int]) -> list[Report]:
    """The last ones about these matches, newest first."""
    found = Report.objects.filter(match_id__in=match_ids).select_related("match", "reporter", "about")
    return list(found[:SHOWN])
