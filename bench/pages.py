"""Public pages (SP10): 500 visitors' requests a second for the page of a tournament that runs, beside SP4's load.

One web process answers both: tables at which 200 moves/s are made, and readers, in processes of their own. The
tournament has a new version every five seconds. An answer is late from when it was to be asked for; moves are measured
as in SP4, with the readers and without them.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from statistics import median, quantiles

from bench import sites
from bench.beside import Goal, milliseconds
from bench.load import Job
from bench.sites import Backing
from bench.tables import Table

SIT_DOWN_SECONDS = 4.0  # the readers are there before the tables are, and are measured once those play
ROUNDS, TABLES, SECONDS, MOVES, REQUESTS, ENTRIES = 5, 50, 5.0, 200.0, 500.0, 16
GOAL = Goal(0.1, at_most=True)  # seconds, of the 95th hundredth


@contextmanager
def running_tournament(behind: Backing, size: int) -> Iterator[str]:
    """A girone under way, with a new version now and then: the path of its page."""
    command = [sys.executable, "-m", "bench.fields", "running", str(size)]
    with subprocess.Popen(
        command, cwd=sites.ROOT, env=dict(behind.env), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield f"/tornei/{process.stdout.readline().strip()}/"
        process.stdin.close()


def run(
    rounds: int = ROUNDS,
    tables: int = TABLES,
    seconds: float = SECONDS,
    moves: float = MOVES,
    requests: float = REQUESTS,
    warm_up: float = 1.0,
) -> Table:
    pages: list[list[float]] = []
    tails: dict[bool, list[float]] = {True: [], False: []}
    with sites.backing() as behind, running_tournament(behind, ENTRIES) as path, ThreadPoolExecutor(1) as aside:
        staged = [behind.tables(tables) for _ in range(2 * rounds)]
        with sites.ours(behind) as site:
            reading = [str(value) for value in (site.port, path, requests, seconds, warm_up + SIT_DOWN_SECONDS)]
            for number in range(rounds):
                for with_readers in (True, False) if number % 2 else (False, True):
                    answers = (
                        aside.submit(sites.run_program, behind.env, "-m", "bench.readers", *reading)
                        if with_readers
                        else None
                    )
                    measured = sites.measured(Job("ours", site.port, staged.pop(), seconds + 1, warm_up, moves))
                    tails[with_readers].append(_cut(measured.delays, 99))
                    if answers is not None:
                        pages.append(json.loads(answers.result()))
    middle, late = (median([_cut(took, hundredth) for took in pages]) for hundredth in (50, 95))
    alone, beside = median(tails[False]), median(tails[True])
    return Table(
        title=f"SP10: {requests:g} visitors' requests/s for a running tournament's page, beside {moves:g} moves/s",
        headings=("what", "time", "goal"),
        rows=[
            ["an answer, p50", milliseconds(middle), ""],
            ["an answer, p95", milliseconds(late), "≤ 100 ms"],
            ["a move to the other sockets, p99, without readers", milliseconds(alone), ""],
            ["the same beside the readers", milliseconds(beside), ""],
        ],
        notes=[f"{rounds} rounds of {seconds:g} s, {tables} tables × {sites.SEATS} sockets, a girone of {ENTRIES}."],
        short=[] if GOAL.met(late) else [f"p95 is {milliseconds(late)}, the goal is 100 ms."],
    )


def _cut(values: list[float], hundredth: int) -> float:
    return quantiles(values, n=100, method="inclusive")[hundredth - 1]
