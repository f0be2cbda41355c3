"""The round clock at real tables (O6): one for each wave of a round, which the organiser starts, holds and lengthens.

In a KO a fixture that is known only after its round began has one for itself.

It tells the time and does nothing else: no match ends by it, and without one a round ends with its last result. Held
with all of the tournament (F6), every clock runs on when that does.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F

from games.engine.scores import CUT_SHORT
from players.models import Player
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import RoundClockDetail
from tournaments.core.permissions import require_organiser
from tournaments.core.wording import name_clock
from tournaments.models import Fixture, RoundClock, Tournament

MAX_MORE_MINUTES = 60  # that are given at once
NO_TIME = timedelta()


@dataclass(frozen=True, slots=True)
class ClockPlace:
    """The place of a clock: a round by its number, a wave, and the ``board`` that has it for itself; 0: the wave's."""

    number: int
    wave: int
    board: int = 0

    def __str__(self) -> str:
        return "-".join(map(str, (self.number, self.wave, self.board) if self.board else (self.number, self.wave)))

    @classmethod
    def parse(cls, text: str) -> "ClockPlace | None":
        """Return the place that ``str`` gave; None for anything else."""
        parts = text.split("-")
        if len(parts) not in (2, 3) or not all(part.isascii() and part.isdigit() and len(part) <= 4 for part in parts):
            return None
        return cls(*map(int, parts))


@dataclass(frozen=True, slots=True)
class ClockRow:
    """A clock as everybody reads it. ``ends_at`` is None before its start; ``held``: the time that is left, while it
    stands still; ``more``: tables with minutes of their own."""

    place: ClockPlace
    name: str
    ends_at: datetime | None = None
    held: timedelta | None = None
    over: bool = False
    more: tuple[tuple[int, int], ...] = ()

    @property
    def number(self) -> int:
        return self.place.number

    @property
    def wave(self) -> int:
        return self.place.wave

    @property
    def board(self) -> int:
        return self.place.board


def read_clocks(tournament: Tournament, now: datetime) -> list[ClockRow]:
    """Return the clocks of the waves and fixtures that are being played, in order; none where rounds have no clock."""
    if tournament.clock_minutes is None or tournament.state != Tournament.State.RUNNING:
        return []
    playing = Fixture.objects.of(tournament).open().filter(table__isnull=False).order_by("round", "wave", "table")
    rows: dict[ClockPlace, ClockRow] = {}
    started = RoundClock.objects.filter(round__tournament=tournament).select_related("round")
    clocks = {ClockPlace(clock.round.number, clock.wave, clock.board): clock for clock in started}
    more: dict[ClockPlace, list[tuple[int, int]]] = {}
    for fixture in playing.select_related("round"):
        assert fixture.table is not None
        place, round_ = find_place(fixture), fixture.round
        own = fixture.table if place.board else None
        rows.setdefault(place, ClockRow(place, name_clock(round_.name, round_.number, place.wave, own)))
        if fixture.extra_minutes:
            more.setdefault(place, []).append((fixture.table, fixture.extra_minutes))
    read = [_read_clock(row, clocks.get(at), tuple(more.get(at, ())), tournament, now) for at, row in rows.items()]
    return sorted(read, key=lambda row: (row.number, row.wave, row.board))


def find_place(fixture: Fixture) -> ClockPlace:
    """Return the place of the clock by which a fixture at a real table is played."""
    assert fixture.wave is not None
    return ClockPlace(fixture.round.number, fixture.wave, fixture.board if fixture.own_clock else 0)


def read_clock_of(fixture: Fixture, now: datetime) -> list[ClockRow]:
    """Return the clock of a fixture that is being played; none where it has none."""
    if fixture.wave is None or fixture.state not in Fixture.OPEN:
        return []
    place = find_place(fixture)
    return [row for row in read_clocks(fixture.round.tournament, now) if row.place == place]


def _read_clock(
    row: ClockRow, clock: RoundClock | None, more: tuple[tuple[int, int], ...], tournament: Tournament, now: datetime
) -> ClockRow:
    if clock is None:
        return row
    left = _compute_left(clock, tournament, now)
    held = None if _find_stop(clock, tournament) is None else max(NO_TIME, left)
    return ClockRow(row.place, row.name, clock.ends_at, held, left <= NO_TIME, more)


def is_time_up(fixture: Fixture, now: datetime) -> bool:
    """Tell if the time of this fixture's table is over, or was when its result came in: it may be cut short (O6)."""
    ways = [fixture.decided_by, *(game["decided_by"] for game in fixture.games or ())]
    if CUT_SHORT in ways or fixture.wave is None:
        return CUT_SHORT in ways
    board = find_place(fixture).board
    clock = RoundClock.objects.filter(round=fixture.round, wave=fixture.wave, board=board).first()
    if clock is None:
        return False
    return _compute_left(clock, fixture.round.tournament, now) + timedelta(minutes=fixture.extra_minutes) <= NO_TIME


def _find_stop(clock: RoundClock, tournament: Tournament) -> datetime | None:
    """Return since when a clock stands still, by itself or with everything (F6); None while it runs."""
    return clock.paused_at or tournament.paused_at


def _compute_left(clock: RoundClock, tournament: Tournament, now: datetime) -> timedelta:
    return clock.ends_at - (_find_stop(clock, tournament) or now)


def start_clock(*, tournament_id: int, place: ClockPlace, by: Player, now: datetime) -> None:
    """Start a clock, which ends a break. TournamentError: no_clock; clock_held; clock_changed, where it was started."""
    with _change_clock(tournament_id, place, by) as (tournament, playing, clock):
        if clock is not None:
            raise TournamentError("clock_changed")
        assert tournament.clock_minutes is not None
        ends_at = now + timedelta(minutes=tournament.clock_minutes)
        round_ = playing[0].round
        RoundClock.objects.create(round=round_, wave=place.wave, board=place.board, ends_at=ends_at)
        tournament.break_until = None
        _log(tournament, "clock_started", playing, by, now, minutes=tournament.clock_minutes)


def pause_clock(*, tournament_id: int, place: ClockPlace, by: Player, now: datetime) -> None:
    """Hold a clock that runs. TournamentError: no_clock; clock_held; clock_changed, where it doesn't."""
    with _change_clock(tournament_id, place, by) as (tournament, playing, clock):
        if clock is None or clock.paused_at is not None:
            raise TournamentError("clock_changed")
        clock.paused_at = now
        clock.save()
        _log(tournament, "clock_paused", playing, by, now)


def resume_clock(*, tournament_id: int, place: ClockPlace, by: Player, now: datetime) -> None:
    """Let a clock run on, which ends a break. TournamentError: no_clock; clock_held; clock_changed, where it runs."""
    with _change_clock(tournament_id, place, by) as (tournament, playing, clock):
        if clock is None or clock.paused_at is None:
            raise TournamentError("clock_changed")
        clock.ends_at += now - clock.paused_at
        clock.paused_at = None
        clock.save()
        tournament.break_until = None
        _log(tournament, "clock_resumed", playing, by, now)


def give_more(
    *, tournament_id: int, place: ClockPlace, minutes: int, table: int | None, by: Player, now: datetime
) -> None:
    """Give more time to all tables of a clock, or to one of them: what was over goes on from now.

    TournamentError: no_clock; clock_held; clock_changed, where it wasn't started; clock_minutes_range; clock_table.
    """
    if not 1 <= minutes <= MAX_MORE_MINUTES:
        raise TournamentError("clock_minutes_range", high=MAX_MORE_MINUTES)
    with _change_clock(tournament_id, place, by) as (tournament, playing, clock):
        if clock is None:
            raise TournamentError("clock_changed")
        given = timedelta(minutes=minutes)
        if table is None:
            since_end = max(timedelta(), (_find_stop(clock, tournament) or now) - clock.ends_at)
            clock.ends_at += since_end + given
            clock.save()
            _take_off(playing, since_end)
        else:
            fixture = next((fixture for fixture in playing if fixture.table == table), None)
            if fixture is None:
                raise TournamentError("clock_table")
            since = -(_compute_left(clock, tournament, now) // timedelta(minutes=1))  # minutes after its end
            fixture.extra_minutes = max(fixture.extra_minutes, since) + minutes
            fixture.save(update_fields=["extra_minutes"])
        _log(tournament, "clock_extended", playing, by, now, minutes=minutes, table=table)


def _take_off(fixtures: Sequence[Fixture], since_end: timedelta) -> None:
    """Take what a table was given to catch up with a clock that was over off its minutes: the clock runs again."""
    caught_up = -(-since_end // timedelta(minutes=1))
    for fixture in fixtures if caught_up else ():
        if fixture.extra_minutes:
            fixture.extra_minutes = max(0, fixture.extra_minutes - caught_up)
            fixture.save(update_fields=["extra_minutes"])


def move_on(tournament: Tournament, held: timedelta) -> None:
    """Move on the clocks that stood still with all of the tournament (F6), but for those that are held themselves."""
    clocks = RoundClock.objects.filter(round__tournament=tournament, paused_at=None)
    clocks.update(ends_at=F("ends_at") + held)


@contextmanager
def _change_clock(
    tournament_id: int, place: ClockPlace, by: Player
) -> Iterator[tuple[Tournament, list[Fixture], RoundClock | None]]:
    """Lock the tournament and yield it with the fixtures that a clock is for, and the clock where it was started; a
    version is stored afterwards."""
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        require_organiser(tournament, by)
        open_ = Fixture.objects.of(tournament).open().filter(round__number=place.number, wave=place.wave)
        seated = open_.filter(table__isnull=False, own_clock=bool(place.board)).select_related("round")
        playing = list(seated.filter(board=place.board) if place.board else seated)
        if not playing or tournament.clock_minutes is None:
            raise TournamentError("no_clock")
        if tournament.paused_at is not None:
            raise TournamentError("clock_held")
        yield tournament, playing, playing[0].round.clocks.filter(wave=place.wave, board=place.board).first()
        store_version(tournament)


def _log(
    tournament: Tournament,
    code: str,
    playing: Sequence[Fixture],
    by: Player,
    now: datetime,
    *,
    minutes: int = 0,
    table: int | None = None,
) -> None:
    one, round_ = playing[0], playing[0].round
    assert one.wave is not None
    own = one.table if one.own_clock else None
    called = (round_.name, round_.number)
    detail = RoundClockDetail(round=called, wave=one.wave, minutes=minutes, table=table, own=own)
    write_log(tournament, code, now, by, detail)
