"""The house's Briscola, alone or in a pair: from the View only, in points of the cards (BR4).

Each card is weighed by what the trick brings or costs once whoever plays after it has answered as well as their unseen
cards are likely to allow, less what the card is still good for in the hand: so a trump isn't spent on little, an ace or
a three isn't led into an unknown hand, and a partner's trick gets the points. It never remembers tricks that the View
doesn't show and never looks at the clock.
"""

from functools import cache
from math import inf
from typing import NamedTuple

from games.bots.quick.belief import compute_chance, compute_expected_best, find_unseen
from games.engine.cards import BIT, DECK_SIZE, RANKS, list_cards, make_mask
from games.engine.game import GameMove, View
from games.rules.briscola import STRENGTH, WORTH, beats, find_winner

POINTS: tuple[int, ...] = tuple(WORTH.get(RANKS[card % 10], 0) for card in range(DECK_SIZE))
# What a card is worth keeping, by rank: "A234567FCR". A trick won is worth twice its points: the others don't get them.
KEPT = (4.0, 0.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.8, 0.8, 0.8)
KEPT_TRUMP = (22.0, 6.0, 20.0, 6.0, 6.0, 6.0, 6.0, 7.0, 8.0, 9.0)
HELP = 0.9  # how often a partner who plays later takes a trick that they can


def choose(view: View) -> tuple[GameMove, ...]:
    """Return the play worth most; ties go to the weakest card."""
    turned = view.turned
    if turned is None:
        return ()
    plays = [move for move in view.legal if move.verb == "play"]
    ranked = ((round(_evaluate(view, move, turned), 9), -STRENGTH[move.card], -move.card, move) for move in plays)
    return (max(ranked)[-1],) if plays else ()


def _evaluate(view: View, move: GameMove, turned: int) -> float:
    """Return the points that the line of this seat may expect of the trick with this card, less the card's own use."""
    seat, players = move.seat, len(view.hands)
    cards = (*[lying.card for lying in view.table], move.card)
    place = find_winner(cards, turned)
    best, ours = cards[place], (len(cards) - 1 - place) % 2 == 0
    pot = sum(POINTS[card] for card in cards)
    later = [(seat + step) % players for step in range(1, players - len(cards) + 1)]
    hidden = find_unseen(view) & ~BIT[move.card]
    if view.stock:
        hidden &= ~BIT[turned]
    value = float(pot if ours else -pot)
    opponents = [other for other in later if other % 2 != seat % 2]
    if opponents:
        answers = _Answers(best, pot, ours, turned, view.hands[opponents[0]].count)
        value = -_expect_answer(view, hidden, opponents, answers)
    partner = next((other for other in later if other % 2 == seat % 2), None)
    if partner is not None and not ours:
        value += HELP * _compute_chance_to_beat(view, hidden, partner, best, turned) * (abs(value) + pot)
    return value - _evaluate_keeping(move.card, turned, view.hands[seat].count)


class _Answers(NamedTuple):
    """Answers to a trick that lies so: its best card, its points, whether it is ours; ``held``: cards in a hand."""

    best: int
    pot: int
    ours: bool
    turned: int
    held: int

    def evaluate(self, card: int) -> float:
        """Return what this card brings who answers with it: the trick, taken or theirs already, less its own use."""
        theirs = not self.ours or beats(card, self.best, self.turned)
        points = self.pot + POINTS[card]
        return (points if theirs else -points) - _evaluate_keeping(card, self.turned, self.held)


def _expect_answer(view: View, hidden: int, opponents: list[int], answers: _Answers) -> float:
    """Return the points that the other line may expect of the trick, when it answers with the best of its cards."""
    certain = make_mask(card for other in opponents for card in view.hands[other].cards)
    drawn = sum(view.hands[other].count for other in opponents) - certain.bit_count()
    sure = max((answers.evaluate(card) for card in list_cards(certain)), default=-inf)
    gains = [max(sure, answers.evaluate(card)) for card in list_cards(hidden)]
    return compute_expected_best(gains, drawn) if drawn and gains else sure


def _evaluate_keeping(card: int, turned: int, held: int) -> float:
    """Return what a card is worth keeping in a hand of so many cards."""
    if held == 1:
        return 0.0
    return (KEPT_TRUMP if card // 10 == turned // 10 else KEPT)[card % 10]


def _compute_chance_to_beat(view: View, hidden: int, seat: int, best: int, turned: int) -> float:
    """Return the probability that this seat holds a card that takes the trick from the best one."""
    wanted = _find_beating(best, turned // 10)
    own_cards = make_mask(view.hands[seat].cards)
    if own_cards & wanted:
        return 1.0
    return compute_chance(
        hidden.bit_count(), (hidden & wanted).bit_count(), view.hands[seat].count - own_cards.bit_count()
    )


@cache
def _find_beating(best: int, trumps: int) -> int:
    """Return the cards that take the trick from this one."""
    return make_mask(card for card in range(DECK_SIZE) if beats(card, best, trumps * 10))
