"""The step inside each Celery worker that does what is due: deadlines, no-shows, house players' moves, results.

It runs in the worker's blueprint (not its consumer's, which stops with the broker), in threads of its own with their
own database connections. It decides nothing: it finds candidates without a transaction and calls the guarded service
for each, which decides under the lock; any number of workers may sweep. Apps register their due work here. No fault of
one piece of work stops another, and none stops the sweep.

It waits for nobody (AT7): a row that somebody else has locked is left to the next round, and what may take long has
another thread than the turns.

While nobody is on the site a lane rests, unless something of its own is due soon (games/site_rest.py): nothing else can
become due meanwhile but by what is done here, and a lane that did something has all others look again.
"""

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import islice
from typing import Any

from celery import bootsteps
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone

from games import house_turns, metrics, selectors, shuffles
from games.front_door import DoorWatch
from games.house_turns import HousePlanner
from games.outages import SWEEPER, Pulse, tidy_connections
from games.services import playing, settlement
from games.site_rest import HORIZON, SiteRest, VisitWatch, worker_rest
from players.caps import MAX_REFUSED_LOCKS, SWEEP_LOCK_SECONDS, SWEEP_STATEMENT_SECONDS, SWEEP_WRITER_SECONDS
from players.db_limits import is_lock_refused, open_own_connection

logger = logging.getLogger(__name__)

SWEEP_SECONDS = 0.25  # from the beginning of a round to that of the next, if it has ended by then
LEAST_REST_SECONDS = 0.02  # seconds between two rounds of a lane that is always late
LOBBY_SECONDS = 1.0  # seconds between two rounds of pairing (B3)
MAX_PER_ROUND = 200  # of each kind of work, in one round
RETRY_FIRST_SECONDS, RETRY_MOST_SECONDS = 0.5, 30.0  # seconds until work that failed is tried again, doubling
STEP_ASIDE_SECONDS = 0.1  # the most that a piece of other work waits while turns are decided
SLOW_SECONDS = 2.0  # one piece of work that takes longer is worth a line in the log


class Lane(StrEnum):
    """Work that shares a thread, so that it waits for nothing but itself."""

    TURNS = "turns"  # deadlines and no-shows alone
    HOUSE = "house"  # moves of house players, thought of beforehand (games/house_turns.py)
    TOURNAMENTS = "tournaments"  # results, starts, tables to open: a draw may take long
    OUTGOING = "outgoing"  # what waits for servers out there
    LOBBY = "lobby"  # seeks, once a second
    UPKEEP = "upkeep"  # what nobody waits for: offers, series, tables that nobody came to


@dataclass(frozen=True, slots=True)
class Work:
    """A kind of due work: ``due(now)`` gives ids, the most urgent first; ``act(id, now)`` does one, guarded."""

    name: str
    due: Callable[[datetime], Iterable[int]]
    act: Callable[[int, datetime], object]
    lane: Lane


_registry: dict[str, Work] = {}


def register(
    name: str, due: Callable[[datetime], Iterable[int]], act: Callable[[int, datetime], object], lane: Lane
) -> None:
    """Add a kind of due work, at start (AppConfig.ready). The same name again replaces it."""
    _registry[name] = Work(name, due, act, lane)


def register_tables() -> None:
    """Register what can be due at a table. An act does nothing if another worker has it, or nothing is due any more."""

    def expire(match_id: int, now: datetime) -> None:
        if settlement.expire_overdue(match_id=match_id, now=now, deliver=False) is None:
            raise RowLocked

    def move_for_house(match_id: int, now: datetime) -> object:
        return playing.play_house_move(match_id=match_id, now=now, plan=house_turns.find_plan(match_id))

    def deliver(match_id: int, now: datetime) -> None:
        settlement.pass_result_on(match_id=match_id, now=now)

    register("turns", selectors.list_due_deadlines, expire, Lane.TURNS)
    register("noshows", selectors.list_due_noshows, expire, Lane.TURNS)
    register("mixing", selectors.list_due_mixing, expire, Lane.TURNS)
    register("register", shuffles.list_unlisted, lambda _key, _now: shuffles.list_drawn(), Lane.UPKEEP)
    register("house", house_turns.list_due, move_for_house, Lane.HOUSE)
    register("results", selectors.list_undelivered, deliver, Lane.TOURNAMENTS)


class RowLocked(Exception):
    """The row of a piece of work is somebody else's now: it is tried in the next round, after the rest."""


class Sweep:
    """Rounds over the registered work of some lanes. Work that raised waits before it is tried again, so that it
    starves nobody; what was locked is tried in the next round, after the rest."""

    def __init__(
        self,
        clock: Callable[[], datetime] = timezone.now,
        pulse: Callable[[], bool] = lambda: True,
        seconds: Callable[[], float] = time.monotonic,
        lanes: Collection[Lane] = tuple(Lane),
        turns_rest: threading.Event | None = None,
    ) -> None:
        """``turns_rest``: shared by the lanes of a process, unset while turns are decided. Those go first: each other
        piece of work waits for them, so that they don't share the interpreter with it."""
        self.clock, self.pulse, self._seconds, self.lanes = clock, pulse, seconds, lanes
        self._turns_rest = turns_rest
        self._failed: dict[tuple[str, int], tuple[float, float]] = {}  # (second to retry at, next delay)
        self._locked: dict[str, set[int]] = {}  # by the work's name, what was locked when it was last tried

    def round(self) -> int:
        """Do what is due now, at most MAX_PER_ROUND of each kind; gives how many pieces of work were done. Never
        raises."""
        done = 0
        for work in [work for work in _registry.values() if work.lane in self.lanes]:
            try:
                waiting = len(self._failed) + len(self._locked.get(work.name, ()))  # they hide nobody else
                ids = list(islice(work.due(self.clock()), MAX_PER_ROUND + waiting))
            except Exception:
                logger.exception("the sweep could not look for due work: %s", work.name)
                tidy_connections()
                continue
            done += self._do_first(work, ids) if work.lane is Lane.TURNS else self._do(work, ids)
        return done

    def expects_work(self, within: timedelta = HORIZON) -> bool:
        """Tell if something is due now or soon, or could not be looked for."""
        for work in [work for work in _registry.values() if work.lane in self.lanes]:
            try:
                if any(True for _ in islice(work.due(self.clock() + within), 1)):
                    return True
            except Exception:
                logger.exception("the sweep could not look for work that will be due: %s", work.name)
                tidy_connections()
                return True
        return False

    def _do_first(self, work: Work, ids: list[int]) -> int:
        """Do these pieces of work while the other lanes step aside."""
        if self._turns_rest is None or not ids:
            return self._do(work, ids)
        self._turns_rest.clear()
        try:
            return self._do(work, ids)
        finally:
            self._turns_rest.set()

    def _do(self, work: Work, ids: list[int]) -> int:
        """Do these pieces of work, until too many of them were locked; gives how many were done."""
        before = self._locked.get(work.name, set())
        locked = self._locked[work.name] = before & set(ids)
        done = refused = 0
        for key in sorted(ids, key=before.__contains__):  # the order of urgency stays otherwise
            try:
                done += self._act(work, key)
                locked.discard(key)
            except (RowLocked, OperationalError) as error:  # of the latter, _act raises a refused lock alone
                if key not in before:
                    logger.info("due work is locked and will be tried again: %s %s", work.name, key)
                locked.add(key)
                refused += not isinstance(error, RowLocked)
                if refused == MAX_REFUSED_LOCKS:  # each was waited for
                    break
        return done

    def _act(self, work: Work, key: int) -> bool:
        retry_at, delay = self._failed.get((work.name, key), (0.0, RETRY_FIRST_SECONDS))
        if self._seconds() < retry_at or not self.pulse():
            return False
        if self._turns_rest is not None and work.lane is not Lane.TURNS:
            self._turns_rest.wait(STEP_ASIDE_SECONDS)
        began = time.monotonic()
        try:
            # An instant taken before the lock can only be too early: nothing happens before it is due.
            work.act(key, self.clock())
        except Exception as error:
            if isinstance(error, RowLocked) or (isinstance(error, OperationalError) and is_lock_refused(error)):
                raise
            logger.exception("due work failed and will be tried again: %s %s", work.name, key)
            self._failed[work.name, key] = (self._seconds() + delay, min(2 * delay, RETRY_MOST_SECONDS))
            tidy_connections()
            return False
        finally:
            took = time.monotonic() - began
            if took > SLOW_SECONDS:
                logger.warning("due work was slow: %s %s took %.1f s", work.name, key, took)
        self._failed.pop((work.name, key), None)
        return True


class LaneThread(threading.Thread):
    """Sweeps one lane until stopped, on a connection of its own that never waits long for a lock."""

    def __init__(
        self,
        sweep: Sweep,
        name: str,
        every: float,
        seconds: Callable[[], float] = time.monotonic,
        rest: SiteRest = worker_rest,
        announce_rest: Callable[[], bool] = lambda: True,
    ) -> None:
        """``announce_rest``: asked before each rest, which begins if it answers True."""
        super().__init__(name=f"sweep-{name}", daemon=True)
        self.sweep, self.every, self._seconds = sweep, every, seconds
        self.rest, self._announce_rest = rest, announce_rest
        self.ended = threading.Event()
        self._connection: BaseDatabaseWrapper | None = None

    def run(self) -> None:
        while not self.ended.is_set():
            began = self._seconds()
            try:
                self._connect()
                calls = self.rest.calls
                if self.rest.is_quiet and not self.sweep.expects_work() and self._announce_rest():
                    self.rest.wait(self.ended, since=calls)
                    continue
                if self.sweep.pulse():
                    with metrics.SWEEP_ROUND_SECONDS.labels(self.name).time():
                        done = self.sweep.round()
                    if done:
                        self.rest.call()
            except Exception:
                logger.exception("a round of the sweep failed: %s", self.name)
                tidy_connections()
            # Of a round that took long the time counts: what fell due meanwhile has waited already.
            self.ended.wait(max(LEAST_REST_SECONDS, began + self.every - self._seconds()))
        connections.close_all()

    def _connect(self) -> None:
        """Open this thread's connection, unless it is still the one in use: a fault inside a transaction ends it."""
        if self._connection is None or connections[DEFAULT_DB_ALIAS] is not self._connection:
            self._connection = open_own_connection(
                lock_seconds=SWEEP_LOCK_SECONDS,
                statement_seconds=SWEEP_STATEMENT_SECONDS,
                writer_seconds=SWEEP_WRITER_SECONDS,
            )


class Sweeper:
    """Threads of one process, one for each lane. That of the turns gives the sign of life: it is what deadlines depend
    on."""

    def __init__(
        self,
        every: float = SWEEP_SECONDS,
        clock: Callable[[], datetime] = timezone.now,
        rest: SiteRest = worker_rest,
    ) -> None:
        self.pulse, self.rest = Pulse(SWEEPER, clock), rest
        turns_rest = threading.Event()
        turns_rest.set()
        self.threads = [
            LaneThread(
                Sweep(
                    clock,
                    self.pulse if lane is Lane.TURNS else self._is_well,
                    lanes=[lane],
                    turns_rest=turns_rest,
                ),
                lane.value,
                max(every, LOBBY_SECONDS) if lane is Lane.LOBBY else every,
                rest=rest,
                announce_rest=self.pulse.announce_rest if lane is Lane.TURNS else self._is_well,
            )
            for lane in Lane
        ]

    def _is_well(self) -> bool:
        return self.pulse.well

    def start(self) -> None:
        for thread in self.threads:
            thread.start()

    def is_alive(self) -> bool:
        """Tell if any of the threads runs."""
        return any(thread.is_alive() for thread in self.threads)

    def stop(self) -> None:
        """End all threads, after the piece of work that they do now."""
        for thread in self.threads:
            thread.ended.set()
        self.rest.call()
        for thread in self.threads:
            if thread.is_alive():
                thread.join(timeout=5)


class SweepStep(bootsteps.StartStopStep):
    """The sweep as a part of the worker, started after its pool has forked, with whoever plans the house's turns and
    the watch at the front door."""

    requires = ("celery.worker.components:Pool",)
    label = "Sweep"

    def __init__(self, worker: Any, **kwargs: Any) -> None:
        super().__init__(worker, **kwargs)
        self.parts: list[Sweeper | HousePlanner | DoorWatch | VisitWatch] = []

    def start(self, worker: Any) -> None:
        self.parts = [Sweeper(), HousePlanner(), DoorWatch(settings.SITE_URL), VisitWatch(worker_rest)]
        for part in self.parts:
            part.start()

    def stop(self, worker: Any) -> None:
        for part in self.parts:
            part.stop()
        self.parts = []

    terminate = stop
