"""Pool of threads in which sockets use the database, with long-lived connections, off the event loop.

SQLite gets one thread (sixteen writing threads were slower than one), PostgreSQL several. No call is retried here: the
service decides if it may be repeated. It never runs inside anybody's transaction.
"""

import asyncio
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from django.db import connection, connections

POSTGRES_THREADS = 4

P = ParamSpec("P")
R = TypeVar("R")

_lock = threading.Lock()
_pool: ThreadPoolExecutor | None = None
_owner = 0
_losses = 0  # of connections by this process: where one is gone, the others of the pool mostly are too
_known = threading.local()  # the losses after which a thread looked at its connections


def _count_threads() -> int:
    return 1 if connection.vendor == "sqlite" else POSTGRES_THREADS


def _get_executor() -> ThreadPoolExecutor:
    """Return this process's pool, made on first use: a pool inherited through a fork has no living threads."""
    global _pool, _owner
    with _lock:
        if _pool is None or _owner != os.getpid():
            _pool = ThreadPoolExecutor(max_workers=_count_threads(), thread_name_prefix="socket-db")
            _owner = os.getpid()
        return _pool


def _drop_lost() -> None:
    """Close what connections of this thread went when another thread lost its own, so that no call fails for it."""
    losses = _losses
    if getattr(_known, "losses", 0) == losses:
        return
    _known.losses = losses
    for used in connections.all(initialized_only=True):
        if used.connection is not None and not used.is_usable():
            used.close()


def _tidy() -> None:
    """Close a connection that a server restart or an open transaction has spoilt; keep every other."""
    global _losses
    for used in connections.all(initialized_only=True):
        if used.connection is None:
            continue
        if used.in_atomic_block:  # a call left its transaction open: never hand it to the next one
            used.close()
        elif used.errors_occurred:
            if used.is_usable():
                used.errors_occurred = False
            else:
                used.close()
                _losses += 1


def call(func: Callable[[], R]) -> R:
    """Call ``func`` and leave this thread's connections fit for the next one."""
    _drop_lost()
    try:
        return func()
    finally:
        _tidy()


async def run(func: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run ``func`` in the pool. Return its value, or raise its exception."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_get_executor(), call, partial(func, *args, **kwargs))


def shut_down() -> None:
    """End the pool and close its connections (tests, and a server going down). The next ``run`` makes a new one."""
    global _pool
    with _lock:
        pool, _pool = _pool, None
    if pool is None or _owner != os.getpid():
        return
    # One closing call for each thread: they meet at the barrier, so no thread takes two of them.
    size = len(pool._threads)
    meeting = threading.Barrier(size) if size else None

    def close() -> None:
        if meeting is not None:
            meeting.wait(timeout=5)
        connections.close_all()

    for done in [pool.submit(close) for _ in range(size)]:
        done.result(timeout=10)
    pool.shutdown(wait=True)
