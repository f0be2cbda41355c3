"""Briscola for two, as it would stand in ``games/rules/briscola.py``: the proof of docs/adding-a-game.md.

It decides what may be played, who takes, what a deal is worth and what each seat may see. It never touches the match's
score, its end or its clocks. There is no rulebook of it here, so no rule numbers; the rules are these:

Three cards each, one at a time from the dealer's right, who leads; the next card is turned up, names the trumps and
goes under the stock. Any card may be played to any trick. The highest trump takes it, without trumps the highest card
of the suit led (A 3 R C F 7 6 5 4 2). Who took draws first, then the other, from the stock, the turned card last. Ace
11, three 10, king 4, cavallo 3, fante 2: 120 points in a deal.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from games.engine.cards import BIT, DECK_SIZE, RANKS, list_cards
from games.engine.game import (
    PLAYS,
    AutomaticCalls,
    DealScores,
    GameMove,
    HandView,
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
HAND_SIZE = 3
ALL_POINTS = 120
MOST_PENALTY = 61  # just enough to win a deal that had hardly begun
STRENGTH: tuple[int, ...] = tuple("24567FCR3A".index(RANKS[card % 10]) for card in range(DECK_SIZE))
WORTH: tuple[int, ...] = tuple(
    {"A": 11, "3": 10, "R": 4, "C": 3, "F": 2}.get(RANKS[card % 10], 0) for card in range(DECK_SIZE)
)


class Briscola(NamedTuple):
    """The cards of a deal. Hands and piles are masks."""

    hands: tuple[int, ...]
    turn: int  # the seat to play; -1 when no card is left
    cards: tuple[int, ...]  # the running trick in playing order
    stock: tuple[int, ...]  # not yet drawn, the next one first, the turned card last
    turned: int
    piles: tuple[int, int]
    tricks: Points
    last: tuple[TableCard, ...]  # the trick before, in playing order
    taker: int  # the seat that took it; -1 before the first
    drawn: tuple[TableCard, ...]  # the turned card, where it was drawn after that trick

    def __repr__(self) -> str:
        """Return what may stand in a log: no card (N2)."""
        return f"<Briscola: seat {self.turn} to play, {len(self.stock)} in the stock>"


class BriscolaRules:
    """Briscola."""

    id = "briscola"
    players: tuple[int, ...] = (PLAYERS,)
    options: Mapping[str, Option] = MappingProxyType({})

    def check(self, setup: Setup) -> None:
        """Refuse nothing beyond ``match.check``."""

    def terms(self, setup: Setup) -> MatchTerms:
        """Return the terms of any match: ties by G7."""
        return MatchTerms(level="tie_breaks" if setup.context == "ko" else "draw")

    def scores(self, setup: Setup) -> DealScores:
        """Return all the points of the cards."""
        return DealScores((frozenset((ours, ALL_POINTS - ours) for ours in range(ALL_POINTS + 1)),))

    def deal(self, setup: Setup, deck: Sequence[int], dealer: int, score: Points | None = None) -> Briscola:
        """Deal three cards each (G4), then the card turned up, which becomes the last of the stock."""
        leader = (dealer + 1) % PLAYERS
        hands = [0] * PLAYERS
        for place in range(HAND_SIZE * PLAYERS):
            hands[(leader + place) % PLAYERS] |= BIT[deck[place]]
        turned, *stock = deck[HAND_SIZE * PLAYERS :]
        return Briscola(tuple(hands), leader, (), (*stock, turned), turned, (0, 0), (0, 0), (), -1, ())

    def void(self, state: Briscola) -> bool:
        """Return False: no deal is void."""
        return False

    def turn(self, state: Briscola) -> int | None:
        """Return the seat to move: the leader, then the other."""
        return state.turn if state.turn >= 0 else None

    def legal(self, state: Briscola) -> tuple[GameMove, ...]:
        """List the plays: any card of the hand."""
        return tuple(PLAYS[state.turn][card] for card in list_cards(state.hands[state.turn])) if state.turn >= 0 else ()

    def automatic(self, state: Briscola, wanted: AutomaticCalls, play: GameMove | None = None) -> tuple[GameMove, ...]:
        """Return no calls: the game has none."""
        return ()

    def play(self, state: Briscola, move: GameMove) -> Briscola:
        """Return the state after a card; the second card of a trick decides who takes it, and cards are drawn."""
        seat, verb, card, takes, arg = move
        if verb != "play" or takes or arg:
            raise IllegalMove("unknown_move")
        if seat != state.turn:
            raise IllegalMove("not_your_turn" if state.turn >= 0 else "deal_over")
        if not 0 <= card < DECK_SIZE or not state.hands[seat] & BIT[card]:
            raise IllegalMove("card_not_in_hand")
        hands = list(state.hands)
        hands[seat] ^= BIT[card]
        cards = (*state.cards, card)
        if len(cards) < PLAYERS:
            return state._replace(hands=tuple(hands), cards=cards, turn=1 - seat)
        leader = 1 - seat
        taker = leader if _holds(cards[0], card, state.turned) else seat
        drawn = state.stock[:PLAYERS]
        for place, drawn_card in enumerate(drawn):
            hands[(taker + place) % PLAYERS] |= BIT[drawn_card]
        last_card = () if state.turned not in drawn else (TableCard(state.turned, 1 - taker),)
        return Briscola(
            hands=tuple(hands),
            turn=taker if hands[taker] else -1,
            cards=(),
            stock=state.stock[PLAYERS:],
            turned=state.turned,
            piles=add_points(state.piles, taker, BIT[cards[0]] | BIT[card]),
            tricks=add_points(state.tricks, taker, 1),
            last=(TableCard(cards[0], leader), TableCard(card, seat)),
            taker=taker,
            drawn=last_card,
        )

    def tally(self, state: Briscola) -> Tally:
        """Return what the cards taken are worth."""
        points = (_worth(state.piles[0]), _worth(state.piles[1]))
        return Tally(points, (TallyRow("card_points", points, points),), state.taker)

    def tally_forfeit(self, state: Briscola, line: int) -> Tally:
        """The points that nobody has yet go to the other line, 61 at most."""
        made = (_worth(state.piles[0]), _worth(state.piles[1]))
        points = add_points(made, 1 - line, min(ALL_POINTS - sum(made), MOST_PENALTY))
        return Tally(points, (TallyRow("card_points", made, points),), None, whole=False)

    def last(self, state: Briscola) -> Last | None:
        """Return the trick before, and the turned card where it was drawn after it; the other draws are hidden."""
        return Last(state.last, (), state.taker, False, state.drawn) if state.taker >= 0 else None

    def view(self, state: Briscola, seat: int | None) -> View:
        """Return what a seat may see: its own hand, the running trick and the one before, and the turned card in any
        hand."""
        turned = BIT[state.turned]
        hands = [
            HandView(known.count, tuple(list_cards(hand & turned))) if hand & turned and owner != seat else known
            for owner, (hand, known) in enumerate(zip(state.hands, show_hands(seat, state.hands), strict=True))
        ]
        ours, theirs = state.tricks
        leader = state.turn - len(state.cards)
        return View(
            seat=seat,
            turn=self.turn(state),
            hands=tuple(hands),
            table=tuple([TableCard(card, (leader + place) % PLAYERS) for place, card in enumerate(state.cards)]),
            stock=len(state.stock),
            piles=(PileView(ours * PLAYERS, ours, 0), PileView(theirs * PLAYERS, theirs, 0)),
            last=self.last(state),
            legal=self.legal(state) if state.turn == seat else (),
            turned=state.turned,
        )


def _holds(led: int, answer: int, turned: int) -> bool:
    """Return whether the card led takes the trick against the answer."""
    if led // 10 == answer // 10:
        return STRENGTH[led] > STRENGTH[answer]
    return answer // 10 != turned // 10


def _worth(pile: int) -> int:
    return sum(WORTH[card] for card in list_cards(pile))
