"""The sockets' threads and their database connections: one that is lost costs one call (H6)."""

import asyncio
import threading
from collections.abc import Iterable

import pytest
from django.db import DatabaseError, connection, connections

from players.realtime import db_executor
from tests.support.waiting import PATIENCE

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]


def ask(meeting: threading.Barrier | None = None) -> int:
    """Ask the database for the number of its process that answers; 0 where it has none."""
    if meeting is not None:
        meeting.wait(timeout=PATIENCE)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()" if connection.vendor == "postgresql" else "SELECT 0")
        return int(cursor.fetchone()[0])


async def ask_in_every_thread() -> list[int]:
    """Have each thread of the pool ask, none of them twice."""
    threads = db_executor._count_threads()
    meeting = threading.Barrier(threads)
    return await asyncio.gather(*(db_executor.run(ask, meeting) for _ in range(threads)))


def end_processes(numbers: Iterable[int]) -> None:
    """End processes of the database, as its own end would."""
    with connection.cursor() as cursor:
        for number in filter(None, numbers):
            cursor.execute("SELECT pg_terminate_backend(%s)", [number])
    connections.close_all()


async def test_a_lost_database_fails_one_call_and_not_one_of_each_connection_h6() -> None:
    before = await ask_in_every_thread()
    await asyncio.to_thread(end_processes, before)
    if connection.vendor == "postgresql":
        with pytest.raises(DatabaseError):
            await db_executor.run(ask)
    after = await ask_in_every_thread()
    assert len(after) == len(before)
    assert not set(before) & set(after) - {0}
    db_executor.shut_down()
