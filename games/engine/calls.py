"""Calls during a deal in the Tresette rulebooks: combinations, declarations, calling out (T5, T9, T10, M4, C4).

It decides what a call means, which calls may be made, and what they and *carte viste* (T12, G11) let others know of a
hand. When a ruleset allows them and what they are worth at the end is for the rulesets; the cards are for ``tricks``.
"""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

from games.engine import tricks
from games.engine.cards import CARDS, FULL, RANKS, SUIT_MASKS, SUITS, list_cards, make_mask
from games.engine.game import (
    AutomaticCalls,
    DealEnding,
    GameMove,
    HandView,
    HeardCall,
    IllegalMove,
    Last,
    PileView,
    Points,
    ScoreChoices,
    TableCard,
    TallyRow,
    View,
    add_points,
    show_hand,
    show_hands,
)
from games.engine.tricks import Calls, Tricks

HONOURS = "32A"
RANK_MASKS = {rank: make_mask(range(RANKS.index(rank), len(CARDS), 10)) for rank in HONOURS}
# Combinations by their code in the record, in canonical order: the cards they are made of.
COMBINATIONS: dict[str, int] = {
    **{f"3x{rank}": RANK_MASKS[rank] for rank in HONOURS},  # three of these four
    **{f"4x{rank}": RANK_MASKS[rank] for rank in HONOURS},
    **{f"napoletana:{suit}": make_mask(CARDS[rank + suit] for rank in HONOURS) for suit in SUITS},
}
DECLARED = ("ho", "busso", "per-te", "per-te+ho", "per-te+busso")  # T10
SIGNALS = ("busso", "volo", "striscio")  # C3
MORTO = "morto"  # among what is allowed in a deal: seat 0 plays seat 2 as well (M3)
LASTING = frozenset({"accuso", "buongioco"})  # calls that may be read for the whole deal


# Combinations (T5, M4, C4)


@cache
def _holds_combination(code: str, honours: int) -> bool:
    held = (honours & COMBINATIONS[code]).bit_count()
    return held == (4 if code.startswith("4") else 3)  # who holds four can't call three


def list_combinations(hand: int) -> tuple[str, ...]:
    """List the combinations in a hand, in canonical order; four of a rank hide three of it."""
    honours = hand & (RANK_MASKS["3"] | RANK_MASKS["2"] | RANK_MASKS["A"])
    return tuple([code for code in COMBINATIONS if _holds_combination(code, honours)])


def add_up_combinations(codes: Iterable[str]) -> int:
    """Return the points of these combinations: 4 for four of a rank, 3 for any other."""
    return sum([4 if code.startswith("4") else 3 for code in codes])


def parse_combinations(arg: str) -> tuple[str, ...]:
    """Return the combinations an accuso names, in canonical order; ValueError if one is unknown or named twice."""
    named = arg.split("+")
    if len(set(named)) != len(named) or not set(named) <= COMBINATIONS.keys():
        raise ValueError("not combinations")
    return tuple([code for code in COMBINATIONS if code in named])


def list_uncalled(state: Tricks, seat: int) -> tuple[str, ...]:
    """List the combinations among the ten cards dealt to a seat that it hasn't called yet."""
    calls = _require_calls(state)
    called = {
        code
        for call in calls.history
        if call.seat == seat and call.verb == "accuso"
        for code in parse_combinations(call.arg)
    }
    return tuple([code for code in list_combinations(calls.dealt[seat]) if code not in called])


def list_accusi(state: Tricks, seat: int) -> tuple[GameMove, ...]:
    """List every accuso a seat could make of what it hasn't called yet: one or several combinations at once."""
    codes = list_uncalled(state, seat)
    return tuple(
        [
            GameMove(seat, "accuso", arg="+".join(chosen))
            for size in range(1, len(codes) + 1)
            for chosen in combinations(codes, size)
        ]
    )


def accuse(state: Tricks, move: GameMove, cards: Sequence[int] = (), *, credit: bool = True) -> Tricks:
    """Return the state after an accuso; everybody hears ``cards`` named. IllegalMove if they aren't all held.

    The ruleset says when it may be made. ``credit``: the points count at once (T5, C4; not M5).
    """
    codes = parse_accuso(move)
    left = list_uncalled(state, move.seat)
    for code in codes:
        if code not in left:
            dealt = list_combinations(_require_calls(state).dealt[move.seat])
            raise IllegalMove("already_called" if code in dealt else "combination_not_held")
    return say(state, move, cards, points=add_up_combinations(codes) if credit else 0)


def parse_accuso(move: GameMove) -> tuple[str, ...]:
    """Return the combinations of an accuso; IllegalMove if it can't be read or isn't in canonical order."""
    try:
        codes = parse_combinations(move.arg)
    except ValueError:
        raise IllegalMove("unreadable_move") from None
    if move != GameMove(move.seat, "accuso", arg="+".join(codes)):
        raise IllegalMove("unreadable_move")
    return codes


# Making calls


def allow_calls(state: Tricks, allowed: Iterable[str], needs: Points | None = None) -> Tricks:
    """Return a deal just dealt with calls allowed. ``needs``: see ``Calls``."""
    return state._replace(calls=Calls(frozenset(allowed), state.hands, needs))


def subtract_score(target: int, score: Points | None) -> Points | None:
    """Return the points each line lacks of the target before a deal; None in a tie-break deal (T9)."""
    return None if score is None else (target - score[0], target - score[1])


def say(state: Tricks, move: GameMove, cards: Sequence[int] = (), held_of_suit: int = 0, points: int = 0) -> Tricks:
    """Return the state after a call that everybody hears, with its points at once. Nothing is checked."""
    calls = _require_calls(state)
    call = HeardCall(move.seat, move.verb, move.arg, tuple(cards), held_of_suit, count_tricks(state), len(state.cards))
    calls = calls._replace(
        history=(*calls.history, call),
        credited=add_points(calls.credited, move.seat % 2, points),
    )
    return state._replace(calls=calls)


def break_off(state: Tricks, move: GameMove, cards: Sequence[int] = ()) -> Tricks:
    """Return the deal ended by a call (T9, C2, C5); everybody hears ``cards`` named. Nothing is checked."""
    state = say(state, move, cards)
    return state._replace(turn=-1, calls=_require_calls(state)._replace(ended=move))


def count_tricks(state: Tricks) -> int:
    """Return the number of the running trick, or of the next where none is running, from 0."""
    return sum(state.tricks)


def find_call_of_lead(state: Tricks, verb: str) -> HeardCall | None:
    """Return the declaration or signal already made for the card about to be led, if any."""
    history = state.calls.history if state.calls is not None else ()
    if state.cards or not history:
        return None
    number = count_tricks(state)
    return next((call for call in reversed(history) if call.trick == number and call.verb == verb), None)


def list_heard_calls(state: Tricks) -> tuple[HeardCall, ...]:
    """List the calls that may still be read: those of this trick and the one before, some for good, all with carte
    viste."""
    calls = state.calls
    if calls is None:
        return ()
    since = 0 if "carte_viste" in calls.allowed else count_tricks(state) - 1
    return tuple([call for call in calls.history if call.trick >= since or call.verb in LASTING])


def _require_calls(state: Tricks) -> Calls:
    if state.calls is None:
        raise ValueError("in this deal nothing is called")
    return state.calls


# Calling out (T9)


def list_credit_rows(state: Tricks) -> tuple[TallyRow, ...]:
    """List the row of points that calls have brought at once; none if there are none."""
    points = (0, 0) if state.calls is None else state.calls.credited
    return (TallyRow("accuso", points, points),) if any(points) else ()


def count_points(state: Tricks) -> Points:
    """Count each line's points in this deal: whole thirds, calls, and the last trick once it is taken (T4, T5)."""
    ours, theirs = tricks.count_whole_points(state)
    credited = state.calls.credited if state.calls is not None else (0, 0)
    points = (ours + credited[0], theirs + credited[1])
    return points if any(state.hands) else add_points(points, state.taker % 2, 1)


def may_call_out(state: Tricks) -> bool:
    """Return whether the seat to move has just taken a trick, hasn't led yet, and its line has the target."""
    return state.turn == state.taker and has_target(state, state.turn % 2)


def has_target(state: Tricks, line: int) -> bool:
    """Return whether a line has the target where it may be called out."""
    needs = _require_calls(state).needs
    return needs is not None and count_points(state)[line] >= needs[line]


def call_out(state: Tricks, move: GameMove) -> Tricks:
    """The deal and the match over by calling out; IllegalMove if it may not be."""
    if _require_calls(state).needs is None or move != GameMove(move.seat, "out"):
        raise IllegalMove("unknown_move")
    if move.seat != state.taker or state.turn != state.taker:
        raise IllegalMove("not_just_taken")
    if not has_target(state, move.seat % 2):
        raise IllegalMove("target_not_reached")
    return break_off(state, move)


def _list_credits() -> ScoreChoices:
    """List the credits both lines may have in a deal: sums of three and four, 21 at most.

    21 takes all the threes, twos and aces: a hand of nine of them and one of three.
    """
    sums = {3 * threes + 4 * fours for threes in range(8) for fours in range(6)}
    return frozenset((ours, theirs) for ours in sums for theirs in sums if ours + theirs <= MOST_CREDIT)


MOST_CREDIT = 21
CREDITS = _list_credits()  # T5, M4, C4
CALLED_OUT = "called_out"


def find_called_out_ending(state: Tricks) -> DealEnding | None:
    """Return the ending of a deal that was called out, or whose last trick gave the taker's line the target."""
    calls = state.calls
    if calls is None:
        return None
    if calls.ended is not None:
        return DealEnding(calls.ended.seat % 2, CALLED_OUT) if calls.ended.verb == "out" else None
    line = state.taker % 2
    return DealEnding(line, CALLED_OUT) if not any(state.hands) and has_target(state, line) else None


# Declarations (T10)


def list_declarations(state: Tricks) -> tuple[GameMove, ...]:
    """List the declarations the leader may make: about each suit they hold, once a lead."""
    if state.turn < 0 or state.cards or find_call_of_lead(state, "declare"):
        return ()
    hand = state.hands[state.turn]
    return tuple(
        [
            GameMove(state.turn, "declare", arg=f"{suit} {what}")
            for suit, mask in zip(SUITS, SUIT_MASKS, strict=True)
            if hand & mask
            for what in DECLARED
        ]
    )


def declare(state: Tricks, move: GameMove) -> Tricks:
    """Return the state after a declaration, with the content of a *Ho*. IllegalMove if it may not be made."""
    suit, _, what = move.arg.partition(" ")
    if suit not in SUITS or len(suit) != 1 or what not in DECLARED or move[2:4] != (-1, 0):
        raise IllegalMove("unreadable_move")
    if move.seat != state.turn:
        raise IllegalMove("not_your_turn")
    if state.cards:
        raise IllegalMove("not_leading")
    if find_call_of_lead(state, "declare"):
        raise IllegalMove("already_declared")
    of_suit = state.hands[move.seat] & SUIT_MASKS[SUITS.index(suit)]
    if not of_suit:
        raise IllegalMove("suit_not_held")
    if not what.endswith("ho"):
        return say(state, move)
    honours = [CARDS[rank + suit] for rank in HONOURS if of_suit >> CARDS[rank + suit] & 1]
    return say(state, move, honours, of_suit.bit_count())


def list_declared_plays(state: Tricks) -> tuple[GameMove, ...]:
    """List the plays of the seat to move: of the suit it has declared, if it has (T10)."""
    declared = find_call_of_lead(state, "declare")
    if declared is None or state.turn < 0:
        return tricks.list_plays(state)
    return tricks.list_plays_among(state.turn, state.hands[state.turn] & SUIT_MASKS[SUITS.index(declared.arg[0])])


def play(state: Tricks, move: GameMove) -> Tricks:
    """Return the state after a play, which must keep to the suit declared (T10)."""
    declared = find_call_of_lead(state, "declare")
    after = tricks.play(state, move)
    if declared is not None and SUITS[tricks.SUIT[move.card]] != declared.arg[0]:
        raise IllegalMove("must_lead_declared")
    return after


def list_automatic_declarations(state: Tricks, wanted: AutomaticCalls, card: GameMove) -> tuple[GameMove, ...]:
    """List the *Ho* that goes out with this lead for a player who has it automatic (X1, T10)."""
    if card.verb != "play" or "declare" not in wanted[card.seat]:
        return ()
    move = GameMove(card.seat, "declare", arg=f"{SUITS[tricks.SUIT[card.card]]} ho")
    return (move,) if card.seat == state.turn and move in list_declarations(state) else ()


# What a seat may know (T12, G11)


def view(state: Tricks, seat: int | None, legal: Sequence[GameMove]) -> View:
    """Return a deal of any Tresette as ``seat`` (None: a spectator) may see it; ``legal`` are the moves it may make
    now.

    It has the seat's own hand, the running trick, the one before with the cards drawn after it (T1), and counts. Where
    there are calls or open cards it has the calls, their points by line, and the known cards of other hands.
    """
    common = _show_to_all(state)
    plain = state.calls is None
    return View(
        seat=seat,
        turn=state.turn if state.turn >= 0 else None,
        hands=show_hands(seat, state.hands) if plain else show_known_hands(state, seat),
        table=common.table,
        stock=len(state.stock),
        piles=common.piles,
        last=common.last,
        legal=tuple(legal),
        calls=common.calls,
        credited=(0, 0) if state.calls is None else state.calls.credited,
        seen=common.seen,
    )


class _Common(NamedTuple):
    """Part of a view that is the same for every seat."""

    table: tuple[TableCard, ...]
    piles: tuple[PileView, PileView]
    last: Last | None
    calls: tuple[HeardCall, ...]
    seen: tuple[int, ...]


@lru_cache(maxsize=256)
def _show_to_all(state: Tricks) -> _Common:
    """Return what every seat sees alike, made once for all of them."""
    players = len(state.hands)
    ours, theirs = tricks.sum_lines(state.tricks)
    plain = state.calls is None
    return _Common(
        tricks.show_open_trick(state),
        (PileView(ours * players, ours, 0), PileView(theirs * players, theirs, 0)),
        tricks.show_last_trick(state),
        () if plain else list_heard_calls(state),
        () if plain else list_seen_cards(state),
    )


def show_known_hands(state: Tricks, seat: int | None) -> tuple[HandView, ...]:
    """Return the hands as ``seat`` (None: a spectator) knows them: its own, its partner's (G11), cards seen by
    everybody."""
    return tuple(
        [
            show_hand(hand.bit_count(), hand if _is_open(state, seat, owner) else _find_public_cards(state, owner))
            for owner, hand in enumerate(state.hands)
        ]
    )


def _is_open(state: Tricks, seat: int | None, owner: int) -> bool:
    """Return whether a viewer sees a whole hand: their own, their partner's with *carte scoperte*, their morto."""
    if seat is None:
        return False
    if owner == seat or owner % 2 != seat % 2:
        return owner == seat
    allowed = _require_calls(state).allowed
    return "carte_scoperte" in allowed or (MORTO in allowed and seat == 0)


def _find_public_cards(state: Tricks, owner: int) -> int:
    """Return the cards of a hand that *carte viste* show everybody: drawn openly, declared, of an accuso that tells
    them, all of two hands without stock."""
    calls = _require_calls(state)
    if "carte_viste" not in calls.allowed:
        return 0
    hand = state.hands[owner]
    if len(state.hands) == 2 and not state.stock:
        return hand
    drawn = hand & ~calls.dealt[owner]
    return drawn | (_find_told_cards(calls.history, owner) & hand)


def _find_told_cards(history: Iterable[HeardCall], owner: int) -> int:
    """Return the cards that the calls of a seat tell: those of declarations, of a napoletana, and four of a rank; three
    of a rank doesn't tell which three."""
    cards = 0
    for call in history:
        if call.seat == owner and call.verb == "declare":
            cards |= make_mask(call.cards)
        elif call.seat == owner and call.verb == "accuso":
            for code in call.arg.split("+"):
                cards |= 0 if code.startswith("3x") else COMBINATIONS[code]
    return cards


def list_seen_cards(state: Tricks) -> tuple[int, ...]:
    """List the cards of the earlier tricks of the deal, for *carte viste*."""
    if "carte_viste" not in _require_calls(state).allowed:
        return ()
    elsewhere = make_mask((*state.cards, *state.stock))
    for hand in state.hands:
        elsewhere |= hand
    return tuple(list_cards(FULL & ~elsewhere))
