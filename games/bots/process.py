"""The process that thinks for the house's players: ``python -m games.bots.process IN OUT``, at the ends of two pipes.

It is asked with what a seat may know (a View and what is remembered) and answers with moves: nothing else ever reaches
it, no database and no settings. It steps back behind whatever else the machine has to do, and ends with who started it,
or by itself when a question takes it far too long.
"""

import os
import signal
import sys
from multiprocessing.connection import Connection
from time import process_time

from games import bots
from games.bots.dice import Dice
from games.bots.questions import Answer, HouseQuestion
from games.engine.game import GameMove

NICENESS = 10
MOST_SECONDS = 10.0  # of processor for a question; then the system ends the process, whoever still waits


def serve(incoming: Connection, outgoing: Connection) -> None:
    """Answer one question after the other, until nobody is left to ask."""
    while True:
        try:
            question: HouseQuestion = incoming.recv()
        except EOFError:
            return
        signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
        began = process_time()
        moves: tuple[GameMove, ...] = ()
        fault = ""
        try:
            moves = bots.decide(
                question.ruleset,
                question.view,
                question.memory,
                question.strength,
                Dice(question.seed),
                question.halvings,
            )
        except Exception as error:  # whatever it says may hold cards (N2)
            at = error.__traceback__
            while at is not None and at.tb_next is not None:
                at = at.tb_next
            where = "" if at is None else f" in {at.tb_frame.f_code.co_qualname} at line {at.tb_lineno}"
            fault = f"{type(error).__name__}{where}"
        signal.setitimer(signal.ITIMER_PROF, 0)
        try:
            outgoing.send(Answer(moves, process_time() - began, fault))
        except BrokenPipeError:
            return


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C in the terminal is for who started it
    os.nice(NICENESS)
    serve(Connection(int(sys.argv[1]), writable=False), Connection(int(sys.argv[2]), readable=False))
