"""Commits inside a test that is rolled back: what a service does ``on_commit`` happens when its own block ends.

A test's transaction is open all the time, so Django would never run those callbacks. Here the end of the outermost
block that the code under test opened counts as its commit. Tests of races, sweeps, sockets and deliveries commit for
real instead (``@pytest.mark.django_db(transaction=True)``): other threads and processes see only what is committed.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.transaction import Atomic


@contextmanager
def commits_at_block_end() -> Iterator[None]:
    """Run callbacks of ``on_commit`` at the end of the outermost block opened from here on, at once outside of any."""
    connection = connections[DEFAULT_DB_ALIAS]
    outside = list(connection.savepoint_ids)
    close_block, register = Atomic.__exit__, connection.on_commit

    def run_callbacks() -> None:
        while connection.run_on_commit and connection.savepoint_ids == outside:
            _savepoints, callback, robust = connection.run_on_commit.pop(0)
            try:
                callback()
            except Exception:
                if not robust:
                    raise

    def exit_block(self: Atomic, *raised: Any) -> Any:
        swallowed = close_block(self, *raised)
        if raised[0] is None:
            run_callbacks()
        return swallowed

    def on_commit(func: Any, robust: bool = False) -> None:
        register(func, robust)
        run_callbacks()

    with patch.object(Atomic, "__exit__", exit_block), patch.object(connection, "on_commit", on_commit):
        yield
