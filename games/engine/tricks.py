"""Trick taking as all the Tresette games have it: dealing, following suit, who takes, draws, thirds (T1-T4, T11).

It decides which cards may be played and who gets them. It never decides what a deal is worth in a match, who has won,
nor who may see what: that is for the rulesets and ``match``.
"""

from collections.abc import Sequence
from functools import cache
from itertools import cycle
from typing import NamedTuple

from games.engine.cards import BIT, DECK_SIZE, RANKS, SUIT_MASKS, make_mask
from games.engine.game import (
    PLAYS,
    GameMove,
    HeardCall,
    IllegalMove,
    Last,
    Points,
    ScoreChoices,
    TableCard,
    Tally,
    TallyRow,
    add_points,
    add_up_rows,
)

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
# The cards of its suit that are higher than a card.
BEATING: tuple[int, ...] = tuple(
    make_mask(other for other in range(DECK_SIZE) if SUIT[other] == SUIT[card] and STRENGTH[other] > STRENGTH[card])
    for card in range(DECK_SIZE)
)


_new = tuple.__new__  # makes a NamedTuple in half the time of its own constructor


class Calls(NamedTuple):
    """Calls possible in a deal, and those already made: for ``games.engine.calls`` and the rulesets with calls."""

    allowed: frozenset[str]  # the options of the match that are on
    dealt: tuple[int, ...]  # the ten cards dealt to each seat
    needs: Points | None  # what each line lacked of the target when the deal began; None: nobody calls out (T9)
    history: tuple[HeardCall, ...] = ()  # every call so far
    credited: Points = (0, 0)  # what calls have brought each line in this deal
    ended: GameMove | None = None  # the call that has broken the deal off

    def __repr__(self) -> str:
        """Return a summary for logs, without a card (N2)."""
        return f"<Calls: {len(self.history)} made>"


class Tricks(NamedTuple):
    """The cards of a deal. Hands are masks; ``thirds`` and ``tricks`` are counted for each seat, not each line."""

    hands: tuple[int, ...]
    turn: int  # the seat to play; -1 when the deal is over
    cards: tuple[int, ...]  # the running trick in playing order
    stock: tuple[int, ...]  # not yet drawn, the next one first
    thirds: tuple[int, ...]
    tricks: tuple[int, ...]
    last: tuple[int, ...]  # the trick before, in playing order
    led: int  # the seat that led it
    taker: int  # the seat that took it; -1 before the first
    drawn: tuple[int, ...]  # cards drawn after it (T1), the taker's first
    calls: Calls | None = None  # None where nothing may be called, nor more be seen than plain Tresette shows

    def __repr__(self) -> str:
        """Return a summary for logs, without a card (N2)."""
        return f"<Tricks: seat {self.turn} to play, {len(self.stock)} in the stock>"


# What a deal gives: eleven points in all (T4), or fewer where it is broken off.
WHOLE_DEAL: ScoreChoices = frozenset((ours, DEAL_POINTS - ours) for ours in range(DEAL_POINTS + 1))
BROKEN_DEAL: ScoreChoices = WHOLE_DEAL | {
    (ours, theirs) for ours in range(DEAL_POINTS) for theirs in range(DEAL_POINTS - ours)
}


def deal(deck: Sequence[int], players: int, dealer: int) -> Tricks:
    """Deal ten cards each, one at a time from the dealer's right, who leads (G4, T1, T2); the rest is the stock."""
    first = (dealer + 1) % players
    hands = [0] * players
    for seat, card in zip(cycle((*range(first, players), *range(first))), deck[: HAND_SIZE * players], strict=False):
        hands[seat] |= BIT[card]
    nothing = (0,) * players
    stock = tuple(deck[HAND_SIZE * players :])
    return Tricks(tuple(hands), first, (), stock, nothing, nothing, (), -1, -1, ())


def list_plays(state: Tricks) -> tuple[GameMove, ...]:
    """List the plays of the seat to move (T2): the suit led if it has it, otherwise any card."""
    seat = state.turn
    if seat < 0:
        return ()
    hand = state.hands[seat]
    if state.cards:
        following = hand & SUIT_OF[state.cards[0]]
        if following:
            return _list_suit_plays(seat, following)
    return list_plays_among(seat, hand)


def list_plays_among(seat: int, hand: int) -> tuple[GameMove, ...]:
    """List a play of each of these cards by this seat."""
    denari, coppe, bastoni, spade = SUIT_MASKS
    return (
        *_list_suit_plays(seat, hand & denari),
        *_list_suit_plays(seat, hand & coppe),
        *_list_suit_plays(seat, hand & bastoni),
        *_list_suit_plays(seat, hand & spade),
    )


@cache
def _list_suit_plays(seat: int, held: int) -> tuple[GameMove, ...]:
    """List the plays of these cards of one suit. At most 16,384 different lists are made, and kept."""
    return tuple(move for move in PLAYS[seat] if held & BIT[move.card])


def play(state: Tricks, move: GameMove) -> Tricks:
    """Return the state after a play. IllegalMove with the reason if it isn't one of ``list_plays``."""
    seat, verb, card, takes, arg = move
    hands, turn, cards, stock, thirds, tricks, last, led, taker, drawn, calls = state
    if verb != "play" or takes or arg:
        raise IllegalMove("unknown_move")
    if seat != turn:
        raise IllegalMove("not_your_turn" if turn >= 0 else "deal_over")
    hand = hands[seat]
    if not 0 <= card < DECK_SIZE or not hand & BIT[card]:
        raise IllegalMove("card_not_in_hand")
    if cards and SUIT[card] != SUIT[cards[0]] and hand & SUIT_OF[cards[0]]:
        raise IllegalMove("must_follow_suit")
    hands = _replace_count(hands, seat, hand ^ BIT[card])
    cards = (*cards, card)
    players = len(hands)
    following = (seat + 1) % players
    if len(cards) < players:
        return _new(Tricks, (hands, following, cards, stock, thirds, tricks, last, led, taker, drawn, calls))
    led = following
    place, won = _find_winner(cards)
    taker = (led + place) % players
    thirds = _replace_count(thirds, taker, thirds[taker] + won)
    tricks = _replace_count(tricks, taker, tricks[taker] + 1)
    drawn = stock[:players]
    if drawn:
        stock = stock[players:]
        grown = list(hands)
        for turns, card_drawn in enumerate(drawn):
            grown[(taker + turns) % players] |= BIT[card_drawn]
        hands = tuple(grown)
    turn = taker if hands[taker] else -1
    return _new(Tricks, (hands, turn, (), stock, thirds, tricks, cards, led, taker, drawn, calls))


def _replace_count(counts: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    changed = list(counts)
    changed[place] = value
    return tuple(changed)


def _find_winner(cards: Sequence[int]) -> tuple[int, int]:
    """Return the place in the trick of its highest card of the suit led (T3), and the thirds in it (T4)."""
    beating, won, place = BEATING[cards[0]], THIRDS[cards[0]], 0
    for index, card in enumerate(cards[1:], 1):
        won += THIRDS[card]
        if beating & BIT[card]:
            beating, place = BEATING[card], index
    return place, won


def sum_lines(counts: Sequence[int]) -> Points:
    """Return the sums by line of a count by seat (G2)."""
    return (sum(counts[0::2]), sum(counts[1::2]))


def count_whole_points(state: Tricks) -> Points:
    """Return each line's thirds divided by three, rounded down (T4)."""
    ours, theirs = sum_lines(state.thirds)
    return (ours // 3, theirs // 3)


def tally_broken_off(state: Tricks, line: int, *more: TallyRow) -> Tally:
    """Count a deal broken off: ``line`` gets the points that nobody has yet, at most six (T11).

    ``more``: rows that stand beside the cards'.
    """
    made = count_whole_points(state)
    left = DEAL_POINTS - sum(made)
    rows = (
        TallyRow("thirds", sum_lines(state.thirds), made),
        TallyRow("unassigned", add_points((0, 0), line, left), add_points((0, 0), line, min(left, MOST_PENALTY))),
        *more,
    )
    return Tally(add_up_rows(rows), rows, None, whole=False)


def show_open_trick(state: Tricks) -> tuple[TableCard, ...]:
    """Return the running trick as it lies on the table."""
    players = len(state.hands)
    leader = state.turn - len(state.cards)
    return tuple([TableCard(card, (leader + place) % players) for place, card in enumerate(state.cards)])


def show_last_trick(state: Tricks) -> Last | None:
    """Return the trick before, and the cards drawn and shown after it (T1)."""
    if state.taker < 0:
        return None
    players = len(state.hands)
    cards = tuple([TableCard(card, (state.led + place) % players) for place, card in enumerate(state.last)])
    drawn = tuple([TableCard(card, (state.taker + place) % players) for place, card in enumerate(state.drawn)])
    return Last(cards, (), state.taker, False, drawn)
