"""Acts of staff upon reports (U2): a player is judged in a case, and a report is closed. What they know of a case is
read in ``queries``; what an act means for an account is decided in players.
"""

from datetime import datetime

from django.db import transaction
from django.db.models import Q

from games.models import Report, Seat
from games.moderation.queries import is_party
from players.clean_text import clean_line
from players.models import ModerationAct, Player
from players.services.moderation import (
    MAX_REASON_CHARACTERS,
    ModerationRefused,
    answer_appeal,
    judge_player,
    lift_act,
)


def judge_report(
    *, report_id: int, player: Player, by: Player, kind: str, reason: str, days: int | None, now: datetime
) -> ModerationAct:
    """Warn, mute or suspend a player of a reported match. ModerationRefused: own_case, nobody_to_judge and those of
    ``judge_player``."""
    report = Report.objects.select_related("match").get(pk=report_id)
    _require_stranger(report, by)
    seated = Seat.objects.filter(match=report.match, player=player).exists()
    if not seated and player.pk not in (report.about_id, report.reporter_id):
        raise ModerationRefused("nobody_to_judge")
    return judge_player(
        player=player, by=by, kind=kind, reason=reason, days=days, about_match=report.match.public_id, now=now
    )


def judge_person(
    *, player: Player, by: Player, kind: str, reason: str, days: int | None, now: datetime
) -> ModerationAct:
    """Warn, mute or suspend a player, without a report. ModerationRefused: own_case, where one waits that both are
    parties to, and those of ``judge_player``."""
    waiting = Report.objects.filter(closed_at=None).exclude(reason=Report.Reason.CALL).select_related("match")
    about = waiting.filter(Q(about=player) | Q(reporter=player) | Q(match__seats__player=player)).distinct()
    if any(is_party(report, by) for report in about):
        raise ModerationRefused("own_case")
    return judge_player(player=player, by=by, kind=kind, reason=reason, days=days, now=now)


def close_report(*, report_id: int, by: Player, note: str, now: datetime) -> Report:
    """Close a report: whoever moderates is done with it. ModerationRefused: not_staff, own_case, report_closed,
    text_too_long."""
    written = clean_line(note)
    if not by.user.is_staff:
        raise ModerationRefused("not_staff")
    if len(written) > MAX_REASON_CHARACTERS:
        raise ModerationRefused("text_too_long")
    with transaction.atomic():
        report = Report.objects.select_for_update(of=("self",)).select_related("match").get(pk=report_id)
        _require_stranger(report, by)
        if report.closed_at is not None:
            raise ModerationRefused("report_closed")
        report.closed_by, report.closed_at, report.closing_note = by, now, written
        report.save(update_fields=["closed_by", "closed_at", "closing_note"])
    return report


def lift_decision(*, act: ModerationAct, by: Player, reason: str, now: datetime) -> ModerationAct:
    """Lift an act. ModerationRefused: own_case and those of ``lift_act``."""
    _require_no_seat(act, by)
    return lift_act(act_id=act.pk, by=by, reason=reason, now=now)


def answer_decision(*, act: ModerationAct, by: Player, text: str, lift: bool, now: datetime) -> ModerationAct:
    """Answer an appeal. ModerationRefused: own_case and those of ``answer_appeal``."""
    _require_no_seat(act, by)
    return answer_appeal(act_id=act.pk, by=by, text=text, lift=lift, now=now)


def _require_stranger(report: Report, by: Player) -> None:
    """Refuse a moderator who sat at that table, or is reported, or reports."""
    if is_party(report, by):
        raise ModerationRefused("own_case")


def _require_no_seat(act: ModerationAct, by: Player) -> None:
    """Refuse a moderator who sat at the match that an act is about."""
    if act.about_match and Seat.objects.filter(match__public_id=act.about_match, player=by).exists():
        raise ModerationRefused("own_case")
