"""Play with open cards, from a state of the rules: what each play comes to for whoever sees every hand and the stock.

Exact where the solvers reach, else played on as people mostly play. No player of the house is asked with a state: this
is for looking back at a deal that is over (HP6), and for measuring.
"""

from collections.abc import Sequence
from typing import Any

from games.bots.briscola.deal import ORDERED as PLACES
from games.bots.briscola.deal import BriscolaDeal
from games.bots.briscola.player import PAYOFFS as BRISCOLA_PAYOFFS
from games.bots.briscola.playouts import play_out
from games.bots.briscola.solver import BriscolaSolver
from games.bots.captures.deal import CaptureDeal
from games.bots.captures.player import GAMES
from games.bots.captures.playouts import play_out_hand
from games.bots.captures.solver import CaptureSolver
from games.bots.dice import Dice
from games.bots.memory import Memory
from games.bots.tricks.cards import ORDERED, PLAIN, order_cards
from games.bots.tricks.deal import TrickDeal
from games.bots.tricks.player import make_game
from games.bots.tricks.playouts import play_to_lose, play_to_win
from games.bots.tricks.solver import TrickSolver
from games.engine.captures import Captures
from games.engine.cards import RANKS, list_cards
from games.engine.game import GameMove
from games.engine.tricks import Tricks
from games.rules.briscola import WORTH, BriscolaState

PLAYOUTS = 60
MOST_TRICKS, MOST_CARDS = {2: 8, 4: 5}, 8  # played exactly: tricks by the number of hands, cards of all hands
MOST_BRISCOLA = {2: 6, 4: 3}  # tricks by the number of hands, those of the stock with them


def weigh_openly(
    ruleset_id: str, state: Any, memory: Memory, plays: Sequence[GameMove], dice: Dice, playouts: int = PLAYOUTS
) -> dict[GameMove, float]:
    """Return for each of these plays the points that its line gets beyond the other with all cards open."""
    if isinstance(state, Tricks):
        return _weigh_tricks(ruleset_id, state, memory, plays, dice, playouts)
    if isinstance(state, BriscolaState):
        return _weigh_briscola(state, plays, dice, playouts)
    return _weigh_captures(ruleset_id, state, plays, dice, playouts)


def _weigh_tricks(
    ruleset_id: str, state: Tricks, memory: Memory, plays: Sequence[GameMove], dice: Dice, playouts: int
) -> dict[GameMove, float]:
    deal, game, players = copy_tricks(state), make_game(ruleset_id, memory), len(state.hands)
    sign = -1 if plays[0].seat % 2 else 1
    if not state.stock and state.hands[state.turn].bit_count() <= MOST_TRICKS[players]:
        values = TrickSolver(players, fewest=game.fewest).evaluate_plays(deal.hands, deal.leader, deal.trick)
        exact = {PLAIN[card.bit_length() - 1]: game.payoffs[deal.value + value] for card, value in values.items()}
        return {move: float(sign * exact[move.card]) for move in plays}
    worths = {}
    play_on = play_to_lose if game.fewest else play_to_win
    for move in plays:
        tried = deal.copy()
        tried.play(1 << ORDERED[move.card])
        worths[move] = sign * sum(game.payoffs[play_on(tried, dice)] for _ in range(playouts)) / playouts
    return worths


def _weigh_briscola(
    state: BriscolaState, plays: Sequence[GameMove], dice: Dice, playouts: int
) -> dict[GameMove, float]:
    deal, players = copy_briscola(state), len(state.hands)
    sign = -1 if plays[0].seat % 2 else 1
    if state.hands[state.turn].bit_count() + len(state.stock) // players <= MOST_BRISCOLA[players]:
        exact = BriscolaSolver().evaluate_plays(deal)
        return {move: sign * BRISCOLA_PAYOFFS[exact[PLACES[move.card]]] for move in plays}
    worths = {}
    for move in plays:
        tried = deal.copy()
        tried.play(PLACES[move.card])
        worths[move] = sign * sum(BRISCOLA_PAYOFFS[play_out(tried, dice)] for _ in range(playouts)) / playouts
    return worths


def _weigh_captures(
    ruleset_id: str, state: Captures, plays: Sequence[GameMove], dice: Dice, playouts: int
) -> dict[GameMove, float]:
    deal, glances = copy_captures(ruleset_id, state), GAMES[ruleset_id].glances
    sign = -1 if plays[0].seat % 2 else 1
    if not state.stock and sum(hand.bit_count() for hand in state.hands) <= MOST_CARDS:
        exact = CaptureSolver(glances).evaluate_plays(deal)
        return {move: float(sign * exact[move.card, move.takes]) for move in plays}
    worths = dict.fromkeys(plays, 0.0)
    for move in plays:
        for _ in range(playouts):
            tried = deal.copy()
            tried.play(move.card, move.takes)
            while not tried.is_over and tried.stock:  # the cards to come lie open, too
                trail: list[tuple[int, int]] = []
                play_out_hand(tried, glances, dice, trail)
                for card, takes in trail:
                    tried.play(card, takes)
            worths[move] += sign * (tried.count() if tried.is_over else play_out_hand(tried, glances, dice)) / playouts
    return worths


def copy_tricks(state: Tricks) -> TrickDeal:
    """Return the deal of a state of the rules, with what line 0 has taken."""
    return TrickDeal(
        [order_cards(hand) for hand in state.hands],
        (state.turn - len(state.cards)) % len(state.hands),
        [1 << ORDERED[card] for card in state.cards],
        [1 << ORDERED[card] for card in reversed(state.stock)],
        sum(state.thirds[0::2]),
    )


def copy_briscola(state: BriscolaState) -> BriscolaDeal:
    """Return the deal of a state of the rules, with the points line 0 has taken."""
    players = len(state.hands)
    return BriscolaDeal(
        state.turned // 10,
        [[PLACES[card] for card in list_cards(hand)] for hand in state.hands],
        (state.turn - len(state.cards)) % players,
        [PLACES[card] for card in state.cards],
        [PLACES[card] for card in reversed(state.stock)],
        count_points(state),
    )


def count_points(state: BriscolaState) -> int:
    """Return the points of the cards that line 0 has taken (BR4)."""
    return sum(WORTH.get(RANKS[card % 10], 0) for card in list_cards(state.piles[0]))


def copy_captures(ruleset: str, state: Captures) -> CaptureDeal:
    style = GAMES[ruleset].glances.style
    scope = state.scope[0] - state.scope[1]
    stock = state.stock[::-1]
    return CaptureDeal(style, state.hands, state.turn, state.table, state.piles, scope, state.taker, stock)
