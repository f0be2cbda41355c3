"""`tressette-accusa`, rulebook 003: two alone, two pairs, or a pair against one who plays the *morto* too. M1-M8.

It decides what a deal is worth, when combinations are called, and what each seat may see. It never touches the match's
score, its end or its clocks.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from games.engine import calls, tricks
from games.engine.cards import BIT, CARDS, make_mask
from games.engine.game import (
    THREE,
    AutomaticCalls,
    DealScores,
    GameMove,
    HeaderError,
    IllegalMove,
    Last,
    MatchTerms,
    Option,
    Points,
    Setup,
    Tally,
    TallyRow,
    View,
    add_points,
    add_up_rows,
    controlling_seat,
    count_hands,
)
from games.engine.tricks import DEAL_POINTS, Tricks

TARGETS = (11, 21, 31, 41)  # M1
PACKET = 5  # G4
OPENER = BIT[CARDS["4d"]]  # M2
CAPPOTTO = 17  # M6
COMPULSORY = "obbligatoria"


SCORES = frozenset(
    (ours + credit, theirs + other)
    for ours, theirs in tricks.WHOLE_DEAL
    if ours and theirs
    for credit, other in calls.CREDITS
) | frozenset(
    score for credit, _lost in calls.CREDITS for score in ((CAPPOTTO + credit, 0), (0, CAPPOTTO + credit))
)  # M5: a line without a point loses its accusa


class TressetteAccusa:
    """Tressette with accusa."""

    id = "tressette-accusa"
    players: tuple[int, ...] = (2, 3, 4)
    options: Mapping[str, Option] = MappingProxyType({"accusa": Option(COMPULSORY, (COMPULSORY, "facoltativa"))})

    def check(self, setup: Setup) -> None:
        """Refuse lengths and options that this game hasn't (M1, M8)."""
        if setup.length.kind != "points" or setup.length.value not in TARGETS:
            raise HeaderError("length_not_of_game")
        if setup.players == THREE and setup.context != "free":
            raise HeaderError("three_only_free")

    def terms(self, setup: Setup) -> MatchTerms:
        """Return the terms of any match: ties by G7."""
        return MatchTerms(level="tie_breaks" if setup.context == "ko" else "draw")

    def scores(self, setup: Setup) -> DealScores:
        """Return the scores that a deal may give (T4, M4-M6)."""
        return DealScores((SCORES,))

    def deal(self, setup: Setup, deck: Sequence[int], dealer: int, score: Points | None = None) -> Tricks:
        """Deal five cards at a time (M2); the holder of the 4 of denari leads (M3)."""
        state = tricks.deal(deck, count_hands(setup.players), dealer)
        hands = _deal_by_fives(deck, len(state.hands), dealer)
        opener = next((seat for seat, hand in enumerate(hands) if hand & OPENER), state.turn)
        allowed = [setup.options.get("accusa", COMPULSORY)] + ([calls.MORTO] if setup.players == THREE else [])
        return calls.allow_calls(state._replace(hands=hands, turn=opener), allowed)

    def void(self, state: Tricks) -> bool:
        """Return False: no deal of this game is void."""
        return False

    def turn(self, state: Tricks) -> int | None:
        """Return the seat to move (T2)."""
        return state.turn if state.turn >= 0 else None

    def legal(self, state: Tricks) -> tuple[GameMove, ...]:
        """List the plays (T2), and in the first trick the calls (M4): before a card if one must call."""
        combinations = _list_accusi(state)
        if combinations and _is_compulsory(state):
            return combinations
        return tricks.list_plays(state) + combinations

    def automatic(self, state: Tricks, wanted: AutomaticCalls, play: GameMove | None = None) -> tuple[GameMove, ...]:
        """List the calls of the system: every combination at once, for everybody where calling is compulsory (M4)."""
        combinations = _list_accusi(state) if play is None else ()
        if combinations and (_is_compulsory(state) or "accuso" in wanted[_find_player(state, state.turn)]):
            return combinations[-1:]
        return ()

    def play(self, state: Tricks, move: GameMove) -> Tricks:
        """Return the state after a play (T2, T3), with the draws of T1, or after a call (M4), whose points wait for the
        end (M5)."""
        if move.verb == "accuso":
            if state.taker >= 0:
                raise IllegalMove("not_first_trick")
            if move.seat != state.turn:
                raise IllegalMove("not_your_turn")
            return calls.accuse(state, move, credit=False)
        after = tricks.play(state, move)
        if state.taker < 0 and _is_compulsory(state) and calls.list_uncalled(state, move.seat):
            raise IllegalMove("must_accuse")
        return after

    def tally(self, state: Tricks) -> Tally:
        """Count the deal (T4). A line without a point loses its accusa (M5) and gives the other 17 (M6)."""
        cards = tricks.count_whole_points(state)
        last_taker = state.taker % 2
        last = add_points((0, 0), last_taker, 1)
        made = (cards[0] + last[0], cards[1] + last[1])
        rows = [TallyRow("thirds", tricks.sum_lines(state.thirds), cards), TallyRow("last_trick", last, last)]
        if 0 in made:
            winner = 1 - made.index(0)
            rows.append(
                TallyRow(
                    "cappotto", add_points((0, 0), winner, CAPPOTTO), add_points((0, 0), winner, CAPPOTTO - DEAL_POINTS)
                )
            )
        called = _count_called(state)
        if any(called):
            rows.append(TallyRow("accuso", called, (called[0] if made[0] else 0, called[1] if made[1] else 0)))
        return Tally(add_up_rows(rows), tuple(rows), last_taker, calls=calls.list_heard_calls(state))

    def tally_forfeit(self, state: Tricks, line: int) -> Tally:
        """Count a deal broken off (M7, T11): nothing for accusa."""
        called = _count_called(state)
        return tricks.tally_broken_off(state, 1 - line, *([TallyRow("accuso", called, (0, 0))] if any(called) else ()))

    def last(self, state: Tricks) -> Last | None:
        """Return the trick before; it is shown until the next one is complete."""
        return tricks.show_last_trick(state)

    def view(self, state: Tricks, seat: int | None) -> View:
        """Return what a seat may see: its own hand, for seat 0 of three the morto's too (M3), the tricks on the table,
        the calls."""
        moves = state.turn >= 0 and seat == _find_player(state, state.turn)
        return calls.view(state, seat, self.legal(state) if moves else ())


def _deal_by_fives(deck: Sequence[int], players: int, dealer: int) -> tuple[int, ...]:
    """Return the hands: five cards each from the dealer's right, then five more (G4)."""
    hands = [0] * players
    for packet in range(2 * players):
        hands[(dealer + 1 + packet) % players] |= make_mask(deck[PACKET * packet : PACKET * (packet + 1)])
    return tuple(hands)


def _list_accusi(state: Tricks) -> tuple[GameMove, ...]:
    """List the accusi of the seat to move: in the first trick, on its own turn (M4)."""
    return calls.list_accusi(state, state.turn) if state.taker < 0 <= state.turn else ()


def _is_compulsory(state: Tricks) -> bool:
    return state.calls is not None and COMPULSORY in state.calls.allowed


def _find_player(state: Tricks, seat: int) -> int:
    """Return whose turn it is when it is this seat's: seat 0 plays the morto too (M3)."""
    morto = state.calls is not None and calls.MORTO in state.calls.allowed
    return controlling_seat(seat, THREE) if morto else seat


def _count_called(state: Tricks) -> Points:
    """Count the points that each line has called in this deal."""
    total: Points = (0, 0)
    for call in calls.list_heard_calls(state):
        total = add_points(total, call.seat % 2, calls.add_up_combinations(calls.parse_combinations(call.arg)))
    return total
