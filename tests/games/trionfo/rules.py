"""Trionfo for two, as it would stand in ``games/rules/trionfo.py``: the proof of docs/adding-a-game.md.

It decides what may be played, who takes, what a deal is worth and what each seat may see. It never touches the match's
score, its end or its clocks. There is no rulebook of it here, so no rule numbers; the rules are these:

Five cards each, one at a time from the dealer's right, who leads; the next card is turned up and names the trumps; the
others are not played. Who has a card of the suit led plays one, who has none plays any. The highest trump takes the
trick, without trumps the highest card of the suit led (R C F A 7 6 5 4 3 2). Who takes three tricks or four has a
point, who takes all five has two.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from games.engine.cards import BIT, DECK_SIZE, RANKS, SUIT_MASKS, list_cards, make_mask
from games.engine.game import (
    PLAYS,
    AutomaticCalls,
    DealScores,
    GameMove,
    IllegalMove,
    Last,
    MatchTerms,
    Option,
    PileView,
    Points,
    Setup,
    TableCard,
    Tally,
    TallyRow,
    View,
    add_points,
    show_hands,
)

PLAYERS = 2
HAND_SIZE = 5
STRENGTH: tuple[int, ...] = tuple("234567AFCR".index(RANKS[card % 10]) for card in range(DECK_SIZE))


class TrionfoState(NamedTuple):
    """The cards of a deal. Hands are masks."""

    hands: tuple[int, int]
    turn: int  # the seat to play; -1 when no card is left
    led: int  # the card led to the running trick; -1 between tricks
    stock: tuple[int, ...]  # not played in this deal, the turned card the last
    turned: int
    tricks: Points
    last: tuple[TableCard, ...]  # the trick before, in playing order
    taker: int  # the seat that took it; -1 before the first

    def __repr__(self) -> str:
        """Return what may stand in a log: no card (N2)."""
        return f"<Trionfo: seat {self.turn} to play>"


class Trionfo:
    """Trionfo."""

    id = "trionfo"
    players: tuple[int, ...] = (PLAYERS,)
    options: Mapping[str, Option] = MappingProxyType({})

    def check(self, setup: Setup) -> None:
        """Refuse nothing beyond ``match.check``."""

    def terms(self, setup: Setup) -> MatchTerms:
        """Return the terms of any match: ties by G7."""
        return MatchTerms(level="tie_breaks" if setup.context == "ko" else "draw")

    def scores(self, setup: Setup) -> DealScores:
        """Return a point or two for one line."""
        return DealScores((frozenset({(1, 0), (2, 0), (0, 1), (0, 2)}),))

    def deal(self, setup: Setup, deck: Sequence[int], dealer: int, score: Points | None = None) -> TrionfoState:
        """Deal five cards each (G4), then the card turned up."""
        leader = 1 - dealer
        hands = (make_mask(deck[leader : 2 * HAND_SIZE : 2]), make_mask(deck[dealer : 2 * HAND_SIZE : 2]))
        turned, *rest = deck[2 * HAND_SIZE :]
        return TrionfoState(hands, leader, -1, (*rest, turned), turned, (0, 0), (), -1)

    def void(self, state: TrionfoState) -> bool:
        """Return False: no deal is void."""
        return False

    def turn(self, state: TrionfoState) -> int | None:
        """Return the seat to move: the leader, then the other."""
        return state.turn if state.turn >= 0 else None

    def legal(self, state: TrionfoState) -> tuple[GameMove, ...]:
        """List the plays: the suit led, otherwise any card."""
        if state.turn < 0:
            return ()
        hand = state.hands[state.turn]
        following = hand & SUIT_MASKS[state.led // 10] if state.led >= 0 else 0
        return tuple(PLAYS[state.turn][card] for card in list_cards(following or hand))

    def automatic(
        self, state: TrionfoState, wanted: AutomaticCalls, play: GameMove | None = None
    ) -> tuple[GameMove, ...]:
        """Return no calls: the game has none."""
        return ()

    def play(self, state: TrionfoState, move: GameMove) -> TrionfoState:
        """Return the state after a card; the second card of a trick decides who takes it."""
        seat, verb, card, takes, arg = move
        if verb != "play" or takes or arg:
            raise IllegalMove("unknown_move")
        if seat != state.turn:
            raise IllegalMove("not_your_turn" if state.turn >= 0 else "deal_over")
        if not 0 <= card < DECK_SIZE or not state.hands[seat] & BIT[card]:
            raise IllegalMove("card_not_in_hand")
        if move not in self.legal(state):
            raise IllegalMove("must_follow_suit")
        ours, theirs = state.hands
        hands = (ours & ~BIT[card], theirs & ~BIT[card])
        if state.led < 0:
            return state._replace(hands=hands, led=card, turn=1 - seat)
        taker = seat if _beats(card, state.led, state.turned) else 1 - seat
        return state._replace(
            hands=hands,
            turn=taker if hands[taker] else -1,
            led=-1,
            tricks=add_points(state.tricks, taker, 1),
            last=(TableCard(state.led, 1 - seat), TableCard(card, seat)),
            taker=taker,
        )

    def tally(self, state: TrionfoState) -> Tally:
        """Return a point for most tricks, and one more for all of them."""
        winner = int(state.tricks[1] > state.tricks[0])
        points = add_points((0, 0), winner, 2 if 0 in state.tricks else 1)
        return Tally(points, (TallyRow("tricks", state.tricks, points),), state.taker)

    def tally_forfeit(self, state: TrionfoState, line: int) -> Tally:
        """Give both points to the other line."""
        points = add_points((0, 0), 1 - line, 2)
        return Tally(points, (TallyRow("tricks", state.tricks, points),), None, whole=False)

    def last(self, state: TrionfoState) -> Last | None:
        """Return the trick before."""
        return Last(state.last, (), state.taker, False, ()) if state.taker >= 0 else None

    def view(self, state: TrionfoState, seat: int | None) -> View:
        """Return what a seat may see: its own hand, the turned card, the card led and the trick before."""
        ours, theirs = state.tricks
        return View(
            seat=seat,
            turn=self.turn(state),
            hands=show_hands(seat, state.hands),
            table=(TableCard(state.led, 1 - state.turn),) if state.led >= 0 else (),
            stock=len(state.stock),
            piles=(PileView(2 * ours, ours, 0), PileView(2 * theirs, theirs, 0)),
            last=self.last(state),
            legal=self.legal(state) if state.turn == seat else (),
            turned=state.turned,
        )


def _beats(card: int, led: int, turned: int) -> bool:
    """Return whether the answer takes the trick from the card led."""
    return STRENGTH[card] > STRENGTH[led] if card // 10 == led // 10 else card // 10 == turned // 10
