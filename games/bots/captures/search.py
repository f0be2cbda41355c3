"""The thinking of a Scopa player: each play tried in many deals that fit what the seat knows.

They are played on to the end of the cards in hand as people play (``playouts``); where no card is hidden any more every
line of play is looked at (``solver``). It reads no clock.
"""

from games.bots.captures.playouts import play_out_hand
from games.bots.captures.situation import CaptureSituation
from games.bots.captures.solver import CaptureSolver
from games.bots.dice import Dice
from games.bots.effort import Effort, OutOfNodes


def choose_play(situation: CaptureSituation, effort: Effort, dice: Dice) -> tuple[int, int]:
    """Return the legal play, card and mask taken, expected to bring its line most; of equals the lowest."""
    if len(situation.legal) == 1:
        return situation.legal[0]
    worths = weigh_plays(situation, effort, dice)
    return max(situation.legal, key=lambda play: sum(worths[play]) if play in worths else float("-inf"))


def weigh_plays(situation: CaptureSituation, effort: Effort, dice: Dice) -> dict[tuple[int, int], list[float]]:
    """Return what the deal came to for its line after each legal play, world by world: points beyond the other's.

    The worse half of the plays is left out now and then (``effort.first``).
    """
    sign = -1 if situation.seat % 2 else 1
    if situation.is_open and effort.nodes:
        try:
            values = CaptureSolver(situation.glances, effort.nodes).evaluate_plays(situation.deal(dice, 1))
        except OutOfNodes:
            pass
        else:
            return {play: [float(sign * values[play])] for play in situation.legal}
    worths: dict[tuple[int, int], list[float]] = {play: [] for play in situation.legal}
    for number in range(1, effort.worlds + 1):
        deal = situation.deal(dice, effort.ways)
        for play, worth in worths.items():
            tried = deal.copy()
            tried.play(*play)
            worth.append(sign * play_out_hand(tried, situation.glances, dice))
        if effort.first and number % effort.first == 0 and len(worths) > 2:
            ranked = sorted(worths, key=lambda play: (-sum(worths[play]), play))
            worths = {play: worths[play] for play in ranked[: (len(ranked) + 1) // 2]}
    return worths
