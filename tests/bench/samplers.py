"""The floor and the ceiling that the house's players are measured between.

``sample_plainly`` deals the cards it doesn't see anew, plays each deal by dice to its end, by the rules themselves, and
takes the card that did best; it remembers what was played, and reckons with nothing else. ``look_at_all_cards`` cheats:
it sees every hand and the stock, plays the end exactly and what is before it as people mostly play.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from games import bots
from games.bots.briscola.deal import ORDERED
from games.bots.briscola.playouts import play_out
from games.bots.briscola.solver import BriscolaSolver
from games.bots.captures.player import GAMES
from games.bots.captures.playouts import play_out_hand
from games.bots.captures.solver import CaptureSolver
from games.bots.memory import remember
from games.bots.tricks.playouts import play_to_lose, play_to_win
from games.bots.tricks.solver import TrickSolver
from games.engine.cards import FULL, list_cards, make_mask
from games.engine.game import GO_WITH_CARD, GameMove, View
from games.engine.tricks import Tricks
from games.rules import RULESETS
from games.rules.briscola import BriscolaState
from tests.bench.open_deals import copy_briscola, copy_captures, copy_tricks, name_card
from tests.bench.rivals import Player

SAMPLES = 100
OPEN_PLAYOUTS = 60
OPEN_TRICKS, OPEN_CARDS = {2: 8, 4: 5}, 8  # played exactly: tricks by the number of hands, cards of all hands
OPEN_BRISCOLA = {2: 6, 4: 3}  # tricks by the number of hands, those of the stock with them


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
        weigh = WEIGHING.get(type(state), _weigh_captures)
        return with_calls(ruleset, views, lambda plays: weigh(ruleset, plays, dice, state))

    return play


def _weigh_tricks(ruleset: str, plays: list[GameMove], dice: Random, state: Tricks) -> GameMove:
    deal, fewest = copy_tricks(state), ruleset == "tresette-a-perdere"
    seat = plays[0].seat
    if not state.stock and state.hands[seat].bit_count() <= OPEN_TRICKS[len(state.hands)]:
        values = TrickSolver(len(state.hands), fewest=fewest).evaluate_plays(deal.hands, deal.leader, deal.trick)
        worths: dict[int, float] = {name_card(card): value for card, value in values.items()}
    else:
        worths = {}
        for card in deal.list_legal():
            tried = deal.copy()
            tried.play(card)
            play_out = play_to_lose if fewest else play_to_win
            worths[name_card(card)] = sum(play_out(tried, dice) for _ in range(OPEN_PLAYOUTS))
    sign = -1 if (seat % 2 == 1) != fewest else 1
    return max(plays, key=lambda move: sign * worths[move.card])


def _weigh_briscola(ruleset: str, plays: list[GameMove], dice: Random, state: BriscolaState) -> GameMove:
    deal, seat = copy_briscola(state), plays[0].seat
    if state.hands[seat].bit_count() + len(state.stock) // len(state.hands) <= OPEN_BRISCOLA[len(state.hands)]:
        values: dict[int, float] = dict(BriscolaSolver().evaluate_plays(deal))
    else:
        values = {}
        for card in deal.hands[seat]:
            tried = deal.copy()
            tried.play(card)
            values[card] = sum(play_out(tried, dice) for _ in range(OPEN_PLAYOUTS))
    sign = -1 if seat % 2 else 1
    return max(plays, key=lambda move: sign * values[ORDERED[move.card]])


def _weigh_captures(ruleset: str, plays: list[GameMove], dice: Random, state: Any) -> GameMove:
    deal, glances = copy_captures(ruleset, state), GAMES[ruleset].glances
    sign = -1 if plays[0].seat % 2 else 1
    if not state.stock and sum(hand.bit_count() for hand in state.hands) <= OPEN_CARDS:
        values = CaptureSolver(glances).evaluate_plays(deal)
        return max(plays, key=lambda move: sign * values[move.card, move.takes])
    worths = {}
    for move in plays:
        worths[move] = 0.0
        for _ in range(OPEN_PLAYOUTS):
            tried = deal.copy()
            tried.play(move.card, move.takes)
            while not tried.is_over and tried.stock:  # the cards to come lie open, too
                trail: list[tuple[int, int]] = []
                play_out_hand(tried, glances, dice, trail)
                for card, takes in trail:
                    tried.play(card, takes)
            worths[move] += sign * (tried.count() if tried.is_over else play_out_hand(tried, glances, dice))
    return max(plays, key=lambda move: worths[move])


WEIGHING: dict[type, Any] = {Tricks: _weigh_tricks, BriscolaState: _weigh_briscola}
