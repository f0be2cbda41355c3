"""The process that thinks for the house's players: ``python -m games.bots.process IN OUT``, at the ends of two pipes.

It is asked with what a seat may know (a View and what is remembered) and answers with moves: nothing else ever reaches
it, no database and no settings. It steps back behind whatever else the machine has to do, and ends with whoever
started it, or by itself when a question takes it far too long.
"""

import os
import signal
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from time import process_time
from typing import Any

from games import bots
from games.bots.dice import Dice
from games.bots.questions import Answer, HouseQuestion
from games.engine.game import GameMove

NICENESS = 10
MOST_SECONDS = 10.0  # of processor for a question; then the system ends the process, whoever still waits


def decide(question: HouseQuestion) -> tuple[GameMove, ...]:
    """Return the moves of a house player."""
    return bots.decide(
        question.ruleset, question.view, question.memory, question.strength, Dice(question.seed), question.halvings
    )


def build_answer(moves: tuple[GameMove, ...] | None, seconds: float, fault: str) -> Answer:
    return Answer(moves or (), seconds, fault)


def serve(
    incoming: Connection,
    outgoing: Connection,
    think: Callable[[Any], Any] = decide,
    build: Callable[[Any, float, str], Any] = build_answer,
) -> None:
    """Answer one question after the other, until nobody is left to ask. ``build`` makes the answer of what was thought,
    the seconds it took, and what went wrong; without a thought it gets None."""
    while True:
        try:
            question = incoming.recv()
        except EOFError:
            return
        signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
        began = process_time()
        thought: Any = None
        fault = ""
        try:
            thought = think(question)
        except Exception as error:  # whatever it says may hold cards (N2)
            at = error.__traceback__
            while at is not None and at.tb_next is not None:
                at = at.tb_next
            where = "" if at is None else f" in {at.tb_frame.f_code.co_qualname} at line {at.tb_lineno}"
            fault = f"{type(error).__name__}{where}"
        signal.setitimer(signal.ITIMER_PROF, 0)
        try:
            outgoing.send(build(thought, process_time() - began, fault))
        except BrokenPipeError:
            return


def run(
    think: Callable[[Any], Any] = decide,
    build: Callable[[Any, float, str], Any] = build_answer,
    niceness: int = NICENESS,
) -> None:
    """Answer at the ends of the two pipes that the command names."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C in the terminal is for whoever started it
    os.nice(niceness)
    serve(Connection(int(sys.argv[1]), writable=False), Connection(int(sys.argv[2]), readable=False), think, build)


if __name__ == "__main__":
    run()
