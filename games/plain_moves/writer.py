"""The thread of a process that commits plans: it takes all that wait and writes them in one transaction.

No fsync, lock or checkpoint is ever waited for in the event loop. A plan that had to wait is made anew, so that its
instant is never far from its commit. Whatever doesn't succeed here isn't refused: it goes the long way, whose answer
counts. On SQLite, where only one may write, the long way of sockets takes this thread too.
"""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, ParamSpec, TypeVar

from django.db import DatabaseError, connection, connections, transaction

from games import broadcast, match_cache, metrics
from games.clocks import Now
from games.match_cache import CommittedMatch
from games.plain_moves.batch import StalePlans, write_plans
from games.plain_moves.plan import MovePlan, plan_move
from players.realtime import db_executor

logger = logging.getLogger(__name__)

FRESH_SECONDS = 0.05  # an older plan is made anew
MAX_BATCH = 200

P = ParamSpec("P")
R = TypeVar("R")


class WaitingPlan(NamedTuple):
    """A plan that waits for the writer, and who waits for it."""

    plan: MovePlan
    now: Now
    answer: "asyncio.Future[CommittedMatch | None]"


@dataclass(slots=True)
class Job:
    """Other work for the writer's connection."""

    work: Callable[[], Any]
    answer: "asyncio.Future[Any]"


def commit_plans(waiting: Sequence[tuple[MovePlan, Now]]) -> list[MovePlan | None]:
    """Commit these plans in one transaction, or each alone where that fails; None for those that go the long way."""
    first: dict[int, int] = {}
    for place, (plan, _) in enumerate(waiting):
        first.setdefault(plan.move.match_id, place)  # of two at one match only one can hold
    places = list(first.values())
    together = _commit([waiting[place] for place in places])
    results: list[MovePlan | None] = [None] * len(waiting)
    for place, committed in zip(places, together or [None] * len(places), strict=True):
        if together is None:
            committed = (_commit([waiting[place]]) or [None])[0]
        results[place] = committed
    return results


def _commit(waiting: Sequence[tuple[MovePlan, Now]]) -> list[MovePlan | None] | None:
    """Commit plans together, those that waited made anew; None if one of them didn't hold."""
    try:
        with transaction.atomic():
            plans = [_renew(plan, now) for plan, now in waiting]
            if fresh := [plan for plan in plans if plan is not None]:
                write_plans(fresh)
    except StalePlans:
        return None
    except DatabaseError as error:
        logger.info("moves will be written one by one: %r", error)
        return None
    for plan in fresh:
        match_cache.put_committed(plan.after)
    return plans


def _renew(plan: MovePlan, now: Now) -> MovePlan | None:
    return plan if time.monotonic() - plan.made_at <= FRESH_SECONDS else plan_move(plan.request, now)


class Writer(threading.Thread):
    """The thread, its queue and its connection."""

    def __init__(self) -> None:
        super().__init__(name="plain-moves", daemon=True)
        self._queue: SimpleQueue[WaitingPlan | Job | None] = SimpleQueue()

    def put(self, item: WaitingPlan | Job) -> None:
        self._queue.put(item)

    def stop(self) -> None:
        """Write what waits, and end."""
        self._queue.put(None)
        if self.is_alive():
            self.join(timeout=5)

    def run(self) -> None:
        ended = False
        while not ended:
            plans: list[WaitingPlan] = []
            job: Job | None = None
            item = self._queue.get()
            while True:
                if item is None:
                    ended = True
                elif isinstance(item, Job):
                    job = item
                else:
                    plans.append(item)
                if ended or job is not None or len(plans) == MAX_BATCH:
                    break
                try:
                    item = self._queue.get_nowait()
                except Empty:
                    break
            if plans:
                self._write(plans)
            if job is not None:
                self._work(job)
        connections.close_all()

    def _write(self, waiting: list[WaitingPlan]) -> None:
        try:
            plans = db_executor.call(partial(commit_plans, [(item.plan, item.now) for item in waiting]))
        except Exception:
            logger.exception("moves could not be written together")
            plans = [None] * len(waiting)
        committed = [plan.match for plan in plans if plan is not None]
        metrics.WRITER_BATCH.observe(len(waiting))
        metrics.WRITER_LONG_WAY.inc(len(waiting) - len(committed))
        metrics.MOVES.inc(len(committed))
        answers = [
            (item.answer, None if plan is None else plan.after) for item, plan in zip(waiting, plans, strict=True)
        ]
        _tell(waiting[0].answer.get_loop(), answers)
        broadcast.publish_moves(committed)  # after who moved has their answer

    def _work(self, job: Job) -> None:
        done: Any = None
        try:
            done = db_executor.call(job.work)
        except BaseException as error:  # it is the caller's
            done = _Raised(error)
        _tell(job.answer.get_loop(), [(job.answer, done)])


class _Raised(NamedTuple):
    error: BaseException


def _tell(loop: asyncio.AbstractEventLoop, answers: Sequence[tuple["asyncio.Future[Any]", Any]]) -> None:
    try:
        loop.call_soon_threadsafe(_set_answers, answers)
    except RuntimeError:
        logger.info("nobody waits any more for %d answers: their loop has ended", len(answers))


def _set_answers(answers: Sequence[tuple["asyncio.Future[Any]", Any]]) -> None:
    for future, answer in answers:
        if future.done():  # the socket has gone
            continue
        if isinstance(answer, _Raised):
            future.set_exception(answer.error)
        else:
            future.set_result(answer)


_writer: Writer | None = None
_lock = threading.Lock()


def _get_writer() -> Writer:
    global _writer
    with _lock:
        if _writer is None or not _writer.is_alive():
            _writer = Writer()
            _writer.start()
        return _writer


async def commit(plan: MovePlan, now: Now) -> CommittedMatch | None:
    """Have a plan committed together with others. Return the match after it; None: it must go the long way."""
    answer: asyncio.Future[CommittedMatch | None] = asyncio.get_running_loop().create_future()
    _get_writer().put(WaitingPlan(plan, now, answer))
    return await answer


async def run_write(func: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run a service that writes: on SQLite in the thread that writes plans, so that neither waits for the other."""
    if connection.vendor != "sqlite":
        return await db_executor.run(func, *args, **kwargs)
    answer: asyncio.Future[R] = asyncio.get_running_loop().create_future()
    _get_writer().put(Job(partial(func, *args, **kwargs), answer))
    return await answer


def shut_down() -> None:
    """End the thread and close its connection. The next plan starts another."""
    global _writer
    with _lock:
        writer, _writer = _writer, None
    if writer is not None:
        writer.stop()
