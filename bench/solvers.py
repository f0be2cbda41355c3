"""Time of the exact solver (SP2) for the last tricks of a deal of Tresette in pairs, all cards open.

Ends are those of deals played by the dice; each is solved by a solver that has learnt nothing yet. The peer, a solver
in Java, can't be had here: its figures are those it was measured with on another machine, so the fixed loop of
bench/timing.py is timed in the same run to say what this one is worth.
"""

from collections.abc import Iterator
from random import Random
from statistics import median, quantiles
from time import process_time

from bench.beside import Goal, milliseconds
from bench.open_deals import deal_rules, play_on
from bench.tables import Table
from bench.timing import reference
from games.bots.open_cards import copy_tricks
from games.bots.tricks.deal import TrickDeal
from games.bots.tricks.solver import TrickSolver

SEED, ENDS = 20261128, 200
PLAYERS, HAND = 4, 10
PEER = {5: 0.0033, 6: 0.051, 7: 0.492}  # seconds by the number of tricks
GOALS = {6: Goal(1.0, at_most=True), 7: Goal(1.0, at_most=True)}


def run(ends: int = ENDS) -> Table:
    rows, short = [], []
    for tricks, peer in PEER.items():
        times = [_solve(deal) for deal in _draw_ends(tricks, ends)]
        middle, ratio, goal = median(times), median(times) / peer, GOALS.get(tricks)
        slow = quantiles(times, n=10, method="inclusive")[8]
        cells = (f"{ratio:.2f}", str(goal or ""))
        rows.append([f"the last {tricks} tricks", *map(milliseconds, (middle, slow, peer)), *cells])
        if goal is not None and not goal.met(ratio):
            short.append(f"the last {tricks} tricks: {ratio:.2f} × the peer's, the goal is {goal}.")
    start = process_time()
    rate = reference() / (process_time() - start)
    return Table(
        title="SP2: exact endings of Tresette in pairs, beside a solver in Java",
        headings=("what", "median", "nine of ten within", "the peer's median", "ours / the peer's", "goal"),
        rows=rows,
        notes=[
            f"{ends} ends of each, of deals played by the dice; time of the processor.",
            "The peer wasn't run: its figures are from another machine, on which a Python of ours that was a sketch "
            f"took 2.2, 13 and 84 ms. In this run the loop of RULES makes {rate:,.0f} steps a second.",
        ],
        short=short,
    )


def _draw_ends(tricks: int, ends: int) -> Iterator[TrickDeal]:
    dice = Random(SEED + tricks)
    for number in range(ends):
        state = play_on("tresette", deal_rules("tresette", PLAYERS, number), PLAYERS * (HAND - tricks), dice)
        yield copy_tricks(state)


def _solve(deal: TrickDeal) -> float:
    """Return the seconds of the processor that the end takes."""
    solver, start = TrickSolver(PLAYERS), process_time()
    solver.solve(deal.hands, deal.leader, deal.trick)
    return process_time() - start
