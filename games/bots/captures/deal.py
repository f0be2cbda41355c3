"""A deal of a Scopa game with open cards, to be played on in thought: fast, and by the rules of the cards alone.

Cards are the engine's, sets of cards are masks. A play is a card and the mask it takes, 0 where it takes nothing. Who
plays on hands in legal plays: nothing is checked. What a game takes otherwise stands in its ``TakingStyle``.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from games.engine.captures import ENOUGH_CARDS, ENOUGH_DENARI, HAND_SIZE, PRIMIERA, SETTEBELLO
from games.engine.cards import BIT, SUIT_MASKS, list_cards

_SUIT_BITS = SUIT_MASKS[0]
DENARI = SUIT_MASKS[0]
# For each set of cards of a suit, the worth of its best in the primiera (S8).
BEST_OF_SUIT: tuple[int, ...] = tuple(
    max((PRIMIERA[rank] for rank in range(10) if cards >> rank & 1), default=0) for cards in range(_SUIT_BITS + 1)
)


class TakingStyle(NamedTuple):
    """The ways in which cards take in a game."""

    taking: Callable[[int, int], tuple[int, ...]]  # from the table and a card to the sets it may take
    sweeps: Callable[[int, int], bool]  # whether this card, taking the whole table, makes a scopa


class CaptureDeal:
    """Hands by seat, table, what each line has taken, who captured last (-1: nobody), the stock (the next card last).

    With ``more`` cards are to come that nobody knows: then it goes no further than the cards in hand.
    """

    __slots__ = ("hands", "more", "piles", "scope", "stock", "style", "table", "taker", "turn")

    def __init__(
        self,
        style: TakingStyle,
        hands: Sequence[int],
        turn: int,
        table: int,
        piles: Sequence[int],
        scope: int = 0,
        taker: int = -1,
        stock: Sequence[int] = (),
        *,
        more: bool = False,
    ) -> None:
        self.more = more
        self.style, self.turn, self.table, self.taker = style, turn, table, taker
        self.hands, self.piles, self.stock = list(hands), list(piles), list(stock)
        self.scope = scope  # those of line 0 less those of line 1

    def __repr__(self) -> str:
        """Return a summary for logs, without a card (N2)."""
        return f"<CaptureDeal: seat {self.turn} to play, {len(self.stock)} in the stock>"

    def copy(self) -> "CaptureDeal":
        return CaptureDeal(
            self.style,
            self.hands,
            self.turn,
            self.table,
            self.piles,
            self.scope,
            self.taker,
            self.stock,
            more=self.more,
        )

    @property
    def is_over(self) -> bool:
        return not any(self.hands)

    def list_legal(self) -> list[tuple[int, int]]:
        """List the plays: with each card every capture, or laying it down if it can take nothing (S4)."""
        plays = []
        for card in list_cards(self.hands[self.turn]):
            plays += [(card, takes) for takes in self.style.taking(self.table, card) or (0,)]
        return plays

    def play(self, card: int, takes: int) -> None:
        """Play a card; when all hands are empty the next ones are dealt, or the table goes to whoever took last
        (S6)."""
        hands, seat = self.hands, self.turn
        hands[seat] ^= BIT[card]
        empty = not any(hands)
        if takes:
            self.table ^= takes
            self.taker = seat
            self.piles[seat % 2] |= takes | BIT[card]
            if not self.table and (self.stock or self.more or not empty) and self.style.sweeps(card, takes):
                self.scope += -1 if seat % 2 else 1
        else:
            self.table |= BIT[card]
        self.turn = (seat + 1) % len(hands)
        if not empty or self.more:
            return
        if not self.stock:
            if self.taker >= 0:
                self.piles[self.taker % 2] |= self.table
                self.table = 0
            return
        for place in range(HAND_SIZE * len(hands)):
            hands[(self.turn + place) % len(hands)] |= BIT[self.stock.pop()]

    def count(self) -> int:
        """Return the points of line 0 less those of line 1, of a deal that is over (S7)."""
        return self.scope + count_piles(*self.piles)


def count_piles(ours: int, theirs: int) -> int:
    """Return the points that what was taken gives one line, less those of the other, scope apart (S7, S8)."""
    points = 1 if ours & SETTEBELLO else -1 if theirs & SETTEBELLO else 0
    cards, other = ours.bit_count(), theirs.bit_count()
    points += (cards >= ENOUGH_CARDS) - (other >= ENOUGH_CARDS)
    cards, other = (ours & DENARI).bit_count(), (theirs & DENARI).bit_count()
    points += (cards >= ENOUGH_DENARI) - (other >= ENOUGH_DENARI)
    best, other = count_primiera(ours), count_primiera(theirs)
    return points + (best > other) - (other > best)


def count_primiera(pile: int) -> int:
    """Return the worth of the best card of each suit (S8); 0 without all four suits."""
    denari, coppe = pile & _SUIT_BITS, pile >> 10 & _SUIT_BITS
    bastoni, spade = pile >> 20 & _SUIT_BITS, pile >> 30
    if not (denari and coppe and bastoni and spade):
        return 0
    return BEST_OF_SUIT[denari] + BEST_OF_SUIT[coppe] + BEST_OF_SUIT[bastoni] + BEST_OF_SUIT[spade]
