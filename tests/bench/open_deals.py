"""Deals of the house's simulators made from states of the rules, and positions by the dice."""

from random import Random
from typing import Any

from games.bots.briscola import deal as briscola
from games.bots.briscola.deal import BriscolaDeal
from games.bots.captures.deal import CaptureDeal
from games.bots.captures.player import GAMES
from games.bots.tricks.cards import ORDERED, PLAIN, order_cards
from games.bots.tricks.deal import TrickDeal
from games.engine.captures import Captures
from games.engine.cards import RANKS, list_cards
from games.engine.game import GameMove
from games.engine.tricks import Tricks
from games.rules import RULESETS
from games.rules.briscola import WORTH, BriscolaState
from tests.bench.mirrored import decks, single_deal


def deal_rules(ruleset: str, players: int, seed: int) -> Any:
    """Return a deal just dealt by the rules."""
    setup = single_deal(ruleset, players)
    deck, dealer = next(decks(setup, seed))
    return RULESETS[ruleset].deal(setup, deck, dealer)


def list_plays(ruleset: str, state: Any) -> list[GameMove]:
    return [move for move in RULESETS[ruleset].legal(state) if move.verb == "play"]


def play_on(ruleset: str, state: Any, plies: int, dice: Random) -> Any:
    """Return the state after so many cards by the dice, or after the last but one; calls that must be made are made."""
    rules = RULESETS[ruleset]
    for _ in range(plies):
        plays = list_plays(ruleset, state)
        after = rules.play(state, dice.choice(plays)) if plays else rules.play(state, rules.legal(state)[-1])
        if rules.turn(after) is None:
            break
        state = after
    return state


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
    places = briscola.ORDERED
    players = len(state.hands)
    return BriscolaDeal(
        state.turned // 10,
        [[places[card] for card in list_cards(hand)] for hand in state.hands],
        (state.turn - len(state.cards)) % players,
        [places[card] for card in state.cards],
        [places[card] for card in reversed(state.stock)],
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


def name_card(ordered: int) -> int:
    """Return the engine's card of a mask of one in the order of strength."""
    return PLAIN[ordered.bit_length() - 1]
