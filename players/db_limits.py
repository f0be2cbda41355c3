"""Limits of time on the database: how a process or a thread gets its own, and how a refusal by one is recognised.

On PostgreSQL the server keeps them (statement_timeout, lock_timeout); each connection sets its own when it is opened
(``players.databases.postgresql``), so that none is left behind in a pool. SQLite has one writer and no such limits:
there is the time one waits for the writer, and the age of a transaction, which is looked at here on both databases. The
figures are in ``players.caps``.
"""

import sqlite3
import time
from collections.abc import Callable
from typing import Any

from django.db import DEFAULT_DB_ALIAS, OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import load_backend
from psycopg.errors import LockNotAvailable, QueryCanceled
from psycopg.pq import TransactionStatus
from psycopg_pool import PoolTimeout

SQLITE_REFUSALS = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class TransactionTooLong(OperationalError):
    """Refusal of a statement of a transaction that has lasted too long: it is rolled back."""


def is_lock_refused(error: BaseException | None) -> bool:
    """Return whether a lock was not to be had in the time there was; nothing was written."""
    cause = getattr(error, "__cause__", None)
    code = getattr(cause, "sqlite_errorcode", None)
    return isinstance(cause, LockNotAvailable) or (code is not None and code & 0xFF in SQLITE_REFUSALS)


def is_out_of_time(error: BaseException | None) -> bool:
    """Return whether a limit of time ended this work: the same request may well succeed a little later."""
    if isinstance(error, TransactionTooLong) or is_lock_refused(error):
        return True
    cause = getattr(error, "__cause__", None)
    return isinstance(cause, QueryCanceled | PoolTimeout)


def limit_lock_wait(seconds: float) -> None:
    """Limit the wait for locks to the end of the running transaction (PostgreSQL)."""
    connection = connections[DEFAULT_DB_ALIAS]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, true)", [f"{round(seconds * 1000)}ms"])


def open_own_connection(*, lock_seconds: float, statement_seconds: float, writer_seconds: float) -> BaseDatabaseWrapper:
    """Give this thread a connection of its own, outside the pool, with these limits; close it with the thread.

    ``lock_seconds`` and ``statement_seconds`` are PostgreSQL's (0: none), ``writer_seconds`` are SQLite's.
    """
    settings = connections.settings[DEFAULT_DB_ALIAS]
    options = dict(settings["OPTIONS"])
    if "sqlite" in settings["ENGINE"]:
        options["timeout"] = writer_seconds
    else:
        options.pop("pool", None)
        limits = {"lock_timeout": lock_seconds, "statement_timeout": statement_seconds}
        options["limits"] = {name: round(seconds * 1000) for name, seconds in limits.items()}
    wrapper = load_backend(settings["ENGINE"]).DatabaseWrapper({**settings, "OPTIONS": options}, DEFAULT_DB_ALIAS)
    connections[DEFAULT_DB_ALIAS] = wrapper
    return wrapper


class TransactionLimit:
    """Wrapper of a connection's statements: TransactionTooLong for those of a transaction older than ``seconds``."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds, self._clock = seconds, clock
        self._began: float | None = None

    def __call__(self, execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:
        if not _is_in_transaction(context["connection"]):
            self._began = None
        elif self._began is None:
            self._began = self._clock()
        elif self._clock() - self._began > self.seconds:
            raise TransactionTooLong(f"a transaction of more than {self.seconds:g} s")
        return execute(sql, params, many, context)


def _is_in_transaction(connection: Any) -> bool:
    raw = connection.connection
    if raw is None:
        return False
    if connection.vendor == "sqlite":
        return bool(raw.in_transaction)
    return bool(raw.pgconn.transaction_status != TransactionStatus.IDLE)
