"""Delays (SP4): from a move to the other three sockets, at 200 moves/s over 50 tables, beside boardgame.io.

The clock starts when the load program sends a move (or should have sent it, if the table wasn't ready in time) and
stops when each of the other three has the new view. The same program, in a process of its own, speaks to both servers.
"""

from contextlib import ExitStack
from itertools import count
from statistics import quantiles

from bench import peers, sites
from bench.beside import HEADINGS, Goal, Measure, Pair, in_turns, milliseconds, row
from bench.load import Job, Measured
from bench.tables import Table

ROUNDS, TABLES, SECONDS, RATE = 5, 50, 5.0, 200.0
GOAL = Goal(1.5, at_most=True)


def run(
    rounds: int = ROUNDS, tables: int = TABLES, seconds: float = SECONDS, rate: float = RATE, warm_up: float = 1.0
) -> Table:
    notes: list[str] = []
    halves: dict[str, list[float]] = {"ours": [], "peer": []}
    with ExitStack() as ending:
        behind = ending.enter_context(sites.backing())
        staged = [behind.tables(tables) for _ in range(rounds + 1)]
        site = ending.enter_context(sites.ours(behind))

        def ours() -> float:
            return _taken(sites.measured(Job("ours", site.port, staged.pop(), seconds, warm_up, rate)), halves["ours"])

        peer: Measure | None = None
        try:
            other = ending.enter_context(sites.boardgame())
        except peers.Unavailable as missing:
            notes.append(str(missing))
        else:
            rooms = count()

            def peer() -> float:
                places = sites.peer_tables(tables, f"round-{next(rooms)}")
                job = Job("boardgame.io", other.port, places, seconds, warm_up, rate)
                return _taken(sites.measured(job), halves["peer"])

        tails = in_turns(ours, peer, rounds)
    middle, _ = row("p50", Pair(halves["ours"][1:], halves["peer"][1:]), milliseconds)
    tail, short = row("p99", tails, milliseconds, GOAL)
    return Table(
        title=f"SP4: from a move to the other three sockets at {rate:g} moves/s, beside boardgame.io",
        headings=HEADINGS,
        rows=[middle, tail],
        notes=[f"{rounds} rounds of {seconds:g} s each, {tables} tables × {sites.SEATS} sockets.", *notes],
        short=short,
    )


def _taken(measured: Measured, middles: list[float]) -> float:
    """The 99th hundredth of the delays, in seconds; their median is put aside."""
    cuts = quantiles(measured.delays, n=100, method="inclusive")
    middles.append(cuts[49])
    return cuts[98]
