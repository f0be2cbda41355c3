"""The round clock at real tables (O6): one for each wave of a round, which the organiser starts, holds and lengthens.

It tells the time and does nothing else: no match ends by it, and without one a round ends with its last result. Held
with all of the tournament (F6), every clock runs on when that does.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, QuerySet

from games.engine.scores import CUT_SHORT
from players.models import Player
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import RoundClockDetail
from tournaments.core.permissions import require_organiser
from tournaments.core.wording import name_clock
from tournaments.models import Fixture, Round, RoundClock, Tournament

MAX_MORE_MINUTES = 60  # that are given at once
NO_TIME = timedelta()


@dataclass(frozen=True, slots=True)
class ClockRow:
    """A clock as everybody reads it. ``ends_at`` is None before its start; ``held``: the time that is left, while it
    stands still; ``more``: tables with minutes of their own."""

    number: int
    wave: int
    name: str
    ends_at: datetime | None = None
    held: timedelta | None = None
    over: bool = False
    more: tuple[tuple[int, int], ...] = ()


def read_clocks(tournament: Tournament, now: datetime) -> list[ClockRow]:
    """Return the clocks of the waves that are being played, in order; none where rounds have no clock."""
    if tournament.clock_minutes is None or tournament.state != Tournament.State.RUNNING:
        return []
    playing = Fixture.objects.of(tournament).open().filter(table__isnull=False).order_by("round", "wave", "table")
    waves: dict[tuple[int, int], ClockRow] = {}
    clocks = {(clock.round_id, clock.wave): clock for clock in RoundClock.objects.filter(round__tournament=tournament)}
    more: dict[tuple[int, int], list[tuple[int, int]]] = {}
    fields = ("round", "round__name", "round__number", "wave", "table", "extra_minutes")
    for round_id, name, number, wave, table, minutes in playing.values_list(*fields):
        at = (round_id, wave)
        waves.setdefault(at, ClockRow(number, wave, name_clock(name, number, wave)))
        if minutes:
            more.setdefault(at, []).append((table, minutes))
    rows = [_read_clock(row, clocks.get(at), tuple(more.get(at, ())), tournament, now) for at, row in waves.items()]
    return sorted(rows, key=lambda row: (row.number, row.wave))


def _read_clock(
    row: ClockRow, clock: RoundClock | None, more: tuple[tuple[int, int], ...], tournament: Tournament, now: datetime
) -> ClockRow:
    if clock is None:
        return row
    left = _compute_left(clock, tournament, now)
    held = None if _find_stop(clock, tournament) is None else max(NO_TIME, left)
    return ClockRow(row.number, row.wave, row.name, clock.ends_at, held, left <= NO_TIME, more)


def is_time_up(fixture: Fixture, now: datetime) -> bool:
    """Tell if the time of this fixture's table is over, or was when its result came in: it may be cut short (O6)."""
    if fixture.decided_by == CUT_SHORT or fixture.wave is None:
        return fixture.decided_by == CUT_SHORT
    clock = RoundClock.objects.filter(round=fixture.round, wave=fixture.wave).first()
    if clock is None:
        return False
    return _compute_left(clock, fixture.round.tournament, now) + timedelta(minutes=fixture.extra_minutes) <= NO_TIME


def _find_stop(clock: RoundClock, tournament: Tournament) -> datetime | None:
    """Return since when a clock stands still, by itself or with everything (F6); None while it runs."""
    return clock.paused_at or tournament.paused_at


def _compute_left(clock: RoundClock, tournament: Tournament, now: datetime) -> timedelta:
    return clock.ends_at - (_find_stop(clock, tournament) or now)


def start_clock(*, tournament_id: int, number: int, wave: int, by: Player, now: datetime) -> None:
    """Start the clock of a wave. TournamentError: no_clock; clock_held; clock_changed, where it was started."""
    with _change_clock(tournament_id, number, wave, by) as (tournament, round_, clock):
        if clock is not None:
            raise TournamentError("clock_changed")
        assert tournament.clock_minutes is not None
        ends_at = now + timedelta(minutes=tournament.clock_minutes)
        RoundClock.objects.create(round=round_, wave=wave, ends_at=ends_at)
        _log(tournament, "clock_started", round_, wave, by, now, minutes=tournament.clock_minutes)


def pause_clock(*, tournament_id: int, number: int, wave: int, by: Player, now: datetime) -> None:
    """Hold a clock that runs. TournamentError: no_clock; clock_held; clock_changed, where it doesn't."""
    with _change_clock(tournament_id, number, wave, by) as (tournament, round_, clock):
        if clock is None or clock.paused_at is not None:
            raise TournamentError("clock_changed")
        clock.paused_at = now
        clock.save()
        _log(tournament, "clock_paused", round_, wave, by, now)


def resume_clock(*, tournament_id: int, number: int, wave: int, by: Player, now: datetime) -> None:
    """Let a clock run on. TournamentError: no_clock; clock_held; clock_changed, where it runs."""
    with _change_clock(tournament_id, number, wave, by) as (tournament, round_, clock):
        if clock is None or clock.paused_at is None:
            raise TournamentError("clock_changed")
        clock.ends_at += now - clock.paused_at
        clock.paused_at = None
        clock.save()
        _log(tournament, "clock_resumed", round_, wave, by, now)


def give_more(
    *, tournament_id: int, number: int, wave: int, minutes: int, table: int | None, by: Player, now: datetime
) -> None:
    """Give more time to a wave, or to one of its tables: what was over goes on from now.

    TournamentError: no_clock; clock_held; clock_changed, where it wasn't started; clock_minutes_range; clock_table.
    """
    if not 1 <= minutes <= MAX_MORE_MINUTES:
        raise TournamentError("clock_minutes_range", high=MAX_MORE_MINUTES)
    with _change_clock(tournament_id, number, wave, by) as (tournament, round_, clock):
        if clock is None:
            raise TournamentError("clock_changed")
        given = timedelta(minutes=minutes)
        if table is None:
            since_end = max(timedelta(), (_find_stop(clock, tournament) or now) - clock.ends_at)
            clock.ends_at += since_end + given
            clock.save()
            _take_off(round_.fixtures.open().filter(wave=wave), since_end)
        else:
            fixture = round_.fixtures.open().filter(wave=wave, table=table).first()
            if fixture is None:
                raise TournamentError("clock_table")
            since = -(_compute_left(clock, tournament, now) // timedelta(minutes=1))  # minutes after its end
            fixture.extra_minutes = max(fixture.extra_minutes, since) + minutes
            fixture.save(update_fields=["extra_minutes"])
        _log(tournament, "clock_extended", round_, wave, by, now, minutes=minutes, table=table)


def _take_off(fixtures: QuerySet[Fixture], since_end: timedelta) -> None:
    """Take what a table was given to catch up with a clock that was over off its minutes: the clock runs again."""
    caught_up = -(-since_end // timedelta(minutes=1))
    for fixture in fixtures.filter(extra_minutes__gt=0) if caught_up else ():
        fixture.extra_minutes = max(0, fixture.extra_minutes - caught_up)
        fixture.save(update_fields=["extra_minutes"])


def move_on(tournament: Tournament, held: timedelta) -> None:
    """Move on the clocks that stood still with all of the tournament (F6), but for those that are held themselves."""
    clocks = RoundClock.objects.filter(round__tournament=tournament, paused_at=None)
    clocks.update(ends_at=F("ends_at") + held)


@contextmanager
def _change_clock(
    tournament_id: int, number: int, wave: int, by: Player
) -> Iterator[tuple[Tournament, Round, RoundClock | None]]:
    """Lock the tournament and yield it with a round and the clock of its wave; a version is stored afterwards."""
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        require_organiser(tournament, by)
        round_ = tournament.rounds.filter(number=number).first()
        playing = round_ is not None and round_.fixtures.open().filter(wave=wave, table__isnull=False).exists()
        if round_ is None or not playing or tournament.clock_minutes is None:
            raise TournamentError("no_clock")
        if tournament.paused_at is not None:
            raise TournamentError("clock_held")
        yield tournament, round_, round_.clocks.filter(wave=wave).first()
        store_version(tournament)


def _log(
    tournament: Tournament,
    code: str,
    round_: Round,
    wave: int,
    by: Player,
    now: datetime,
    *,
    minutes: int = 0,
    table: int | None = None,
) -> None:
    detail = RoundClockDetail(round=(round_.name, round_.number), wave=wave, minutes=minutes, table=table)
    write_log(tournament, code, now, by, detail)
