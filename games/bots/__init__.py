"""The house's players: each gets the Views a person at that seat gets, and returns what it does now (HP1).

``quick`` plays by rules of thumb from the last View alone. ``tricks``, ``captures`` and ``briscola`` think: they
remember the deal (``memory``), deal the hidden cards anew (``worlds``) and try each card, as hard as their strength
says (``strengths``). A choice depends on the Views and the dice handed in: equal Views and equal dice give equal
choices, nothing hidden can show in one, and no state or clock is kept here. When the move is made, and after what
pause, is decided elsewhere.
"""

from collections.abc import Callable, Sequence

from games.bots.briscola import player as briscola_player
from games.bots.captures import player as captures_player
from games.bots.dice import Dice
from games.bots.effort import Effort
from games.bots.memory import Memory, remember
from games.bots.quick import strategies
from games.bots.strengths import find_effort
from games.bots.tricks import player as tricks_player
from games.bots.worlds import Impossible
from games.engine.game import GameMove, View

Choosing = Callable[[str, View, Memory, Sequence[GameMove], Effort, Dice], tuple[GameMove, ...]]
THINKERS: dict[str, Choosing] = {
    **dict.fromkeys(captures_player.GAMES, captures_player.choose),
    **dict.fromkeys(tricks_player.AIMS, tricks_player.choose),
    "briscola": briscola_player.choose,
}

Weighing = Callable[[str, View, Memory, Sequence[GameMove], Effort, Dice], dict[GameMove, list[float]]]
WEIGHERS: dict[str, Weighing] = {
    **dict.fromkeys(captures_player.GAMES, captures_player.weigh),
    **dict.fromkeys(tricks_player.AIMS, tricks_player.weigh),
    "briscola": briscola_player.weigh,
}


def choose(ruleset_id: str, views: Sequence[View], strength: str, dice: Dice) -> tuple[GameMove, ...]:
    """Return the moves of the house player that has seen these Views since the deal began, the last one now."""
    return decide(ruleset_id, views[-1], remember(views), strength, dice)


def decide(
    ruleset_id: str, view: View, memory: Memory, strength: str, dice: Dice, halvings: int = 0
) -> tuple[GameMove, ...]:
    """Return the moves of the house player to whom ``view`` was given and who has seen what ``memory`` holds.

    In order; empty where there are none. Calls come first, and on its turn the card they go with or precede; a call
    that ends the deal leaves that card unplayed. Where cards wait for calls (M4), or it isn't its turn, calls alone.
    ``halvings``: its samples are halved so many times, down to the club's (HP0).
    """
    plays = [move for move in view.legal if move.verb == "play"]
    think = THINKERS.get(ruleset_id)
    if think is None or len(plays) < 2:
        return choose_quickly(ruleset_id, view)
    effort = find_effort(ruleset_id, len(view.hands), strength, halvings)
    try:
        return think(ruleset_id, view, memory, plays, effort, dice)
    except Impossible:  # these Views were not all, or not of one deal
        return choose_quickly(ruleset_id, view)


def choose_quickly(ruleset_id: str, view: View) -> tuple[GameMove, ...]:
    """Return the moves by rules of thumb, where there is no time to think."""
    return strategies.choose(ruleset_id, view)
