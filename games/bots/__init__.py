"""Who plays when no person does: gets the View a person at that seat gets, and returns one of its legal moves.

One file per game. A choice depends on the View alone: equal views give equal choices, nothing hidden can show in one,
and no state, dice or clock is kept here. When the move is made, and after what pause, is decided elsewhere.
"""

from collections.abc import Callable

from games.bots import scopa, tresette
from games.engine.game import Move, View

STRATEGIES: dict[str, Callable[[View], Move]] = {
    "scopa": scopa.choose,
    "tresette": tresette.choose,
}


def choose(ruleset_id: str, view: View) -> Move:
    """The move of the house player to whom ``view`` was given; a game without a strategy gets a modest one.

    Raises ValueError where there is nothing to choose: not that seat's turn, or a spectator's view.
    """
    if not view.legal:
        raise ValueError("no legal move in this view")
    return STRATEGIES.get(ruleset_id, modest)(view)


def modest(view: View) -> Move:
    """The plainest legal move: a play rather than a call, the smallest capture, the lowest card."""
    return min(view.legal, key=lambda move: (move.verb != "play", move.takes.bit_count(), move.card % 10, move.card))
