"""Durable moves (SP3) a second of one server process, 50 tables of four sockets, beside boardgame.io in memory.

Every seat moves as soon as it has the view in which it is its turn; a move counts when its mover is told that it
stands: by our ack, after the commit, or by boardgame.io's new state, which is never written anywhere. Both play
Tresette for four; one load program, in a process of its own, speaks to both. New sockets sit down each round, so nobody
comes near 100 frames in 20 s. Our side is config.launcher.web as in production, with its Redis and SQLite, and no
Celery worker.
"""

from contextlib import ExitStack
from itertools import count

from bench import peers, sites
from bench.beside import HEADINGS, Goal, Measure, in_turns, per_second, row
from bench.load import Job
from bench.tables import Table

ROUNDS, TABLES, SECONDS = 5, 50, 4.0
GOAL = Goal(0.9)


def run(rounds: int = ROUNDS, tables: int = TABLES, seconds: float = SECONDS, warm_up: float = 1.0) -> Table:
    notes: list[str] = []
    with ExitStack() as ending:
        behind = ending.enter_context(sites.backing())
        staged = [behind.tables(tables) for _ in range(rounds + 1)]
        site = ending.enter_context(sites.ours(behind))

        def ours() -> float:
            measured = sites.measured(Job("ours", site.port, staged.pop(), seconds, warm_up))
            return measured.moves / measured.seconds

        peer: Measure | None = None
        try:
            other = ending.enter_context(sites.boardgame())
        except peers.Unavailable as missing:
            notes.append(str(missing))
        else:
            rooms = count()

            def peer() -> float:
                places = sites.peer_tables(tables, f"round-{next(rooms)}")
                measured = sites.measured(Job("boardgame.io", other.port, places, seconds, warm_up))
                return measured.moves / measured.seconds

        cells, short = row(
            f"moves, {tables} tables × {sites.SEATS} sockets", in_turns(ours, peer, rounds), per_second, GOAL
        )
    return Table(
        title="SP3: durable moves a second, one server process, beside boardgame.io with in-memory storage",
        headings=HEADINGS,
        rows=[cells],
        notes=[f"{rounds} rounds of {seconds:g} s each. What counts as a move: bench/moves.py.", *notes],
        short=short,
    )
