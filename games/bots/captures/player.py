"""The thinking player of the Scopa games. A choice depends on the Views and the dice alone."""

from collections.abc import Sequence

from games.bots.captures.deal import TakingStyle
from games.bots.captures.search import choose_play, weigh_plays
from games.bots.captures.situation import CaptureGame, CaptureSituation
from games.bots.captures.worth import Glances
from games.bots.dice import Dice
from games.bots.effort import Effort
from games.bots.memory import Memory
from games.engine.captures import list_captures
from games.engine.game import GameMove, View
from games.rules import asso_piglia_tutto

GAMES: dict[str, CaptureGame] = {
    "scopa": CaptureGame(Glances(TakingStyle(list_captures, lambda card, takes: True))),
    "scopone": CaptureGame(Glances(TakingStyle(list_captures, lambda card, takes: True)), hand_size=10),
    "asso-piglia-tutto": CaptureGame(
        Glances(TakingStyle(asso_piglia_tutto.list_captures, asso_piglia_tutto.makes_scopa))
    ),
}


def choose(
    ruleset_id: str, view: View, memory: Memory, plays: Sequence[GameMove], effort: Effort, dice: Dice
) -> tuple[GameMove, ...]:
    """Return the play of this seat."""
    card, takes = choose_play(CaptureSituation(view, memory, plays, GAMES[ruleset_id]), effort, dice)
    return (next(move for move in plays if (move.card, move.takes) == (card, takes)),)


def weigh(
    ruleset_id: str, view: View, memory: Memory, plays: Sequence[GameMove], effort: Effort, dice: Dice
) -> dict[GameMove, list[float]]:
    """Return what the deal came to for the line of this seat after each of these plays, world by world."""
    worths = weigh_plays(CaptureSituation(view, memory, plays, GAMES[ruleset_id]), effort, dice)
    return {move: worths[move.card, move.takes] for move in plays if (move.card, move.takes) in worths}
