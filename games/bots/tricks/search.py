"""The thinking of a Tresette player: each card tried in many deals that fit what the seat knows.

While many cards are left they are played on to the end as people play (``playouts``), the worse half of the cards being
left out now and then; near the end every line of play is looked at (``solver``). What a deal is worth is a table from
the thirds of line 0, the last trick counting three, to points, positive for line 0. It reads no clock.
"""

from collections.abc import Sequence
from typing import NamedTuple

from games.bots.dice import Dice
from games.bots.effort import Effort, OutOfNodes
from games.bots.tricks.cards import ALL_THIRDS
from games.bots.tricks.playouts import play_to_lose, play_to_win
from games.bots.tricks.situation import TrickSituation
from games.bots.tricks.solver import TrickSolver

Payoffs = Sequence[float]  # by the thirds of line 0
EVEN: tuple[float, ...] = tuple((2 * value - ALL_THIRDS) / 3 for value in range(ALL_THIRDS + 1))


class TrickGame(NamedTuple):
    """Kind of a game of tricks: what a deal is worth to line 0, and whether few points win (A1)."""

    payoffs: Payoffs
    fewest: bool = False


def choose_card(situation: TrickSituation, game: TrickGame, effort: Effort, dice: Dice) -> int:
    """Return the legal card expected to bring its line most, in the order of strength; of equals the lowest."""
    if len(situation.legal) == 1:
        return situation.legal[0]
    worths = weigh_cards(situation, game, effort, dice)
    return max(worths, key=lambda card: (sum(worths[card]), -card))


def weigh_cards(situation: TrickSituation, game: TrickGame, effort: Effort, dice: Dice) -> dict[int, list[float]]:
    """Return what the deal came to for its line after each legal card, world by world: points beyond the other's.

    The worse half of the cards is left out now and then (``effort.first``).
    """
    payoffs = game.payoffs if situation.knows_value else EVEN
    if (situation.seat % 2 == 1) != (game.fewest and payoffs is EVEN):
        payoffs = [-points for points in payoffs]
    if not situation.stock and situation.held <= effort.exact_cards:
        worths = _weigh_exactly(situation, game, payoffs, effort, dice)
        if worths is not None:
            return worths
    return _try_out(situation, game, payoffs, effort, dice)


def _weigh_exactly(
    situation: TrickSituation, game: TrickGame, payoffs: Payoffs, effort: Effort, dice: Dice
) -> dict[int, list[float]] | None:
    """Return the worth of each card over deals played best by all; None if not one could be looked at whole."""
    worths: dict[int, list[float]] = {card: [] for card in situation.legal}
    nodes = effort.nodes
    for number in range(1 if situation.is_open else effort.exact_worlds):
        deal = situation.deal(dice)
        solver = TrickSolver(situation.players, fewest=game.fewest, nodes=nodes)
        try:
            values = solver.evaluate_plays(deal.hands, deal.leader, deal.trick)
        except OutOfNodes:
            return worths if number else None
        nodes = solver.nodes
        for card, value in values.items():
            worths[card].append(payoffs[deal.value + value])
    return worths


def _try_out(
    situation: TrickSituation, game: TrickGame, payoffs: Payoffs, effort: Effort, dice: Dice
) -> dict[int, list[float]]:
    """Return the worth of each card over deals played on to their end as people play."""
    play_out = play_to_lose if game.fewest else play_to_win
    worths: dict[int, list[float]] = {card: [] for card in situation.legal}
    for number in range(1, effort.worlds + 1):
        deal = situation.deal(dice)
        for card, worth in worths.items():
            tried = deal.copy()
            tried.play(card)
            worth.append(payoffs[play_out(tried, dice, None)])
        if effort.first and number % effort.first == 0 and len(worths) > 2:
            ranked = sorted(worths, key=lambda card: (-sum(worths[card]), card))
            worths = {card: worths[card] for card in ranked[: (len(ranked) + 1) // 2]}
    return worths
