"""Calls from the tables: they reach the referees at once, and a referee marks them as seen (F4)."""

from datetime import datetime

from django.db import transaction

from games import reports
from games.models import Report
from players.models import Player
from tournaments.core import notify
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version
from tournaments.core.permissions import may_judge, require_referee
from tournaments.desk.queries import list_referee_ids
from tournaments.models import Fixture, Tournament


@transaction.atomic
def announce_call(*, report_id: int, now: datetime) -> None:
    """Show a new call on every open page of the referees who don't play at that table. Free tables have none."""
    _tell_referees(Report.objects.get(pk=report_id).match_id, "referee_called")


@transaction.atomic
def announce_held_clocks(*, match_id: int) -> None:
    """Tell the same referees that a table's clocks stand, because an outage took more than they give back by
    themselves."""
    _tell_referees(match_id, "clocks_held")


def _tell_referees(match_id: int, code: str) -> None:
    fixture = Fixture.objects.filter(match=match_id).select_related("round").first()
    if fixture is None:
        return
    tell_referees(lock_tournament(fixture.round.tournament_id), fixture, code)


def tell_referees(tournament: Tournament, fixture: Fixture, code: str) -> None:
    """Notify the referees of a locked tournament who don't play in this fixture, and store a new version."""
    called = Player.objects.filter(pk__in=list_referee_ids(tournament), user__is_active=True)
    free = [player.pk for player in called if may_judge(tournament, player, fixture)]
    notify.tell_people(tournament, free, code, "tournament-desk")
    store_version(tournament)


@transaction.atomic
def answer_call(*, tournament_id: int, report_id: int, by: Player, now: datetime) -> bool:
    """Mark a call as seen by a referee and notify the caller; False where it was seen already."""
    tournament = lock_tournament(tournament_id)
    require_referee(tournament, by)
    report = Report.objects.filter(pk=report_id).first()
    fixture = None if report is None else _find_fixture(report)
    if report is None or fixture is None or not _is_of(tournament, fixture):
        raise TournamentError("no_such_call")
    if not may_judge(tournament, by, fixture):
        raise TournamentError("plays_there")
    if not reports.mark_seen(report_id=report_id, by_id=by.pk, now=now):
        return False
    notify.tell_people(tournament, [report.reporter_id], "call_seen")
    store_version(tournament)
    return True


def _find_fixture(report: Report) -> Fixture | None:
    return Fixture.objects.filter(match=report.match_id).select_related("round").first()


def _is_of(tournament: Tournament, fixture: Fixture) -> bool:
    return fixture.round.tournament_id == tournament.pk
