"""Positions of the games by the dice."""

from random import Random
from typing import Any

from bench.mirrored import decks, single_deal
from games.bots.tricks.cards import PLAIN
from games.engine.game import GameMove
from games.rules import RULESETS


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


def name_card(ordered: int) -> int:
    """Return the engine's card of a mask of one in the order of strength."""
    return PLAIN[ordered.bit_length() - 1]
