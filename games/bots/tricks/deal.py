"""A deal of a Tresette game with open cards, to be played on in thought: fast, and by the rules of the cards alone.

Cards are masks of one bit in the order of strength (``cards``). The value of a deal is what line 0 has taken, in
thirds, the last trick counting three. Who plays on hands in legal cards: nothing is checked. Calls are no cards.
"""

from collections.abc import Sequence

from games.bots.tricks.cards import CARD_WORTH, LAST_TRICK, SUIT_OF, list_bits


class TrickDeal:
    """Hands by seat, the running trick from its leader on, the stock (the next card last), the value so far."""

    __slots__ = ("hands", "leader", "stock", "trick", "value")

    def __init__(
        self, hands: Sequence[int], leader: int, trick: Sequence[int] = (), stock: Sequence[int] = (), value: int = 0
    ) -> None:
        self.hands, self.leader, self.value = list(hands), leader, value
        self.trick, self.stock = list(trick), list(stock)

    def __repr__(self) -> str:
        """Return a summary for logs, without a card (N2)."""
        return f"<TrickDeal: seat {self.turn} to play, {len(self.stock)} in the stock>"

    def copy(self) -> "TrickDeal":
        return TrickDeal(self.hands, self.leader, self.trick, self.stock, self.value)

    @property
    def turn(self) -> int:
        """Return the seat to play."""
        return (self.leader + len(self.trick)) % len(self.hands)

    @property
    def is_over(self) -> bool:
        return not self.trick and not self.hands[self.leader]

    def list_legal(self) -> list[int]:
        """List the cards that may be played: of the suit led if there are any (T2)."""
        hand = self.hands[self.turn]
        following = hand & SUIT_OF[self.trick[0]] if self.trick else 0
        return list_bits(following or hand)

    def play(self, card: int) -> None:
        """Play a card; the last of a trick decides it, and cards are drawn (T1, T3)."""
        hands, trick = self.hands, self.trick
        hands[self.turn] ^= card
        trick.append(card)
        players = len(hands)
        if len(trick) < players:
            return
        place, worth = decide_trick(trick)
        taker = self.leader = (self.leader + place) % players
        for step in range(players) if self.stock else ():
            hands[(taker + step) % players] |= self.stock.pop()
        if not hands[taker]:
            worth += LAST_TRICK
        if taker % 2 == 0:
            self.value += worth
        trick.clear()


def decide_trick(trick: Sequence[int]) -> tuple[int, int]:
    """Return the place in the trick of its highest card of the suit led (T3), and its thirds."""
    best, place, worth = trick[0], 0, CARD_WORTH[trick[0]]
    suit = SUIT_OF[best]
    for at in range(1, len(trick)):
        card = trick[at]
        worth += CARD_WORTH[card]
        if card & suit and card > best:
            best, place = card, at
    return place, worth
