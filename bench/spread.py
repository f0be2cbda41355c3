"""Two web processes (SP5): 500 tables of four sockets, 500 moves/s, none lost; and what it costs to spread a table.

Once each table's sockets go to one process, as nginx sends them, and once one seat after the other to either. The
processor is that of both web processes and of Redis, for each move made.
"""

from dataclasses import replace
from statistics import median, quantiles

from bench import sites
from bench.beside import Goal, milliseconds
from bench.languages import Place
from bench.load import Job
from bench.sites import MeasuredSite
from bench.tables import Table

ROUNDS, TABLES, SECONDS, RATE = 3, 500, 8.0, 500.0
LATE, COST = Goal(0.1, at_most=True), Goal(1.3, at_most=True)


def run(
    rounds: int = ROUNDS, tables: int = TABLES, seconds: float = SECONDS, rate: float = RATE, warm_up: float = 2.0
) -> Table:
    cost: dict[bool, list[float]] = {True: [], False: []}
    tails: dict[bool, list[float]] = {True: [], False: []}
    moves, lost = 0, 0
    with sites.backing() as behind:
        staged = [behind.tables(tables) for _ in range(2 * rounds)]
        with sites.ours(behind) as first, sites.ours(behind, "second") as second:
            watched = [first.pid, second.pid, behind.redis_pid]
            for number in range(rounds):
                for apart in (True, False) if number % 2 else (False, True):
                    places = share(staged.pop(), (first, second), apart=apart)
                    measured = sites.measured(Job("ours", first.port, places, seconds, warm_up, rate, watched))
                    cost[apart].append(measured.processor / measured.moves)
                    tails[apart].append(quantiles(measured.delays, n=100, method="inclusive")[98])
                    moves, lost = moves + measured.moves, lost + measured.lost
    ratio = median(cost[True]) / median(cost[False])
    reached = moves / (2 * rounds * seconds)
    rows = [
        ["moves a second that were reached", f"{reached:,.0f}", f"≥ {rate:g}"],
        ["sockets that missed a version", str(lost), "0"],
        *(
            [f"a move to the other sockets, p99, {words}", milliseconds(median(tails[apart])), "≤ 100 ms"]
            for apart, words in ((False, "a table at one process"), (True, "its sockets spread"))
        ),
        ["processor for a move, a table at one process", milliseconds(median(cost[False])), ""],
        ["the same with its sockets spread", milliseconds(median(cost[True])), f"{ratio:.2f} ×, ≤ 1.3 ×"],
    ]
    return Table(
        title=f"SP5: two web processes, {tables} tables × {sites.SEATS} sockets, {rate:g} moves/s",
        headings=("what", "figure", "goal"),
        rows=rows,
        notes=[f"{2 * rounds} rounds of {seconds:g} s. The processor is that of both web processes and of Redis."],
        short=[
            *([f"{lost} sockets missed a version."] if lost else []),
            *([f"only {reached:,.0f} moves/s were reached."] if reached < 0.95 * rate else []),
            *(
                f"p99 is {milliseconds(median(tail))}, the goal is 100 ms."
                for tail in tails.values()
                if not LATE.met(median(tail))
            ),
            *([] if COST.met(ratio) else [f"a spread table costs {ratio:.2f} ×, the goal is {COST}."]),
        ],
    )


def share(tables: list[list[Place]], both: tuple[MeasuredSite, MeasuredSite], *, apart: bool) -> list[list[Place]]:
    """Send tables, or with ``apart`` the seats of each, to one process after the other."""
    return [
        [replace(place, port=both[(place.seat if apart else number) % 2].port) for place in places]
        for number, places in enumerate(tables)
    ]
