"""Knowledge of a seat about a Scopa deal, and the deals that fit it: from a View and what is remembered, nothing else.

Of several ways in which the hidden cards may lie the likelier is taken: one in which the others, as people mostly play,
would have played what they did. Who left a capture lying hardly has the card for it. It decides no play.
"""

from collections.abc import Iterator, Sequence
from math import exp
from typing import NamedTuple

from games.bots.captures.deal import CaptureDeal
from games.bots.captures.worth import Glances
from games.bots.dice import Dice
from games.bots.memory import Memory, Play
from games.bots.worlds import Hidden, Room
from games.engine.captures import HAND_SIZE
from games.engine.cards import BIT, FULL, list_cards, make_mask
from games.engine.game import GameMove, View

SURENESS = 5.0  # how much likelier a play is that seems a point better, as a power of e
MOST_WEIGHED = 8  # plays of others that are looked back at


class CaptureGame(NamedTuple):
    """Game of captures: how it takes, and how many cards are dealt to a hand at once."""

    glances: Glances
    hand_size: int = HAND_SIZE


class _Hint(NamedTuple):
    """A play of another seat, with what that seat has played since, as a mask with this card."""

    seat: int
    table: int
    play: Play
    since: int


class CaptureSituation:
    """A seat's turn to play: what it may play, and all it knows."""

    def __init__(self, view: View, memory: Memory, plays: Sequence[GameMove], game: CaptureGame) -> None:
        self.seat = plays[0].seat
        self.legal = sorted((move.card, move.takes) for move in plays)
        self.glances = game.glances
        self.stock = view.stock
        self._table = make_mask(lying.card for lying in view.table)
        self._known = [make_mask(hand.cards) for hand in view.hands]
        self._piles, self._taker = _add_up_piles(memory.plays)
        self._scope = view.piles[0].scope - view.piles[1].scope
        self._owners, self._hidden = _hide(view, memory, self._known)
        self._hints = _list_hints(view, memory, self._owners, game.hand_size)

    @property
    def is_open(self) -> bool:
        """Return whether every card in hand has but one place to be."""
        return not self.stock and self._hidden.is_open

    def deal(self, dice: Dice, ways: int) -> CaptureDeal:
        """Return a deal that fits what is known: of so many ``ways`` in which the cards may lie a likely one."""
        chosen = self._hidden.deal(dice)
        if ways > 1 and self._hints:
            total = self._weigh(chosen)
            for _ in range(ways - 1):
                other = self._hidden.deal(dice)
                weight = self._weigh(other)
                total += weight
                if dice.random() * total < weight:
                    chosen = other
        return self._lay_out(chosen)

    def count_ways(self) -> int:
        """Return in how many ways the hidden cards may lie; 0 where cards are still to be dealt."""
        return 0 if self.stock else self._hidden.ways

    def list_deals(self) -> Iterator[CaptureDeal]:
        """Yield every deal that fits what is known, each once."""
        return map(self._lay_out, self._hidden.list_deals())

    def _lay_out(self, dealt: Sequence[int]) -> CaptureDeal:
        hands = list(self._known)
        for owner, cards in zip(self._owners, dealt, strict=True):
            if owner >= 0:
                hands[owner] |= cards
        return CaptureDeal(
            self.glances.style,
            hands,
            self.seat,
            self._table,
            self._piles,
            self._scope,
            self._taker,
            more=bool(self.stock),
        )

    def _weigh(self, dealt: Sequence[int]) -> float:
        """Return how likely the others' plays were, had they held these cards."""
        hands = list(self._known)
        for owner, cards in zip(self._owners, dealt, strict=True):
            if owner >= 0:
                hands[owner] |= cards
        weight, glances = 1.0, self.glances
        kept, look = glances.kept, glances.look
        for seat, table, play, since in self._hints:
            best = glances.weigh(table, play.card, play.takes).worth
            total = 1.0
            for card in list_cards(hands[seat] | since & ~BIT[play.card]):
                glance = kept.get((table, card)) or look(table, card)
                total += exp(SURENESS * (glance[0] - best))
            weight /= total
        return weight


GONE, STOCK = -1, -2  # owners of hidden cards that are no seats


def _add_up_piles(plays: Sequence[Play]) -> tuple[list[int], int]:
    """Return what each line was seen to take, and the seat that captured last; -1: none."""
    piles, taker = [0, 0], -1
    for play in plays:
        if play.takes:
            taker = play.seat
            piles[play.seat % 2] |= play.takes | BIT[play.card]
    return piles, taker


def _hide(view: View, memory: Memory, seen_cards: Sequence[int]) -> tuple[list[int], Hidden]:
    """Return the owners of the places where hidden cards may be, and those cards. Impossible if they don't fit."""
    unseen = FULL & ~(memory.seen | make_mask(lying.card for lying in view.table))
    places, owners = [], []
    for seat, hand in enumerate(view.hands):
        unseen &= ~seen_cards[seat]
        places.append(Room(hand.count - seen_cards[seat].bit_count(), FULL))
        owners.append(seat)
    places.append(Room(view.stock, FULL))
    owners.append(STOCK)
    places.append(Room(unseen.bit_count() - sum(place.room for place in places), FULL))
    owners.append(GONE)
    used = [at for at, place in enumerate(places) if place.room]
    return [owners[at] for at in used], Hidden(unseen, [places[at] for at in used])


def _list_hints(view: View, memory: Memory, owners: Sequence[int], hand_size: int) -> list[_Hint]:
    """List the latest plays of seats whose hand is hidden, of cards dealt with those they hold now, the last first."""
    hints: list[_Hint] = []
    since = dict.fromkeys(owners, 0)
    for play in reversed(memory.plays):
        if play.seat not in since or play.seat < 0 or len(hints) == MOST_WEIGHED:
            continue
        if view.hands[play.seat].count + since[play.seat].bit_count() >= hand_size:
            continue
        since[play.seat] |= BIT[play.card]
        hints.append(_Hint(play.seat, make_mask(play.lying), play, since[play.seat]))
    return hints
