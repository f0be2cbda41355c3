"""A referee's acts on the clocks of tables in play (F2, F6): hold them, let them run, give time back.

Whole minutes and seconds; the match itself is written by ``games.services.referee`` alone.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q

from games.models import Match, Seat
from games.services import errors, referee
from players.models import Player
from tournaments.core.errors import TournamentError
from tournaments.core.locking import store_version
from tournaments.core.log_details import ClocksActDetail, TimeActDetail, read_detail
from tournaments.core.permissions import may_judge
from tournaments.desk.act import Act, begin_act, locate_fixture, lock_fixture_for, write_act
from tournaments.models import Fixture, LogEntry, Round, ScoreSlip, Tournament
from tournaments.running import round_clocks

MAX_MINUTES = 60  # that are given back at once


def hold_clocks(*, tournament_id: int, fixture_id: int | None, act: Act) -> int:
    """Hold the clocks of a table, or of all. Return how many.

    Those that are held stay so. All (None) is the tournament (F6): no other table opens either, until ``resume_clocks``
    of all. It is no ruling on a fixture, so the table at which the referee plays is held as well (F1).
    """
    return _change_clocks(tournament_id, fixture_id, act, "pause")


def resume_clocks(*, tournament_id: int, fixture_id: int | None, act: Act) -> int:
    """Let the clocks of a table run on, or of all (None). Return how many.

    The referee's own table only runs on if it was held with all (F1): if it was held alone, that was a ruling on it.
    """
    return _change_clocks(tournament_id, fixture_id, act, "resume")


def give_time(*, tournament_id: int, fixture_id: int, player_id: int, minutes: int, act: Act) -> None:
    """Give ``minutes`` back to a player at a table that is open."""
    with transaction.atomic():
        tournament = begin_act(tournament_id, act)
        if tournament is None:
            return
        fixture = lock_fixture_for(tournament, fixture_id, act)
        if not 1 <= minutes <= MAX_MINUTES:
            raise TournamentError("minutes_range", high=MAX_MINUTES)
        match = _require_open_table(fixture)
        seat = match.seats.filter(player=player_id).select_related("player").first()
        if seat is None:
            raise TournamentError("no_such_line")
        before = _read_clock_seconds(match, seat.number)
        try:
            referee.give_time(match_id=match.pk, seat=seat.number, seconds=60 * minutes, now=act.now)
        except errors.Finished:
            raise TournamentError("table_over") from None
        except errors.NothingToGive:
            raise TournamentError("nothing_to_give") from None
        match.refresh_from_db()
        entry = tournament.members.filter(person__player=player_id).values_list("entry_id", flat=True)
        detail = TimeActDetail(
            minutes=minutes,
            place=locate_fixture(fixture),
            entry=entry.first(),
            before=before,
            after=_read_clock_seconds(match, seat.number),
        )
        write_act(tournament, "time", act, detail)
        store_version(tournament)


def _change_clocks(tournament_id: int, fixture_id: int | None, act: Act, what: str) -> int:
    with transaction.atomic():
        tournament = begin_act(tournament_id, act)
        if tournament is None:
            return 0
        if fixture_id is None:
            fixtures = _lock_open_fixtures(tournament)
            if what == "resume":
                fixtures = _leave_out_own(tournament, act.by, fixtures)
        else:
            fixtures = [lock_fixture_for(tournament, fixture_id, act)]
            _require_open_table(fixtures[0])
        done = [fixture for fixture in fixtures if _change_clock(fixture, what, act.now)]
        if fixture_id is not None and not done:
            raise TournamentError("paused_already" if what == "pause" else "not_paused")
        turned = fixture_id is None and _change_tournament(tournament, what, act.now)
        if not done and not turned:
            raise TournamentError("all_paused" if what == "pause" else "none_paused")
        if fixture_id is not None:
            detail = ClocksActDetail(count=1, all=False, place=locate_fixture(done[0]))
        else:
            detail = ClocksActDetail(count=len(done), all=True, fixtures=tuple(fixture.pk for fixture in done))
        write_act(tournament, what, act, detail)
        store_version(tournament)
        return len(done)


def _change_tournament(tournament: Tournament, what: str, now: datetime) -> bool:
    """Hold a tournament or let it run on. Return True if that changed anything (F6).

    The hours of rounds and of tables that were to open move on by as long as it was held.
    """
    if tournament.state != Tournament.State.RUNNING or (tournament.paused_at is None) == (what == "resume"):
        return False
    if what == "pause":
        tournament.paused_at = now
        return True
    assert tournament.paused_at is not None
    held = now - tournament.paused_at
    rounds = Round.objects.filter(tournament=tournament)
    rounds.filter(opens_at__gt=tournament.paused_at).update(opens_at=F("opens_at") + held)
    rounds.filter(remind_at__isnull=False).update(remind_at=F("remind_at") + held)
    round_clocks.move_on(tournament, held)
    _move_on_slips(tournament, held)
    soon = now + timedelta(seconds=tournament.pause)
    waiting = list(Fixture.objects.of(tournament).ready().filter(opens_at__isnull=False).select_related("round"))
    for fixture in waiting:
        assert fixture.opens_at is not None
        hour = fixture.round.opens_at
        # A table that became ready meanwhile waits no longer than its pause.
        fixture.opens_at = min(fixture.opens_at + held, soon if hour is None else max(soon, hour))
    Fixture.objects.bulk_update(waiting, ["opens_at"])
    tournament.paused_at = None
    return True


def _lock_open_fixtures(tournament: Tournament) -> list[Fixture]:
    """Lock every table in play, in the order of the primary keys."""
    playing = Fixture.objects.of(tournament).playing()
    return list(playing.select_for_update(of=("self",)).select_related("round", "match").order_by("pk"))


def _leave_out_own(tournament: Tournament, by: Player, fixtures: Sequence[Fixture]) -> list[Fixture]:
    """Leave out the tables at which the referee plays, but for those that were held with all the others."""
    pauses = LogEntry.objects.filter(tournament=tournament, code="ruling_pause", detail__all=True)
    with_all = {(pk, pause.at) for pause in pauses for pk in read_detail(pause, ClocksActDetail).fixtures}

    def was_held_with_all(fixture: Fixture) -> bool:
        return fixture.match is not None and (fixture.pk, fixture.match.paused_at) in with_all

    return [fixture for fixture in fixtures if was_held_with_all(fixture) or may_judge(tournament, by, fixture)]


def read_pause_options(tournament: Tournament, by: Player) -> tuple[bool, bool]:
    """Tell if a referee can hold all of a running tournament, and if they can let it run on, in one query."""
    playing = Match.objects.filter(fixture__round__tournament=tournament, fixture__state=Fixture.State.PLAYING)
    tables = playing.exclude(status=Match.Status.FINISHED).order_by()
    own = Exists(Seat.objects.filter(match=OuterRef("pk"), player=by))
    kinds = set(tables.annotate(runs=Q(paused_at__isnull=True), own=own).values_list("runs", "own").distinct())
    runs = any(running for running, _own in kinds)
    return tournament.paused_at is None or runs, tournament.paused_at is not None or (False, False) in kinds


def _require_open_table(fixture: Fixture) -> Match:
    """Return the match in play; TournamentError where there is none."""
    if fixture.match is None or fixture.state != Fixture.State.PLAYING:
        raise TournamentError("no_open_table")
    return fixture.match


def _change_clock(fixture: Fixture, what: str, now: datetime) -> bool:
    """Hold a table's clocks or let them run. Return True if that changed anything; a match that is over never does."""
    match = fixture.match
    if match is None or (match.paused_at is None) == (what == "resume"):
        return False
    act = referee.pause if what == "pause" else referee.resume
    try:
        act(match_id=match.pk, now=now)
    except errors.Finished:
        return False
    return True


def _read_clock_seconds(match: Match, seat: int) -> int | None:
    """Return the seconds of the match clock, or None without one."""
    return match.clocks_ms[seat] // 1000 if match.clocks_ms else None


def _move_on_slips(tournament: Tournament, held: timedelta) -> None:
    """Move on the hours at which results enter unconfirmed, after the whole tournament was held (F6)."""
    slips = ScoreSlip.objects.filter(fixture__round__tournament=tournament, due_at__isnull=False)
    slips.update(due_at=F("due_at") + held)
