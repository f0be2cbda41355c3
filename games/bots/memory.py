"""Memory of a deal: what a seat has seen of it so far, from the Views it was given, oldest first.

A View shows the running trick and the one before, or the last capture; a player who pays attention keeps the rest in
mind. Nothing is added that wasn't in sight. It decides no play.
"""

from collections.abc import Iterable
from typing import NamedTuple

from games.engine.cards import BIT, make_mask
from games.engine.game import HeardCall, TableCard, View


class Play(NamedTuple):
    """A card seen being played: what lay on the table before (of a trick in playing order), and what it took."""

    seat: int
    card: int
    lying: tuple[int, ...]
    takes: int = 0  # a mask


class Memory(NamedTuple):
    """Sight of a seat in a deal so far: plays in order, cards drawn openly by whom, calls; sets of cards are masks."""

    plays: tuple[Play, ...] = ()
    drawn: tuple[tuple[int, int], ...] = ()  # seat and card
    calls: tuple[HeardCall, ...] = ()
    seen: int = 0  # every card that was ever open, and those shown as gone

    def __repr__(self) -> str:
        """Return a summary for logs, without a card (N2)."""
        return f"<Memory: {len(self.plays)} plays>"


def remember(views: Iterable[View]) -> Memory:
    """Return what there is to remember of these Views of one deal, all of one seat, oldest first."""
    plays: dict[int, Play] = {}  # by card: each is played once in a deal
    drawn: dict[int, int] = {}
    calls: dict[HeardCall, None] = {}
    seen = 0
    for view in views:
        table = tuple([lying.card for lying in view.table])
        seen |= make_mask(table) | make_mask(view.seen)
        if view.last is not None:
            cards = view.last.cards
            seen |= make_mask(view.last.takes)
            if len(cards) == 1 and len(view.hands) > 1:  # one card, played to a table of cards
                played, takes = cards[0], make_mask(view.last.takes)
                if played.card not in plays and played.seat is not None:
                    seen |= BIT[played.card]
                    before = tuple([card for card in (*table, *view.last.takes) if card != played.card])
                    plays[played.card] = Play(played.seat, played.card, before, takes)
            else:
                _add_trick(plays, view.last.cards)
            for card, seat in view.last.drawn:
                if seat is not None:
                    drawn[card] = seat
                    seen |= BIT[card]
        if view.table and view.table[0].seat is not None:
            _add_trick(plays, view.table)
        calls.update(dict.fromkeys(view.calls))
    for card in plays:
        seen |= BIT[card]
    return Memory(tuple(plays.values()), tuple((seat, card) for card, seat in drawn.items()), tuple(calls), seen)


def _add_trick(plays: dict[int, Play], cards: Iterable[TableCard]) -> None:
    lying: tuple[int, ...] = ()
    for card, seat in cards:
        if card not in plays and seat is not None:
            plays[card] = Play(seat, card, lying)
        lying = (*lying, card)
