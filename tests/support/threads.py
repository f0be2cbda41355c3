"""Calls that happen at the same time, each in a thread of its own."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from django.db import connections

from tests.support.waiting import PATIENCE
from tournaments.core.errors import TournamentError


def run_at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Start all calls together; return what each returned or raised."""
    gate = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        try:
            gate.wait(PATIENCE)
            return call()
        except Exception as error:
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def run_for_codes(*calls: Callable[[], Any]) -> list[Any]:
    """Start all calls together; return what each returned, or the code of its TournamentError. Raise anything else."""
    answers = run_at_once(*calls)
    for answer in answers:
        if isinstance(answer, Exception) and not isinstance(answer, TournamentError):
            raise answer
    return [answer.code if isinstance(answer, TournamentError) else answer for answer in answers]
