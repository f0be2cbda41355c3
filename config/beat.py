"""Celery's beat as a thread of a worker (``--with-beat SCHEDULE``), for a site of one machine: one process less.

On several machines it is a program of its own, exactly one (docs/deploy.md), and no worker has it. While nobody is on
the site and no clock runs, there is nobody to be told anything within seconds: what housekeeping there is then waits
for a minute.
"""

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from celery import Celery, bootsteps
from celery.beat import PersistentScheduler, ScheduleEntry, Service
from django.db import connections

from games.outages import list_running_clocks, tidy_connections
from games.site_rest import worker_rest

logger = logging.getLogger(__name__)

LOOK_SECONDS = 2.0  # between two looks at what is due, at most
REST_SECONDS = 60.0  # at rest, each task is sent once in so long at most


def is_at_rest() -> bool:
    """Tell if nobody is on the site and nobody's clock runs; no where that can't be known."""
    if not worker_rest.is_quiet:
        return False
    try:
        return not list_running_clocks().exists()
    except Exception:
        logger.exception("the beat could not look whether a clock runs")
        tidy_connections()
        return False


class RestingScheduler(PersistentScheduler):
    """Schedule of the beat, thinned out at rest."""

    def __init__(self, *args: Any, seconds: Callable[[], float] = time.monotonic, **kwargs: Any) -> None:
        self._seconds = seconds
        self._sent_at: dict[str, float] = {}
        super().__init__(*args, **kwargs)

    def apply_entry(self, entry: ScheduleEntry, producer: Any = None) -> None:
        """Send a task that is due, but at rest if it was sent within the minute."""
        now = self._seconds()
        if is_at_rest() and now - self._sent_at.get(entry.name, float("-inf")) < REST_SECONDS:
            return
        self._sent_at[entry.name] = now
        super().apply_entry(entry, producer)


class BeatThread(threading.Thread):
    """Beats until stopped."""

    def __init__(self, app: Celery, schedule: str) -> None:
        super().__init__(name="beat", daemon=True)
        self.service = Service(
            app, max_interval=LOOK_SECONDS, schedule_filename=schedule, scheduler_cls=RestingScheduler
        )

    def run(self) -> None:
        try:
            self.service.start()
        finally:
            connections.close_all()

    def stop(self) -> None:
        """End the thread, after the task that it sends now."""
        self.service.stop()
        if self.is_alive():
            self.join(timeout=2 * LOOK_SECONDS)


class BeatStep(bootsteps.StartStopStep):
    """The beat as a part of the worker, where its command line names the file in which it remembers what ran when."""

    requires = ("celery.worker.components:Pool",)
    label = "Housekeeping"
    conditional = True

    def __init__(self, worker: Any, with_beat: str | None = None, **kwargs: Any) -> None:
        super().__init__(worker, **kwargs)
        self.enabled = bool(with_beat)
        self.schedule = with_beat or ""
        self.thread: BeatThread | None = None

    def start(self, worker: Any) -> None:
        self.thread = BeatThread(worker.app, self.schedule)
        self.thread.start()

    def stop(self, worker: Any) -> None:
        if self.thread is not None:
            self.thread.stop()
        self.thread = None

    terminate = stop
