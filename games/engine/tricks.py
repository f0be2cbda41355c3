"""Trick taking as all the Tresette games have it: dealing, following suit, who takes, draws, thirds (T1-T4, T11).

It decides which cards may be played and who gets them. It never decides what a deal is worth in a match, who has won,
nor who may see what: that is for the rulesets and ``match``.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from games.engine.cards import BIT, DECK_SIZE, RANKS, SUIT_MASKS
from games.engine.game import PLAYS, IllegalMove, Last, Move, Points, TableCard, added

HAND_SIZE = 10
DEAL_POINTS = 11  # T4: always eleven in all
MOST_PENALTY = 6  # T11

# T3: high to low 3 2 A R C F 7 6 5 4.
STRENGTH: tuple[int, ...] = tuple("4567FCRA23".index(RANKS[card % 10]) for card in range(DECK_SIZE))
# T4: thirds of a point.
THIRDS: tuple[int, ...] = tuple(
    {"A": 3, "3": 1, "2": 1, "R": 1, "C": 1, "F": 1}.get(RANKS[card % 10], 0) for card in range(DECK_SIZE)
)
SUIT: tuple[int, ...] = tuple(card // 10 for card in range(DECK_SIZE))
SUIT_OF: tuple[int, ...] = tuple(SUIT_MASKS[suit] for suit in SUIT)


class Tricks(NamedTuple):
    """The cards of a deal. Hands are masks; ``thirds`` and ``tricks`` are counted for each seat, not each line."""

    hands: tuple[int, ...]
    turn: int  # the seat to play; -1 when no card is left
    cards: tuple[int, ...]  # the running trick in playing order
    stock: tuple[int, ...]  # not yet drawn, the next one first
    thirds: tuple[int, ...]
    tricks: tuple[int, ...]
    last: tuple[int, ...]  # the trick before, in playing order
    led: int  # the seat that led it
    taker: int  # the seat that took it; -1 before the first
    drawn: tuple[int, ...]  # cards drawn after it (T1), the taker's first

    def __repr__(self) -> str:
        """What may stand in a log: no card (N2)."""
        return f"<Tricks: seat {self.turn} to play, {len(self.stock)} in the stock>"


def deal(deck: Sequence[int], players: int, dealer: int) -> Tricks:
    """Ten cards each, one at a time from the dealer's right, who leads (G4, T1, T2); the rest is the stock."""
    hands = [0] * players
    for place in range(HAND_SIZE * players):
        hands[(dealer + 1 + place) % players] |= BIT[deck[place]]
    nothing = (0,) * players
    stock = tuple(deck[HAND_SIZE * players :])
    return Tricks(tuple(hands), (dealer + 1) % players, (), stock, nothing, nothing, (), -1, -1, ())


def plays(state: Tricks) -> tuple[Move, ...]:
    """The plays of the seat to move (T2): the suit led if it has it, otherwise any card."""
    seat = state.turn
    if seat < 0:
        return ()
    hand = state.hands[seat]
    if state.cards:
        following = hand & SUIT_OF[state.cards[0]]
        if following:
            return _suit_plays(seat, following)
    denari, coppe, bastoni, spade = SUIT_MASKS
    return (
        _suit_plays(seat, hand & denari)
        + _suit_plays(seat, hand & coppe)
        + _suit_plays(seat, hand & bastoni)
        + _suit_plays(seat, hand & spade)
    )


@cache
def _suit_plays(seat: int, held: int) -> tuple[Move, ...]:
    """The plays of these cards of one suit: at most 16,384 different ones, kept for good."""
    return tuple(move for move in PLAYS[seat] if held & BIT[move.card])


def play(state: Tricks, move: Move) -> Tricks:
    """The state after a play. IllegalMove with the reason if it isn't one of ``plays``."""
    seat, verb, card, takes, arg = move
    hands, turn, cards, stock, thirds, tricks, last, led, taker, drawn = state
    if verb != "play" or takes or arg:
        raise IllegalMove("unknown_move")
    if seat != turn:
        raise IllegalMove("not_your_turn" if turn >= 0 else "deal_over")
    hand = hands[seat]
    if not 0 <= card < DECK_SIZE or not hand & BIT[card]:
        raise IllegalMove("card_not_in_hand")
    if cards and SUIT[card] != SUIT[cards[0]] and hand & SUIT_OF[cards[0]]:
        raise IllegalMove("must_follow_suit")
    hands = (*hands[:seat], hand ^ BIT[card], *hands[seat + 1 :])
    cards = (*cards, card)
    players = len(hands)
    if len(cards) < players:
        return Tricks(hands, (seat + 1) % players, cards, stock, thirds, tricks, last, led, taker, drawn)
    led = (seat + 1) % players
    taker = (led + _winner(cards)) % players
    won = sum([THIRDS[played] for played in cards])
    thirds = (*thirds[:taker], thirds[taker] + won, *thirds[taker + 1 :])
    tricks = (*tricks[:taker], tricks[taker] + 1, *tricks[taker + 1 :])
    drawn = stock[:players]
    if drawn:
        stock = stock[players:]
        grown = list(hands)
        for place, card_drawn in enumerate(drawn):
            grown[(taker + place) % players] |= BIT[card_drawn]
        hands = tuple(grown)
    turn = taker if hands[taker] else -1
    return Tricks(hands, turn, (), stock, thirds, tricks, cards, led, taker, drawn)


def _winner(cards: Sequence[int]) -> int:
    """The place in the trick of its highest card of the suit led (T3)."""
    best, suit, place = STRENGTH[cards[0]], SUIT[cards[0]], 0
    for index in range(1, len(cards)):
        card = cards[index]
        if SUIT[card] == suit and STRENGTH[card] > best:
            best, place = STRENGTH[card], index
    return place


def of_lines(counts: Sequence[int]) -> Points:
    """A count of each seat, summed for the lines (G2)."""
    return (sum(counts[0::2]), sum(counts[1::2]))


def whole_points(state: Tricks) -> Points:
    """Each line's thirds so far divided by three, rounded down (T4)."""
    ours, theirs = of_lines(state.thirds)
    return (ours // 3, theirs // 3)


def broken_off(made: Points, line: int) -> Points:
    """The points of a deal broken off by ``line`` (T11), from each line's whole points so far."""
    penalty = min(DEAL_POINTS - sum(made), MOST_PENALTY)
    return added(made, 1 - line, penalty)


def open_trick(state: Tricks) -> tuple[TableCard, ...]:
    """The running trick as it lies on the table."""
    players = len(state.hands)
    leader = state.turn - len(state.cards)
    return tuple([TableCard(card, (leader + place) % players) for place, card in enumerate(state.cards)])


def last_trick(state: Tricks) -> Last | None:
    """The trick before, and the cards drawn and shown after it (T1)."""
    if state.taker < 0:
        return None
    players = len(state.hands)
    cards = tuple([TableCard(card, (state.led + place) % players) for place, card in enumerate(state.last)])
    drawn = tuple([TableCard(card, (state.taker + place) % players) for place, card in enumerate(state.drawn)])
    return Last(cards, (), state.taker, False, drawn)
