"""The house's play of the Scopa games, alone or in a pair: from the View only, in points of the deal (S7).

Each legal play is weighed by what it takes (settebello, denari, primiera, cards, a scopa), less what the next player
may be expected to take of the table it leaves, plus what the rest of the hand could still take of it. So an easy scopa
is not left on the table, nor the settebello. It never remembers captures that the View doesn't show and never looks at
the clock.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from games.bots.quick.belief import compute_expected_best, find_known, find_unseen
from games.engine.captures import ACES, ENOUGH_CARDS
from games.engine.cards import BIT, DECK_SIZE, NAMES, SUIT_MASKS, list_cards, make_mask
from games.engine.game import GameMove, View

SCOPA = 1.0
SETTEBELLO = 1.0
CARD = 0.055  # towards the 21 cards
DENARO = 0.14  # towards the 6 denari
PRIMIERA = (0.08, 0.01, 0.02, 0.03, 0.04, 0.12, 0.25, 0.0, 0.0, 0.0)  # towards it (S8), by rank: "A234567FCR"
WORTH: tuple[float, ...] = tuple(
    PRIMIERA[card % 10] + DENARO * (SUIT_MASKS[0] >> card & 1) + SETTEBELLO * (NAMES[card] == "7d")
    for card in range(DECK_SIZE)
)

REPLY = 0.9  # how much of what the next player may take is held against a play
FOLLOW = 0.4  # how much of what the rest of the hand could take counts for it


class CaptureStyle(NamedTuple):
    """The ways in which cards take in a game, and the worth of an ace there."""

    taking: Callable[[int, int], tuple[int, ...]]  # from the table and a card to the sets it may take
    sweeps: Callable[[int, int], bool]  # whether this card, taking the whole table, makes a scopa
    ace: float = 0.0  # what an ace is worth keeping, in points


def choose(view: View, game: CaptureStyle) -> tuple[GameMove, ...]:
    """Return the legal play worth most; ties go to the lowest card, then to the lowest captured cards."""
    plays = [move for move in view.legal if move.verb == "play"]
    left = sum(hand.count for hand in view.hands) - 1
    ranked = ((round(_evaluate(view, move, left, game), 9), -move.card, -move.takes, move) for move in plays)
    return (max(ranked)[-1],) if plays else ()


def _evaluate(view: View, move: GameMove, left: int, game: CaptureStyle) -> float:
    """Return the worth of a play; ``left`` is the number of cards in all hands after it."""
    card_worth = 0.0 if max(pile.cards for pile in view.piles) >= ENOUGH_CARDS else CARD
    last_play = view.stock == 0 and left == 0
    table = make_mask(lying.card for lying in view.table)
    if move.takes:
        remaining = table & ~move.takes
        value = _add_up_worth(move.takes | BIT[move.card], card_worth)
        if not remaining and not last_play and game.sweeps(move.card, move.takes):
            value += SCOPA
        if view.stock == 0:  # who captures last gets the rest (S6)
            value += _add_up_worth(remaining, card_worth) * 0.5**left
    else:
        remaining = table | BIT[move.card]
        value = 0.0
    if left == 0:
        return value
    hand = make_mask(view.hands[move.seat].cards) & ~BIT[move.card]
    if hand and BIT[move.card] & ACES:
        value -= game.ace
    follow = max((_find_best_gain(card, remaining, card_worth, game) for card in list_cards(hand)), default=0.0)
    return value - REPLY * _expect_reply(view, move, remaining, card_worth, game) + FOLLOW * follow


def _expect_reply(view: View, move: GameMove, table: int, card_worth: float, game: CaptureStyle) -> float:
    """Return the worth of what the next player is expected to take of ``table``, by the cards they may hold."""
    seat = (move.seat + 1) % len(view.hands)
    certain = find_known(view, seat)
    sure = max((_find_best_gain(card, table, card_worth, game) for card in list_cards(certain)), default=0.0)
    gains = (
        max(sure, _find_best_gain(card, table, card_worth, game))
        for card in list_cards(find_unseen(view) & ~BIT[move.card])
    )
    return max(sure, compute_expected_best(gains, view.hands[seat].count - certain.bit_count()))


def _add_up_worth(cards: int, card_worth: float) -> float:
    return sum(WORTH[card] + card_worth for card in list_cards(cards))


@lru_cache(maxsize=20_000)
def _find_best_gain(card: int, table: int, card_worth: float, game: CaptureStyle) -> float:
    """Return the best that ``card`` can take of ``table``, a scopa included; nothing if it takes nothing."""
    best = 0.0
    for takes in game.taking(table, card):
        scopa = takes == table and game.sweeps(card, takes)
        best = max(best, _add_up_worth(takes | BIT[card], card_worth) + (SCOPA if scopa else 0.0))
    return best
