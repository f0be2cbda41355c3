"""A deal of Briscola with open cards, to be played on in thought: fast, and by the rules of the cards alone.

A card is its *place*: within a suit a higher one takes (BR2). A hand is a list of at most three. The value of a deal is
the points of the cards that line 0 has taken (BR4). Who plays on hands in cards of the hand: nothing is checked.
"""

from collections.abc import Sequence

from games.engine.cards import DECK_SIZE, RANKS
from games.rules.briscola import STRENGTH, WORTH

SUIT_SIZE = 10
ORDERED: tuple[int, ...] = tuple(card // SUIT_SIZE * SUIT_SIZE + STRENGTH[card] for card in range(DECK_SIZE))
PLAIN: tuple[int, ...] = tuple(ORDERED.index(place) for place in range(DECK_SIZE))
POINTS: tuple[int, ...] = tuple(WORTH.get(RANKS[card % SUIT_SIZE], 0) for card in PLAIN)
ALL_POINTS = sum(POINTS)
LOAD = 10  # points from which a card is a *carico*: aces and threes


def _mask_beating(best: int, trumps: int) -> int:
    suit = best // SUIT_SIZE
    return sum(
        1 << place
        for place in range(DECK_SIZE)
        if (place > best if place // SUIT_SIZE == suit else place // SUIT_SIZE == trumps)
    )


# For the suit of trumps and the best card of a trick, the places that take it from that card, as a mask.
BEATING: tuple[tuple[int, ...], ...] = tuple(
    tuple(_mask_beating(best, trumps) for best in range(DECK_SIZE)) for trumps in range(4)
)


class BriscolaDeal:
    """Hands by seat, the running trick from its leader on, the stock (the next card last), the value so far."""

    __slots__ = ("hands", "leader", "stock", "trick", "trumps", "value")

    def __init__(
        self,
        trumps: int,
        hands: Sequence[Sequence[int]],
        leader: int,
        trick: Sequence[int] = (),
        stock: Sequence[int] = (),
        value: int = 0,
    ) -> None:
        self.trumps, self.leader, self.value = trumps, leader, value
        self.hands = [[*hand] for hand in hands]
        self.trick, self.stock = [*trick], [*stock]

    def __repr__(self) -> str:
        """Return a summary for logs, without a card (N2)."""
        return f"<BriscolaDeal: seat {self.turn} to play, {len(self.stock)} in the stock>"

    def copy(self) -> "BriscolaDeal":
        return BriscolaDeal(self.trumps, self.hands, self.leader, self.trick, self.stock, self.value)

    @property
    def turn(self) -> int:
        """Return the seat to play."""
        return (self.leader + len(self.trick)) % len(self.hands)

    @property
    def is_over(self) -> bool:
        return not self.trick and not self.hands[self.leader]

    def play(self, card: int) -> None:
        """Play a card; the last of a trick decides it, and cards are drawn (BR2, BR3)."""
        hands, trick = self.hands, self.trick
        players = len(hands)
        hands[self.turn].remove(card)
        trick.append(card)
        if len(trick) < players:
            return
        beating = BEATING[self.trumps]
        taken, place = 0, 0
        for at, lying in enumerate(trick):
            taken += POINTS[lying]
            if beating[trick[place]] >> lying & 1:
                place = at
        self.leader = (self.leader + place) % players
        if self.leader % 2 == 0:
            self.value += taken
        for step in range(players) if self.stock else ():
            hands[(self.leader + step) % players].append(self.stock.pop())
        trick.clear()
