"""Locks that somebody holds, in a connection of their own, for as long as a test likes."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.apps import apps
from django.db import connection, connections, transaction

from games.models import Commitment, Deal, Liveness, Match, Move, Seat
from tests.support.waiting import until


@contextmanager
def hold(lock: Callable[[], object]) -> Iterator[None]:
    """Hold what ``lock`` locks until the block ends. On SQLite a transaction holds the database's one writer."""
    locked, released = threading.Event(), threading.Event()

    def run() -> None:
        try:
            with transaction.atomic():
                lock()
                locked.set()
                released.wait(120)
        finally:
            connections.close_all()

    thread = threading.Thread(target=run, name="holds-locks")
    thread.start()
    try:
        until(lambda: locked.is_set() or not thread.is_alive(), what="the locks")
        assert locked.is_set()
        yield
    finally:
        released.set()
        thread.join()


def lock_all_rows_but(*matches: Match) -> None:
    """Lock every row of every table that requests write to, but for some matches and their own rows."""
    left = [match.pk for match in matches]
    for model in apps.get_models():
        rows = model._base_manager.select_for_update()
        if model is Match:
            rows = rows.exclude(pk__in=left)
        elif model in (Seat, Deal, Move):
            rows = rows.exclude(match__in=left)
        elif model is Commitment:
            rows = rows.exclude(pk__in=[match.commitment_id for match in matches])
        if model is not Liveness:  # signs of life are no request's
            list(rows.values_list("pk", flat=True))


def somebody_waits() -> bool:
    """Tell if another connection to this database waits for a lock (PostgreSQL, which has those of other workers'
    tests beside it); SQLite's writers wait before they begin."""
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)"
            " WHERE NOT granted AND datname = current_database()"
        )
        return bool(cursor.fetchone()[0])
