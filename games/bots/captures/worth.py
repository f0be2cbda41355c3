"""Worth of a play of a Scopa game at a glance, and of a deal before it is over, in points (S7).

A glance weighs what a card takes, a scopa, and what it leaves to the next player; it looks at the table alone, so it is
worked out once for each table and card. It knows no hands and decides nothing.
"""

from collections.abc import Callable
from math import exp, sqrt, tanh
from typing import NamedTuple

from games.bots.captures.deal import DENARI, TakingStyle
from games.engine.captures import ENOUGH_CARDS, ENOUGH_DENARI, HIGHEST, SAME_VALUE, SETTEBELLO, VALUE
from games.engine.cards import BIT, DECK_SIZE, list_cards

CARD, DENARO, SEVEN_OF_DENARI, SCOPA = 0.055, 0.14, 1.0, 1.0
PRIMIERA = (0.08, 0.01, 0.02, 0.03, 0.04, 0.12, 0.25, 0.0, 0.0, 0.0)  # by rank: "A234567FCR"
DANGER = 0.35  # what it costs to leave a table that one card may sweep
LEFT = 0.175  # of what is left on the table
MOST_KEPT = 150_000  # glances, before they are forgotten
WORTH: tuple[float, ...] = tuple(
    PRIMIERA[card % 10]
    + CARD
    + (DENARO if DENARI >> card & 1 else 0.0)
    + (SEVEN_OF_DENARI if SETTEBELLO >> card & 1 else 0.0)
    for card in range(DECK_SIZE)
)
SEVENS, SIXES, ACES = SAME_VALUE[6], SAME_VALUE[5], SAME_VALUE[0]


class Glance(NamedTuple):
    """The play of a card that seems best: its worth, what it takes, the table after it, and whether it sweeps."""

    worth: float
    takes: int
    table: int
    gain: int  # what goes to the pile, the card with it
    scopa: bool


class Glances:
    """The glances of a game, kept by table and card."""

    def __init__(self, style: TakingStyle) -> None:
        self.style = style
        self.kept: dict[tuple[int, int], Glance] = {}

    def look(self, table: int, card: int) -> Glance:
        """Return the play of this card that seems best."""
        hit = self.kept.get((table, card))
        if hit is not None:
            return hit
        options = self.style.taking(table, card) or (0,)
        best = max((self.weigh(table, card, takes) for takes in options), key=lambda glance: glance.worth)
        if len(self.kept) >= MOST_KEPT:
            self.kept.clear()
        self.kept[table, card] = best
        return best

    def weigh(self, table: int, card: int, takes: int) -> Glance:
        """Return what this play seems worth."""
        scopa, gain, worth = False, 0, 0.0
        if takes:
            gain, rest = takes | BIT[card], table ^ takes
            scopa = not rest and self.style.sweeps(card, takes)
            worth = add_up_worth(gain) + (SCOPA if scopa else 0.0)
        else:
            rest = table | BIT[card]
        if rest:
            worth -= LEFT * add_up_worth(rest)
            if sum([VALUE[lying] for lying in list_cards(rest)]) <= HIGHEST:
                worth -= DANGER
        return Glance(worth, takes, rest, gain, scopa)


def add_up_worth(cards: int) -> float:
    return sum([WORTH[card] for card in list_cards(cards)])


def _tabulate(size: int, value: Callable[[int, int], float]) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(value(ours, theirs) for theirs in range(size + 1)) for ours in range(size + 1))


def _lean(ahead: float) -> float:
    return 2 / (1 + exp(-ahead)) - 1


def _expect_cards(ours: int, theirs: int) -> float:
    if max(ours, theirs) >= ENOUGH_CARDS:
        return 1.0 if ours > theirs else -1.0
    return _lean(0.9 * (ours - theirs) / sqrt(max(0, DECK_SIZE - ours - theirs) + 1))


def _expect_denari(ours: int, theirs: int) -> float:
    if max(ours, theirs) >= ENOUGH_DENARI:
        return 1.0 if ours > theirs else -1.0
    return _lean(1.3 * (ours - theirs) / sqrt(max(0, 10 - ours - theirs) + 0.7))


_CARDS = _tabulate(DECK_SIZE, _expect_cards)
_DENARI = _tabulate(10, _expect_denari)


def expect_points(ours: int, theirs: int) -> float:
    """Return the points that line 0 may expect of these piles beyond line 1, scope apart, while cards are to come."""
    cards, other = ours.bit_count(), theirs.bit_count()
    points = _CARDS[cards][other] + _DENARI[(ours & DENARI).bit_count()][(theirs & DENARI).bit_count()]
    if ours & SETTEBELLO:
        points += 1
    elif theirs & SETTEBELLO:
        points -= 1
    ahead = (
        (ours & SEVENS).bit_count()
        - (theirs & SEVENS).bit_count()
        + 0.45 * ((ours & SIXES).bit_count() - (theirs & SIXES).bit_count())
        + 0.25 * ((ours & ACES).bit_count() - (theirs & ACES).bit_count())
    )
    return points + tanh(ahead * (0.3 + 0.015 * (cards + other)))
