"""Capturing as all the Scopa games have it: dealing, taking, counting, and who may see what (S1-S10, G11).

A game that takes otherwise hands its own way of taking to ``list_plays`` and ``play``. It never touches a match's
score, its end or its clocks.
"""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from games.engine.cards import BIT, CARDS, DECK_SIZE, RANKS, SUIT_MASKS, SUITS, list_cards, make_mask
from games.engine.game import (
    PLAYS,
    SWITCH,
    DealScores,
    GameMove,
    HeaderError,
    IllegalMove,
    Last,
    PileView,
    Points,
    ScoreChoices,
    Setup,
    TableCard,
    Tally,
    TallyRow,
    View,
    add_points,
    add_up_rows,
    show_hand,
)

HAND_SIZE = 3
TABLE_SIZE = 4
HIGHEST = 10

VALUE: tuple[int, ...] = tuple(card % 10 + 1 for card in range(DECK_SIZE))  # S1
SAME_VALUE: tuple[int, ...] = tuple(make_mask(range(value - 1, DECK_SIZE, 10)) for value in range(1, HIGHEST + 1))
# The cards of lower values; the index is a value.
BELOW: tuple[int, ...] = tuple(
    make_mask(card for card in range(DECK_SIZE) if VALUE[card] < value) for value in range(HIGHEST + 1)
)
ACES = SAME_VALUE[RANKS.index("A")]
KINGS = SAME_VALUE[RANKS.index("R")]
KINGS_TO_VOID = 3  # S2
SETTEBELLO = 1 << CARDS["7d"]
DENARI = SUIT_MASKS[SUITS.index("d")]
ENOUGH_CARDS = 21  # S7
ENOUGH_DENARI = 6  # S7
PRIZES = 4  # S9: settebello, denari, carte and primiera
# S8: the worth of each rank in the primiera.
PRIMIERA: tuple[int, ...] = tuple(
    {"7": 21, "6": 18, "A": 16, "5": 15, "4": 14, "3": 13, "2": 12}.get(rank, 10) for rank in RANKS
)
# For each suit its cards, the best for the primiera first.
_BEST_FIRST: tuple[tuple[int, ...], ...] = tuple(
    tuple(sorted(list_cards(mask), key=lambda card: -PRIMIERA[card % 10])) for mask in SUIT_MASKS
)

OPTIONS = {"carte_viste": SWITCH, "carte_scoperte": SWITCH}
Taking = Callable[
    [int, int], tuple[int, ...]
]  # from the table and a card to the sets it may take, as ``list_captures``


class OpenCards(NamedTuple):
    """Options that open cards to others: earlier captures (S10), partners' hands (G11)."""

    viste: bool = False
    scoperte: bool = False


CLOSED = OpenCards()
_new = tuple.__new__  # makes a NamedTuple in half the time of its own constructor


_ONE: ScoreChoices = frozenset({(1, 0), (0, 1)})
_ONE_OR_NONE = _ONE | {(0, 0)}


@cache
def list_scores(on_table: int) -> DealScores:
    """Return what a deal may give that begins with so many cards on the table (S7): settebello, denari, cards,
    primiera, and scope, after each of which the next card is laid down, as the first is on an empty table."""
    most = (DECK_SIZE - on_table - (not on_table)) // 2
    scope = frozenset((ours, theirs) for ours in range(most + 1) for theirs in range(most + 1 - ours))
    return DealScores((_ONE, _ONE_OR_NONE, _ONE_OR_NONE, _ONE_OR_NONE, scope))


SCORES = list_scores(TABLE_SIZE)


class Captures(NamedTuple):
    """The cards of a deal. Hands, table, piles and ``earlier`` are masks."""

    hands: tuple[int, ...]
    turn: int  # the seat to play; -1 when no card is left
    table: int
    stock: tuple[int, ...]  # not yet dealt, the next one first
    piles: tuple[int, int]  # what each line has taken
    scope: Points
    taker: int  # the seat that captured last; -1 before the first capture
    last: GameMove | None  # the last play
    swept: bool  # whether it was a scopa
    earlier: int = 0  # what *carte viste* show: all that was taken when the running hand was dealt (S10)
    shown: OpenCards = CLOSED

    def __repr__(self) -> str:
        """Return a summary for logs, without a card (N2)."""
        return f"<Captures: seat {self.turn} to play, {len(self.stock)} in the stock>"


def check(setup: Setup) -> None:
    """HeaderError("option_not_for_two") for partners' open hands where there are no partners (G11)."""
    if setup.players == 2 and setup.options.get("carte_scoperte"):
        raise HeaderError("option_not_for_two")


def deal(
    setup: Setup, deck: Sequence[int], dealer: int, hand_size: int = HAND_SIZE, on_table: int = TABLE_SIZE
) -> Captures:
    """Deal so many cards each from the dealer's right, who plays first, then those on the table (G4, S1, S3)."""
    first = (dealer + 1) % setup.players
    hands, rest = _hand_out(tuple(deck), setup.players, first, hand_size)
    table = make_mask(rest[:on_table])
    options = setup.options
    shown = OpenCards(bool(options.get("carte_viste")), bool(options.get("carte_scoperte"))) if options else CLOSED
    return Captures(hands, first, table, rest[on_table:], (0, 0), (0, 0), -1, None, False, 0, shown)


def is_void(state: Captures) -> bool:
    """Return whether three kings or more are among the four table cards, before the first play (S2)."""
    return state.last is None and (state.table & KINGS).bit_count() >= KINGS_TO_VOID


def _hand_out(
    stock: tuple[int, ...], players: int, first: int, hand_size: int = HAND_SIZE
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Deal so many cards each, one at a time from seat ``first``. Return the hands and the rest of the stock."""
    hands = [0] * players
    size = hand_size * players
    for place, card in enumerate(stock[:size]):
        hands[(first + place) % players] |= BIT[card]
    return tuple(hands), stock[size:]


def list_captures(table: int, card: int) -> tuple[int, ...]:
    """List the sets of table cards that ``card`` may take, as masks, lowest first; () if it can take nothing (S4)."""
    value = VALUE[card]
    same = table & SAME_VALUE[value - 1]
    return _list_singles(same) if same else _list_sets(table & BELOW[value], value)


@cache
def _list_singles(cards: int) -> tuple[int, ...]:
    """List the cards of one value, each by itself."""
    return tuple([BIT[card] for card in list_cards(cards)])


@lru_cache(maxsize=16_384)
def _list_sets(cards: int, value: int) -> tuple[int, ...]:
    """List the sets of these cards, each of a lower value, that add up to ``value``."""
    sums: list[list[int]] = [[0], *[[] for _ in range(value)]]  # by their total, the sets of the cards seen so far
    for card in list_cards(cards):
        worth, bit = VALUE[card], BIT[card]
        for total in range(value - worth, -1, -1):
            if sums[total]:
                sums[total + worth] += [taken | bit for taken in sums[total]]
    return tuple(sorted(sums[value]))


def list_plays(state: Captures, taking: Taking = list_captures) -> tuple[GameMove, ...]:
    """List the plays of the seat to move: with each card every capture, or laying it down if it can take nothing
    (S4)."""
    seat, table = state.turn, state.table
    if seat < 0:
        return ()
    moves: list[GameMove] = []
    for card in list_cards(state.hands[seat]):
        options = taking(table, card)
        if options:
            moves += [_new(GameMove, (seat, "play", card, option, "")) for option in options]
        else:
            moves.append(PLAYS[seat][card])
    return tuple(moves)


def play(state: Captures, move: GameMove, taking: Taking = list_captures, scopa: bool = True) -> Captures:
    """Return the state after a play; without ``scopa`` it makes none. IllegalMove if it isn't one of ``list_plays``."""
    seat, verb, card, takes, arg = move
    hands, turn, table, stock, piles, scope, taker, _, _, earlier, shown = state
    if verb != "play" or arg:
        raise IllegalMove("unknown_move")
    if seat != turn:
        raise IllegalMove("not_your_turn" if turn >= 0 else "deal_over")
    hand = hands[seat]
    if not 0 <= card < DECK_SIZE or not hand & BIT[card]:
        raise IllegalMove("card_not_in_hand")
    options = taking(table, card)
    if takes not in options and (takes or options):
        raise IllegalMove(_find_fault(table, card, takes, options))

    players = len(hands)
    hands = (*hands[:seat], hand ^ BIT[card], *hands[seat + 1 :])
    last_of_deal = not stock and not any(hands)
    swept = False
    if takes:
        table ^= takes
        taker = seat
        swept = scopa and not table and not last_of_deal  # S5
        gain = takes | BIT[card]
        piles = add_points(piles, seat % 2, gain)  # masks without a card in common: their sum is their union
        scope = add_points(scope, seat % 2, swept)
    else:
        table |= BIT[card]
    turn = (seat + 1) % players
    if last_of_deal:
        turn = -1
        if taker >= 0:  # S6: somebody always has captured by then, since eleven plays can't all be of new values
            piles = add_points(piles, taker % 2, table)
            table = 0
    elif not any(hands):
        hands, stock = _hand_out(stock, players, turn)
        earlier = piles[0] | piles[1]
    return _new(Captures, (hands, turn, table, stock, piles, scope, taker, move, swept, earlier, shown))


def _find_fault(table: int, card: int, takes: int, options: tuple[int, ...]) -> str:
    """Return the code of the refusal: a card of the hand may not take these cards (S4, P3)."""
    if not takes:
        return "must_take"
    if takes & ~table:
        return "not_on_table"
    if table & SAME_VALUE[VALUE[card] - 1]:
        return "must_take_single"
    if options and VALUE[card] == 1:  # no ace lies there and yet it takes
        return "ace_takes_all"
    return "wrong_sum"


def count_primiera(pile: int) -> int:
    """Return the worth of the best card of each suit (S8); 0 without all four suits."""
    best = choose_primiera_cards(pile)
    return sum(PRIMIERA[card % 10] for card in best) if len(best) == len(SUITS) else 0


def choose_primiera_cards(pile: int) -> tuple[int, ...]:
    """Return the best card of each suit that is there (S8)."""
    return tuple(next(card for card in cards if pile & BIT[card]) for cards in _BEST_FIRST if pile & make_mask(cards))


def find_last_play(state: Captures) -> Last | None:
    """Return the last play and what it took."""
    move = state.last
    if move is None:
        return None
    taker = move.seat if move.takes else None
    return Last((TableCard(move.card, move.seat),), tuple(list_cards(move.takes)), taker, state.swept, ())


def tally(state: Captures) -> Tally:
    """Count the deal (S7, S8)."""
    ours, theirs = state.piles
    worth = (count_primiera(ours), count_primiera(theirs))
    best = (int(worth[0] > worth[1]), int(worth[1] > worth[0]))
    cards = (choose_primiera_cards(ours), choose_primiera_cards(theirs))
    rows = (*_tally_sure_rows(state), TallyRow("primiera", worth, best, cards))
    return Tally(add_up_rows(rows), rows, state.taker % 2 if state.taker >= 0 else None)


def tally_forfeited(state: Captures, line: int) -> Tally:
    """Count a deal broken off: points not secured by either line go to the other line, and one point more (S9)."""
    rows = _tally_sure_rows(state)
    unsecured = add_points((0, 0), 1 - line, PRIZES - sum(sum(row.points) for row in rows if row.code != "scope"))
    one = add_points((0, 0), 1 - line, 1)
    rows += (TallyRow("unsecured", unsecured, unsecured), TallyRow("one_scopa", one, one))
    return Tally(add_up_rows(rows), rows, None, whole=False)


def _tally_sure_rows(state: Captures) -> tuple[TallyRow, ...]:
    """List the points that are sure as soon as they are reached (S7): scope, settebello, denari, cards."""
    ours, theirs = state.piles
    settebello = (int(bool(ours & SETTEBELLO)), int(bool(theirs & SETTEBELLO)))
    denari = ((ours & DENARI).bit_count(), (theirs & DENARI).bit_count())
    cards = (ours.bit_count(), theirs.bit_count())
    return (
        TallyRow("scope", state.scope, state.scope),
        TallyRow("settebello", settebello, settebello),
        TallyRow("denari", denari, (int(denari[0] >= ENOUGH_DENARI), int(denari[1] >= ENOUGH_DENARI))),
        TallyRow("cards", cards, (int(cards[0] >= ENOUGH_CARDS), int(cards[1] >= ENOUGH_CARDS))),
    )


def view(state: Captures, seat: int | None, taking: Taking = list_captures) -> View:
    """Return what a seat may see: hands, table, last play, counts; with *carte viste* the cards taken earlier (S10)."""
    table, piles, last, seen = _show_to_all(state)
    turn = state.turn if state.turn >= 0 else None
    return View(
        seat=seat,
        turn=turn,
        hands=tuple(
            [
                show_hand(hand.bit_count(), hand if _sees(state, seat, owner) else 0)
                for owner, hand in enumerate(state.hands)
            ]
        ),
        table=table,
        stock=len(state.stock),
        piles=piles,
        last=last,
        legal=list_plays(state, taking) if turn is not None and turn == seat else (),
        seen=seen,
    )


@lru_cache(maxsize=256)
def _show_to_all(
    state: Captures,
) -> tuple[tuple[TableCard, ...], tuple[PileView, PileView], Last | None, tuple[int, ...]]:
    """Return what every seat sees alike, made once for all of them: table, piles, last play, cards seen (S10)."""
    ours, theirs = state.piles
    return (
        tuple([TableCard(card, None) for card in list_cards(state.table)]),
        (PileView(ours.bit_count(), 0, state.scope[0]), PileView(theirs.bit_count(), 0, state.scope[1])),
        find_last_play(state),
        tuple(list_cards(state.earlier)) if state.shown.viste else (),
    )


def _sees(state: Captures, seat: int | None, owner: int) -> bool:
    """Return whether a seat (None: a spectator) sees the hand of another: partners (G11), two players' last hand
    (S10)."""
    players = len(state.hands)
    if state.shown.viste and players == 2 and not state.stock:
        return True
    return seat is not None and (seat == owner or (state.shown.scoperte and seat % 2 == owner % 2))
