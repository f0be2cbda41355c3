"""The sweep waits for nobody (AT7): whatever others hold or take long over, turns end at their time.

Each test runs the worker's own threads, at an hour that is given, while another connection holds locks; it waits for
what they did, and measures nothing. Its twin has the guard off, and stands still.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from statistics import median
from threading import Event

import pytest
from django.utils import timezone

from games import sweep
from games.clocks import GRACE
from games.locked_match import LockedMatch
from games.models import Liveness, Match, Move
from games.services import playing
from games.sweep import Lane, Sweeper
from players.models import Player
from tests.support.locks import hold, lock_all_rows_but, somebody_waits
from tests.support.people import create_person
from tests.support.play import OPENING, open_ready, sit_down
from tests.support.tables import FIRST, again, seated
from tests.support.tournaments import Opened
from tests.support.waiting import until
from tournaments.core.locking import lock_tournament
from tournaments.entries.join import enter_player
from tournaments.models import Fixture, Tournament

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]

only_on_postgres = pytest.mark.only_on("postgres")  # SQLite has one lock for all, and a test of its own below

FREE_TABLES, HELD_SECONDS = 60, 30
FOR_EVER = 0  # PostgreSQL's lock_timeout for no limit


@pytest.fixture
def late(now: datetime) -> datetime:
    return now + timedelta(hours=1)


@pytest.fixture
def tables(opened: Opened, four: list[Player], now: datetime) -> list[Match]:
    """Two tables of one tournament in play; the turn of the first ends first."""
    tournament = opened()
    for player in four:
        enter_player(tournament_id=tournament.pk, player=player, now=now)
    matches = open_ready(tournament, now + OPENING)
    for number, match in enumerate(matches):
        sit_down(match, now + OPENING + timedelta(seconds=number))
    return matches


@pytest.fixture
def due(opened: Opened, four: list[Player], now: datetime) -> list[Tournament]:
    """Two tournaments with an hour of their own; the first starts first."""
    tournaments = [opened(starts_at=now + timedelta(minutes=minutes)) for minutes in (10, 20)]
    for number, player in enumerate(four):
        enter_player(tournament_id=tournaments[number // 2].pk, player=player, now=now)
    return tournaments


@contextmanager
def sweeping(at: datetime) -> Iterator[Sweeper]:
    """A worker's threads, at that hour."""
    sweeper = Sweeper(every=0.02, clock=lambda: at)
    sweeper.start()
    try:
        yield sweeper
    finally:
        sweeper.stop()


@contextmanager
def stuck(at: datetime, lock: Callable[[], object]) -> Iterator[None]:
    """A worker whose threads wait for what ``lock`` locks, until the block ends."""
    sweeper = Sweeper(every=0.02, clock=lambda: at)
    try:
        with hold(lock):
            sweeper.start()
            until(somebody_waits, what="the sweep to stand still")
            yield
    finally:
        sweeper.stop()


def is_over(match: Match) -> bool:
    return again(match).status == Match.Status.FINISHED


def read_state(tournament: Tournament) -> str:
    return str(Tournament.objects.values_list("state", flat=True).get(pk=tournament.pk))


def claim_by_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LockedMatch, "lock_if_free", LockedMatch.lock)


@only_on_postgres
@pytest.mark.parametrize("guard_off", [None, claim_by_waiting])
def test_a_turn_ends_at_its_time_while_every_other_row_is_locked_at7(
    tables: list[Match], late: datetime, monkeypatch: pytest.MonkeyPatch, guard_off: Callable[..., None] | None
) -> None:
    """Tournament, fixtures, entries, people and the other table, whose turn ended first, are all held. Without the
    first guard the limit of a wait is enough."""
    if guard_off is not None:
        guard_off(monkeypatch)
    held, free = tables
    with hold(lambda: lock_all_rows_but(free)), sweeping(late):
        until(lambda: is_over(free), what="the turn at the table that nobody holds")
        assert again(free).decided_by == "timeout"
        assert again(free).settled_at is None, "its tournament is held"
        assert again(held).status == Match.Status.PLAYING
    with sweeping(late):
        until(lambda: not Match.objects.filter(settled_at=None).exists(), what="the other turn, and both results")
    assert again(held).decided_by == "timeout"
    assert Fixture.objects.filter(result_at__isnull=False).count() == 2


@only_on_postgres
def test_twin_a_sweep_that_waits_for_locks_lets_other_turns_run_on(
    tables: list[Match], late: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim_by_waiting(monkeypatch)
    monkeypatch.setattr(sweep, "SWEEP_LOCK_SECONDS", FOR_EVER)
    held, free = tables
    with stuck(late, lambda: lock_all_rows_but(free)):
        assert not is_over(free)
        assert not is_over(held)


@only_on_postgres
def test_a_tournament_starts_at_its_hour_while_another_is_locked_at7(due: list[Tournament], late: datetime) -> None:
    held, free = due
    with hold(lambda: lock_tournament(held.pk)), sweeping(late):
        until(lambda: read_state(free) == "running", what="the start of the tournament that nobody holds")
        assert read_state(held) == "open"
    with sweeping(late):
        until(lambda: read_state(held) == "running", what="the start of the one that was held")


@only_on_postgres
def test_twin_a_sweep_that_waits_for_a_tournament_starts_no_other(
    due: list[Tournament], late: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "SWEEP_LOCK_SECONDS", FOR_EVER)
    held, free = due
    with stuck(late, lambda: lock_tournament(held.pk)):
        assert [read_state(tournament) for tournament in (held, free)] == ["open", "open"]


@pytest.mark.parametrize(("lane", "in_time"), [(Lane.UPKEEP, True), (Lane.TOURNAMENTS, True), (Lane.TURNS, False)])
def test_a_slow_piece_of_work_delays_no_turn_unless_it_shares_its_lane_at7(
    anna: Player,
    bruno: Player,
    now: datetime,
    late: datetime,
    monkeypatch: pytest.MonkeyPatch,
    lane: Lane,
    in_time: bool,
) -> None:
    """The last case is the twin: in the lane of the turns the same work would stop them."""
    monkeypatch.setattr(sweep, "_registry", dict(sweep._registry))
    begun, enough = Event(), Event()

    def take_long(key: int, now: datetime) -> None:
        begun.set()
        enough.wait(120)

    sweep.register("slow", lambda now: () if enough.is_set() else (1,), take_long, lane)
    with sweeping(late):
        try:
            until(begun.is_set, what="the slow work")
            match = seated([anna, bruno], now, context="free")
            if in_time:
                until(lambda: is_over(match), what="the turn")
            else:
                assert not is_over(match)
        finally:
            enough.set()
        until(lambda: is_over(match), what="the turn")


@only_on_postgres
def test_who_plays_the_last_card_waits_for_no_tournament_at7(tables: list[Match], late: datetime) -> None:
    """The ack comes while the tournament is held; the result follows by the sweep."""
    match = tables[0]
    with hold(lambda: lock_tournament(Tournament.objects.get().pk)):
        playing.abandon(match_id=match.pk, seat=0, control=FIRST, confirm=True, client_id="1", now=match.opened_at)
        assert is_over(match)
        assert again(match).settled_at is None
    with sweeping(late):
        until(lambda: again(match).settled_at, what="the result")


@pytest.mark.only_on("sqlite")
def test_a_writer_that_takes_long_on_sqlite_holds_the_sweep_up_no_longer_than_itself_at7(
    tables: list[Match], late: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There nothing can be written meanwhile: the sweep notices it, and goes on as soon as it can."""
    monkeypatch.setattr(sweep, "SWEEP_WRITER_SECONDS", 0.02)
    with sweeping(late) as sweeper:
        until(Liveness.objects.exists, what="a sign of life")
        with hold(lambda: Tournament.objects.update(version=9)):
            until(lambda: not sweeper.pulse.well, what="the sweep to give its wait up")
        until(lambda: not Match.objects.filter(settled_at=None).exists(), what="both turns, and their results")


@only_on_postgres
@pytest.mark.soak
def test_for_half_a_minute_all_that_can_be_locked_is_and_turns_end_as_ever_at7(
    opened: Opened, four: list[Player], capfd: pytest.CaptureFixture[str]
) -> None:
    """Sixty tables whose turns end one after the other, with a real clock; how late they are is written, not judged."""
    began = timezone.now()
    people = [create_person(f"Giocatore {number}", began) for number in range(2 * FREE_TABLES)]
    free = [
        seated([first, second], began, context="free") for first, second in zip(people[::2], people[1::2], strict=True)
    ]
    tournament = opened(starts_at=began + timedelta(minutes=10))
    for player in four:
        enter_player(tournament_id=tournament.pk, player=player, now=began)
    Tournament.objects.update(due_at=began)
    deadlines: dict[int, datetime] = {}
    sweeper = Sweeper()
    try:
        with hold(lambda: lock_all_rows_but(*free)):
            held = timezone.now()
            for number, match in enumerate(free):
                deadlines[match.pk] = held + timedelta(seconds=1 + number * HELD_SECONDS / FREE_TABLES)
                Match.objects.filter(pk=match.pk).update(deadline_at=deadlines[match.pk])
            sweeper.start()
            until(lambda: all(is_over(match) for match in free), seconds=180, what="every turn")
            assert {again(match).decided_by for match in free} == {"timeout"}
    finally:
        sweeper.stop()
    late = sorted(
        (move.played_at - deadlines[move.match_id] - GRACE).total_seconds()
        for move in Move.objects.filter(text__endswith="timeout")
    )
    assert len(late) == FREE_TABLES
    assert late[0] >= 0
    with capfd.disabled():
        sys.stdout.write(f"\nlate with every lock held: p50 {median(late):.2f} s, the latest {late[-1]:.2f} s\n")
