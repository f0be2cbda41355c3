"""The step inside each Celery worker that does what is due: deadlines, no-shows, house players' moves, results.

It runs in the worker's blueprint (not its consumer's, which stops with the broker), in a thread of its own with its own
database connection. It decides nothing: it finds candidates without a transaction and calls the guarded service for
each, which decides under the lock; any number of workers may sweep. Apps register their due work here. No fault of one
piece of work stops another, and none stops the sweep.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from celery import bootsteps
from django.conf import settings
from django.db import connections
from django.utils import timezone

from games import selectors
from games.front_door import DoorWatch
from games.heartbeat import SWEEPER, Pulse, tidy_connections
from games.services import playing, settlement

logger = logging.getLogger(__name__)

SWEEP_SECONDS = 0.25  # seconds
MAX_PER_ROUND = 200  # of each kind of work, in one round
RETRY_FIRST_SECONDS, RETRY_MOST_SECONDS = 0.5, 30.0  # seconds until work that failed is tried again, doubling


@dataclass(frozen=True)
class Work:
    """A kind of due work: ``due(now)`` gives ids, the most urgent first; ``act(id, now)`` does one, guarded."""

    name: str
    due: Callable[[datetime], Iterable[int]]
    act: Callable[[int, datetime], object]


_registry: dict[str, Work] = {}


def register(name: str, due: Callable[[datetime], Iterable[int]], act: Callable[[int, datetime], object]) -> None:
    """Add a kind of due work, at start (AppConfig.ready). The same name again replaces it."""
    _registry[name] = Work(name, due, act)


def register_tables() -> None:
    """Register what can be due at a table. An act does nothing if another worker has it, or nothing is due any more."""

    def expire(match_id: int, now: datetime) -> object:
        return settlement.expire_overdue(match_id=match_id, now=now, skip_locked=True)

    def move_for_house(match_id: int, now: datetime) -> object:
        return playing.play_house_move(match_id=match_id, now=now)

    def deliver(match_id: int, now: datetime) -> object:
        if not settlement.deliver_result(match_id=match_id, now=now):
            raise Undelivered(match_id)
        return None

    register("turns", selectors.list_due_deadlines, expire)
    register("noshows", selectors.list_due_noshows, expire)
    register("house", selectors.list_due_house_moves, move_for_house)
    register("results", selectors.list_undelivered, deliver)


class Undelivered(Exception):
    """A result that no receiver could take in; the reason is in the log."""


class Sweep:
    """Rounds over all registered work. Work that raised waits before it is tried again, so that it starves nobody."""

    def __init__(
        self,
        clock: Callable[[], datetime] = timezone.now,
        pulse: Callable[[], bool] = lambda: True,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self.clock, self.pulse, self._seconds = clock, pulse, seconds
        self._failed: dict[tuple[str, int], tuple[float, float]] = {}  # (second to retry at, next delay)

    def round(self) -> int:
        """Do what is due now, at most BATCH of each kind; gives how many pieces of work were done. Never raises."""
        done = 0
        for work in tuple(_registry.values()):
            try:
                ids = list(islice(work.due(self.clock()), MAX_PER_ROUND + len(self._failed)))
            except Exception:
                logger.exception("the sweep could not look for due work: %s", work.name)
                tidy_connections()
                continue
            for key in ids:
                done += self._act(work, key)
        return done

    def _act(self, work: Work, key: int) -> bool:
        retry_at, delay = self._failed.get((work.name, key), (0.0, RETRY_FIRST_SECONDS))
        if self._seconds() < retry_at or not self.pulse():
            return False
        try:
            # An instant taken before the lock can only be too early: nothing happens before it is due.
            work.act(key, self.clock())
        except Exception:
            logger.exception("due work failed and will be tried again: %s %s", work.name, key)
            self._failed[work.name, key] = (self._seconds() + delay, min(2 * delay, RETRY_MOST_SECONDS))
            tidy_connections()
            return False
        self._failed.pop((work.name, key), None)
        return True


class SweepThread(threading.Thread):
    """Beats and sweeps until stopped."""

    def __init__(self, every: float = SWEEP_SECONDS, clock: Callable[[], datetime] = timezone.now) -> None:
        super().__init__(name="sweep", daemon=True)
        self.every = every
        self.pulse = Pulse(SWEEPER, clock)
        self.sweep = Sweep(clock, self.pulse)
        self.ended = threading.Event()

    def run(self) -> None:
        while not self.ended.is_set():
            try:
                if self.pulse():
                    self.sweep.round()
            except Exception:
                logger.exception("a round of the sweep failed")
                tidy_connections()
            self.ended.wait(self.every)
        connections.close_all()

    def stop(self) -> None:
        self.ended.set()
        if self.is_alive():
            self.join(timeout=5)


class SweepStep(bootsteps.StartStopStep):
    """The sweep as a part of the worker, started after its pool has forked, and the watch at the front door."""

    requires = ("celery.worker.components:Pool",)
    label = "Sweep"

    def __init__(self, worker: Any, **kwargs: Any) -> None:
        super().__init__(worker, **kwargs)
        self.threads: list[SweepThread | DoorWatch] = []

    def start(self, worker: Any) -> None:
        self.threads = [SweepThread(), DoorWatch(settings.SITE_URL)]
        for thread in self.threads:
            thread.start()

    def stop(self, worker: Any) -> None:
        for thread in self.threads:
            thread.stop()
        self.threads = []

    terminate = stop
