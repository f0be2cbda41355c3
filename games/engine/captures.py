"""Capturing as all the Scopa games have it: dealing, which table cards a card may take, who has what (S1-S6, S8).

It decides which plays are legal and where the cards go. It never decides what a deal is worth in a match, who has won,
nor who may see what: that is for the rulesets and ``match``.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from games.engine.cards import BIT, DECK_SIZE, RANKS, SUIT_MASKS, cards_in, mask_of
from games.engine.game import PLAYS, IllegalMove, Last, Move, Points, TableCard, added

HAND_SIZE = 3
TABLE_SIZE = 4
HIGHEST = 10

VALUE: tuple[int, ...] = tuple(card % 10 + 1 for card in range(DECK_SIZE))  # S1
SAME_VALUE: tuple[int, ...] = tuple(mask_of(range(value - 1, DECK_SIZE, 10)) for value in range(1, HIGHEST + 1))
# The cards of lower values; the index is a value.
BELOW: tuple[int, ...] = tuple(
    mask_of(card for card in range(DECK_SIZE) if VALUE[card] < value) for value in range(HIGHEST + 1)
)
KINGS = SAME_VALUE[RANKS.index("R")]
# S8: the worth of each rank in the primiera.
PRIMIERA: tuple[int, ...] = tuple(
    {"7": 21, "6": 18, "A": 16, "5": 15, "4": 14, "3": 13, "2": 12}.get(rank, 10) for rank in RANKS
)
_PRIMIERA_ORDER: tuple[int, ...] = tuple(sorted(range(len(RANKS)), key=lambda rank: -PRIMIERA[rank]))


class Captures(NamedTuple):
    """The cards of a deal. Hands, table and piles are masks."""

    hands: tuple[int, ...]
    turn: int  # the seat to play; -1 when no card is left
    table: int
    stock: tuple[int, ...]  # not yet dealt, the next one first
    piles: tuple[int, int]  # what each line has taken
    scope: Points
    taker: int  # the seat that captured last; -1 before the first capture
    last: Move | None  # the last play
    swept: bool  # whether it was a scopa

    def __repr__(self) -> str:
        """What may stand in a log: no card (N2)."""
        return f"<Captures: seat {self.turn} to play, {len(self.stock)} in the stock>"


def deal(deck: Sequence[int], players: int, dealer: int) -> Captures:
    """Three cards each from the dealer's right, who plays first, then four on the table (G4, S1, S3)."""
    hands, rest = _hand_out(tuple(deck), players, (dealer + 1) % players)
    table = mask_of(rest[:TABLE_SIZE])
    return Captures(hands, (dealer + 1) % players, table, rest[TABLE_SIZE:], (0, 0), (0, 0), -1, None, False)


def _hand_out(stock: tuple[int, ...], players: int, first: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Three cards each, one at a time from seat ``first``, and what is left of the stock."""
    hands = [0] * players
    size = HAND_SIZE * players
    for place, card in enumerate(stock[:size]):
        hands[(first + place) % players] |= BIT[card]
    return tuple(hands), stock[size:]


def captures(table: int, card: int) -> tuple[int, ...]:
    """The sets of table cards that ``card`` may take, as masks, lowest first; () if it can take nothing (S4)."""
    value = VALUE[card]
    same = table & SAME_VALUE[value - 1]
    return _singles(same) if same else _sets(table & BELOW[value], value)


@cache
def _singles(cards: int) -> tuple[int, ...]:
    """Each card of one value by itself."""
    return tuple([BIT[card] for card in cards_in(cards)])


@lru_cache(maxsize=16_384)
def _sets(cards: int, value: int) -> tuple[int, ...]:
    """The sets of these cards, each of a lower value, that add up to ``value``."""
    sums: list[list[int]] = [[0], *[[] for _ in range(value)]]  # by their total, the sets of the cards seen so far
    for card in cards_in(cards):
        worth, bit = VALUE[card], BIT[card]
        for total in range(value - worth, -1, -1):
            if sums[total]:
                sums[total + worth] += [taken | bit for taken in sums[total]]
    return tuple(sorted(sums[value]))


def plays(state: Captures) -> tuple[Move, ...]:
    """The plays of the seat to move: with each card every capture, or laying it down if it can take nothing (S4)."""
    seat, table = state.turn, state.table
    if seat < 0:
        return ()
    moves: list[Move] = []
    for card in cards_in(state.hands[seat]):
        options = captures(table, card)
        if options:
            moves += [Move(seat, "play", card, option) for option in options]
        else:
            moves.append(PLAYS[seat][card])
    return tuple(moves)


def play(state: Captures, move: Move) -> Captures:
    """The state after a play. IllegalMove with the reason if it isn't one of ``plays``."""
    seat, verb, card, takes, arg = move
    hands, turn, table, stock, piles, scope, taker, _, _ = state
    if verb != "play" or arg:
        raise IllegalMove("unknown_move")
    if seat != turn:
        raise IllegalMove("not_your_turn" if turn >= 0 else "deal_over")
    hand = hands[seat]
    if not 0 <= card < DECK_SIZE or not hand & BIT[card]:
        raise IllegalMove("card_not_in_hand")
    options = captures(table, card)
    if takes not in options and (takes or options):
        raise IllegalMove(_fault(table, card, takes))

    players = len(hands)
    hands = (*hands[:seat], hand ^ BIT[card], *hands[seat + 1 :])
    last_of_deal = not stock and not any(hands)
    swept = False
    if takes:
        table ^= takes
        taker = seat
        swept = not table and not last_of_deal  # S5
        gain = takes | BIT[card]
        piles = added(piles, seat % 2, gain)  # masks without a card in common: their sum is their union
        scope = added(scope, seat % 2, swept)
    else:
        table |= BIT[card]
    turn = (seat + 1) % players
    if last_of_deal:
        turn = -1
        if taker >= 0:  # S6: somebody always has captured by then, since eleven plays can't all be of new values
            piles = added(piles, taker % 2, table)
            table = 0
    elif not any(hands):
        hands, stock = _hand_out(stock, players, turn)
    return Captures(hands, turn, table, stock, piles, scope, taker, move, swept)


def _fault(table: int, card: int, takes: int) -> str:
    """Why a card of the hand may not take these cards (S4)."""
    if not takes:
        return "must_take"
    if takes & ~table:
        return "not_on_table"
    if table & SAME_VALUE[VALUE[card] - 1]:
        return "must_take_single"
    return "wrong_sum"


def primiera(pile: int) -> int:
    """The worth of the best card of each suit (S8); 0 without all four suits."""
    total = 0
    for suit, mask in enumerate(SUIT_MASKS):
        held = pile & mask
        if not held:
            return 0
        total += next(PRIMIERA[rank] for rank in _PRIMIERA_ORDER if held & BIT[suit * 10 + rank])
    return total


def last_play(state: Captures) -> Last | None:
    """The last play and what it took."""
    move = state.last
    if move is None:
        return None
    taker = move.seat if move.takes else None
    return Last((TableCard(move.card, move.seat),), tuple(cards_in(move.takes)), taker, state.swept, ())
