"""The floor and the ceiling that the house's players are measured between.

``sample_plainly`` deals the cards it doesn't see anew, plays each deal by dice to its end, by the rules themselves, and
takes the card that did best; it remembers what was played, and reckons with nothing else. ``look_at_all_cards`` cheats:
it sees every hand and the stock, plays the end exactly and what is before it as people mostly play.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from bench.rivals import Player
from games import bots
from games.bots.memory import remember
from games.bots.open_cards import weigh_openly
from games.engine.cards import FULL, list_cards, make_mask
from games.engine.game import GO_WITH_CARD, GameMove, View
from games.rules import RULESETS

SAMPLES = 100


def sample_plainly(ruleset: str, sign: int, samples: int = SAMPLES) -> Player:
    """Return the plain sampler of a game. ``sign``: -1 where fewer points win."""
    rules = RULESETS[ruleset]

    def play(views: Sequence[View], dice: Random, state: Any) -> Sequence[GameMove]:
        return with_calls(ruleset, views, lambda plays: _sample(plays, views, dice, state))

    def _sample(plays: list[GameMove], views: Sequence[View], dice: Random, state: Any) -> GameMove:
        worths = dict.fromkeys(plays, 0.0)
        line = plays[0].seat % 2
        hidden = _find_hidden(views)
        for _ in range(samples):
            world = _deal_anew(state, hidden, dice)
            for move in plays:
                points = _play_by_dice(rules, rules.play(world, move), dice)
                worths[move] += sign * (points[line] - points[1 - line])
        return max(plays, key=lambda move: worths[move])

    return play


def with_calls(ruleset: str, views: Sequence[View], choose: Any) -> Sequence[GameMove]:
    """Return the calls that the house makes, and the card that is chosen where there is a choice."""
    meant = bots.choose_quickly(ruleset, views[-1])
    plays = [move for move in views[-1].legal if move.verb == "play"]
    if not plays or meant[-1].verb != "play":
        return meant
    calls = [move for move in meant[:-1] if move.verb not in GO_WITH_CARD]
    return [*calls, plays[0] if len(plays) == 1 else choose(plays)]


def _find_hidden(views: Sequence[View]) -> int:
    """Return the cards that were never in sight."""
    seen = remember(views).seen
    for hand in views[-1].hands:
        seen |= make_mask(hand.cards)
    return FULL & ~seen


def _deal_anew(state: Any, hidden: int, dice: Random) -> Any:
    """Return the state with the hidden cards in each other's places."""
    cards = list(list_cards(hidden))
    other = dict(zip(cards, dice.sample(cards, len(cards)), strict=True))
    hands = tuple(make_mask(other.get(card, card) for card in list_cards(hand)) for hand in state.hands)
    return state._replace(hands=hands, stock=tuple(other.get(card, card) for card in state.stock))


def _play_by_dice(rules: Any, state: Any, dice: Random) -> Sequence[int]:
    random = dice.random
    while rules.turn(state) is not None:
        legal = rules.legal(state)
        plays = [move for move in legal if move.verb == "play"] or legal
        state = rules.play(state, plays[int(random() * len(plays))])
    points: Sequence[int] = rules.tally(state).points
    return points


def look_at_all_cards(ruleset: str) -> Player:
    """Return the player who cheats."""

    def play(views: Sequence[View], dice: Random, state: Any) -> Sequence[GameMove]:
        def choose(plays: list[GameMove]) -> GameMove:
            worths = weigh_openly(ruleset, state, remember(views), plays, dice)
            return max(plays, key=lambda move: worths[move])

        return with_calls(ruleset, views, choose)

    return play
