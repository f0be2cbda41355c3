"""Crowds: 2,000 sockets of tables that come at once to a fresh process (SP11), and 5,000 spectators (SP12).

SP11: a second web process has just started, and every player of 500 tables comes back to it at once; a worker sweeps,
and other tables' turns run out meanwhile. SP12: what a web process keeps for each spectator who only looks, by its
resident memory before they came and once all are there.
"""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from statistics import quantiles

import psutil

from bench import sites
from bench.beside import Goal, milliseconds
from bench.sites import Backing
from bench.tables import Table

TABLES, TURNS, SPREAD, TURN = (
    500,
    60,
    12.0,
    5,
)  # tables that come back; turns that run out, over seconds, each of seconds
SPECTATORS, SEEN_TABLES, COMING_AT_ONCE = 5_000, 50, 20
SETTLE_SECONDS = 5.0
SERVED, LATE = Goal(15.0, at_most=True), Goal(0.5, at_most=True)  # seconds
KEPT = Goal(20.0, at_most=True)  # kB


def run_return(tables: int = TABLES, turns: int = TURNS, spread: float = SPREAD) -> Table:
    """Measure SP11."""
    with sites.backing() as behind, sites.worker(behind), ThreadPoolExecutor(1) as aside:
        lines = [(place.table, place.cookie) for table in behind.tables(tables) for place in table]
        overdue = ("-m", "bench.overdue", str(turns), str(spread), str(TURN))
        with sites.ours(behind) as first, sites.ours(behind, "fresh") as fresh:
            with sites.crowd(first, lines):
                pass  # they sat down, and their line was cut
            late = aside.submit(sites.run_program, behind.env, *overdue)
            time.sleep(TURN + 2.0)  # the first turns run out now
            with sites.crowd(fresh, lines) as seconds:
                turned = json.loads(late.result())
    cuts, tail = quantiles(seconds, n=100, method="inclusive"), quantiles(turned, n=100, method="inclusive")
    return Table(
        title=f"SP11: {len(lines):,} sockets of {tables} tables come back at once, to a process that has just started",
        headings=("what", "time", "goal"),
        rows=[
            ["half of them see their table after", milliseconds(cuts[49]), ""],
            ["all of them after", milliseconds(max(seconds)), "≤ 15 s"],
            [f"{turns} turns that ran out meanwhile, late, p99", milliseconds(tail[98]), "≤ 500 ms"],
        ],
        short=[
            *(
                []
                if SERVED.met(max(seconds))
                else [f"the last was served after {max(seconds):.1f} s, the goal is 15 s."]
            ),
            *([] if LATE.met(tail[98]) else [f"turns were {milliseconds(tail[98])} late, the goal is 500 ms."]),
        ],
    )


def run_spectators(spectators: int = SPECTATORS, tables: int = SEEN_TABLES) -> Table:
    """Measure SP12, for visitors and for people who are signed in."""
    with sites.backing() as behind:
        seen = [table[0].table for table in behind.tables(tables)]
        figures = {
            who: measure_spectators(behind, seen, cookies)
            for who, cookies in (("visitor", [""] * spectators), ("person signed in", behind.people(spectators)))
        }
    return Table(
        title=f"SP12: {spectators:,} spectators who only look, at {tables} tables, one process",
        headings=("what", "figure", "goal"),
        rows=[
            *([f"kept for each {who}", f"{kept:.1f} kB", str(KEPT)] for who, (kept, _) in figures.items()),
            *([f"processor while nothing happens, {who}", f"{busy:.0f} %", ""] for who, (_, busy) in figures.items()),
        ],
        short=[
            f"{kept:.1f} kB are kept for each {who}, the goal is 20 kB."
            for who, (kept, _) in figures.items()
            if not KEPT.met(kept)
        ],
    )


def measure_spectators(behind: Backing, seen: list[str], cookies: list[str]) -> tuple[float, float]:
    """Return what a process keeps for each spectator in kB, and the processor in % while nothing happens."""
    with sites.ours(behind) as site, sites.crowd(site, [(table, cookies[0]) for table in seen[:4]]):
        process = psutil.Process(site.pid)
        time.sleep(SETTLE_SECONDS)
        before = process.memory_info().rss
        lines = [(seen[number % len(seen)], cookie) for number, cookie in enumerate(cookies)]
        with sites.crowd(site, lines, COMING_AT_ONCE):
            time.sleep(SETTLE_SECONDS)
            kept = (process.memory_info().rss - before) / len(lines) / 1024
            process.cpu_percent()
            time.sleep(SETTLE_SECONDS)
            return kept, process.cpu_percent()
