"""`tressette-classico`, rulebook 004: the traditional game of two pairs, to 21 points or with honours to more. C1-C7.

It decides what a deal is worth and when it ends the match, which calls and signals may be made when, and what each seat
may see. It never touches the match's score, its end or its clocks. The names of C8 are words, and stand with the words.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from games.engine import calls, tricks
from games.engine.cards import SUIT_MASKS, list_cards
from games.engine.game import (
    SEATS,
    SWITCH,
    AutomaticCalls,
    DealEnding,
    DealScores,
    EndingScores,
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
)
from games.engine.tricks import DEAL_POINTS, HAND_SIZE, THIRDS, Tricks

TARGETS = (21,)  # C1
TARGETS_WITH_HONOURS = (31, 51)
POINT = 3  # thirds
SIGNALS = {"none": (), "due": ("busso", "volo"), "tre": ("busso", "volo", "striscio")}  # C3
COLLATONDRIONE = 16  # stakes, C5
STAKES = {"cappotto": 2, "cappottone": 6, "stramazzo": 3, "stramazzone": 8}  # C6
HONOURS = "onori"
# A deal without a point for one line is a cappotto or a stramazzo: it ends the match, and nobody calls out in it (C6).
SCORED_DEAL = tricks.WHOLE_DEAL - {(DEAL_POINTS, 0), (0, DEAL_POINTS)}
CALLED_OUT_DEAL = tricks.BROKEN_DEAL - {(DEAL_POINTS, 0), (0, DEAL_POINTS)}


class TressetteClassico:
    """Traditional tressette."""

    id = "tressette-classico"
    players: tuple[int, ...] = (4,)
    options: Mapping[str, Option] = MappingProxyType({HONOURS: SWITCH, "segnali": Option("none", tuple(SIGNALS))})

    def check(self, setup: Setup) -> None:
        """Refuse lengths that this game hasn't (C1)."""
        targets = TARGETS_WITH_HONOURS if setup.options.get(HONOURS, False) else TARGETS
        if setup.length.kind != "points" or setup.length.value not in targets:
            raise HeaderError("length_not_of_game")

    def terms(self, setup: Setup) -> MatchTerms:
        """Return the terms: ties by G7; before a deal's first card anybody may ask for another deal (C2) or announce a
        collatondrione (C5)."""
        return MatchTerms(
            level="tie_breaks" if setup.context == "ko" else "draw",
            opening_calls=True,
            most_stakes=COLLATONDRIONE if setup.options.get(HONOURS, False) else max(STAKES.values()),
        )

    def scores(self, setup: Setup) -> DealScores:
        """Return the scores that a deal may give (T4, C4), and those of victories whatever the score (T9, C5, C6)."""
        honours = (calls.CREDITS,) if setup.options.get(HONOURS, False) else ()
        endings = [EndingScores(calls.CALLED_OUT, (CALLED_OUT_DEAL, *honours), at_target=True)]
        for name in STAKES:
            points = DEAL_POINTS - 1 if name.startswith("stramazz") else DEAL_POINTS
            endings.append(EndingScores(name, (frozenset({(points, 0)}), *honours)))
        if honours:
            endings.append(EndingScores("collatondrione", (frozenset({(0, 0)}),)))
        return DealScores((SCORED_DEAL, *honours), tuple(endings))

    def deal(self, setup: Setup, deck: Sequence[int], dealer: int, score: Points | None = None) -> Tricks:
        """Deal ten cards each (T1); calling out is always on (C1)."""
        allowed = [setup.options.get("segnali", "none")] + ([HONOURS] if setup.options.get(HONOURS, False) else [])
        return calls.allow_calls(
            tricks.deal(deck, SEATS, dealer), allowed, calls.subtract_score(setup.length.value, score)
        )

    def void(self, state: Tricks) -> bool:
        """Return whether a player has asked for other cards (C2)."""
        return _find_ending_verb(state) == "redeal"

    def turn(self, state: Tricks) -> int | None:
        """Return the seat to move (T2)."""
        return state.turn if state.turn >= 0 else None

    def legal(self, state: Tricks) -> tuple[GameMove, ...]:
        """List the plays (T2), and the calls of every seat (C2, C3, C4, C5, T9)."""
        if state.turn < 0:
            return ()
        moves = _list_plays(state)
        if state.taker < 0:
            return moves + _list_opening_calls(state)
        if not state.cards:
            moves += _list_accusi(state) + _list_signals(state)
            if calls.may_call_out(state):
                moves += (GameMove(state.turn, "out"),)
        return moves

    def automatic(self, state: Tricks, wanted: AutomaticCalls, play: GameMove | None = None) -> tuple[GameMove, ...]:
        """List the calls of the system: honours after *buon gioco*, the leader's first (C4), then calling out (T9)."""
        if play is not None or state.turn < 0:
            return ()
        moves = []
        for place in range(SEATS):
            seat = (state.turn + place) % SEATS
            whole = [move for move in _list_accusi(state) if move.seat == seat][-1:]
            for move in whole:
                state = _accuse(state, move)
            moves += whole
        if "out" in wanted[state.turn] and calls.may_call_out(state):
            moves.append(GameMove(state.turn, "out"))
        return tuple(moves)

    def play(self, state: Tricks, move: GameMove) -> Tricks:
        """Return the state after a play (T2, T3) or a call; a card led with *volo* is the last of its suit (C3)."""
        call = _CALLS.get(move.verb)
        if call is not None:
            if state.turn < 0:
                raise IllegalMove("deal_over")
            if not 0 <= move.seat < SEATS:
                raise IllegalMove("no_such_seat")
            if move.card != -1 or move.takes:
                raise IllegalMove("unreadable_move")
            return call(state, move)
        after = tricks.play(state, move)
        if _has_volo(state) and not _is_last_of_suit(state, move.card):
            raise IllegalMove("volo_not_last")
        return after

    def tally(self, state: Tricks) -> Tally:
        """Count the deal (T4) and the honours called (C4), and name the ending of the match, if any (C5, C6
        before T9)."""
        cards = tricks.count_whole_points(state)
        broken_off = _find_ending_verb(state)
        special = None if broken_off else _find_special_victory(state)
        rows = [TallyRow("thirds", tricks.sum_lines(state.thirds), cards)]
        if not broken_off:
            last = add_points((0, 0), state.taker % 2, 1)
            given = special is None or not special.decided_by.startswith("stramazzo")
            rows.append(TallyRow("last_trick", last, last if given else (0, 0)))
        rows += calls.list_credit_rows(state)
        last_taker = state.taker % 2 if state.taker >= 0 else None
        ending = special or _find_called_ending(state)
        return Tally(add_up_rows(rows), tuple(rows), last_taker, ending, not broken_off, calls.list_heard_calls(state))

    def tally_forfeit(self, state: Tricks, line: int) -> Tally:
        """Count a deal broken off (C7, T11); the honours already called stay (C4)."""
        return tricks.tally_broken_off(state, 1 - line, *calls.list_credit_rows(state))

    def last(self, state: Tricks) -> Last | None:
        """Return the trick before; it is shown until the next one is complete."""
        return tricks.show_last_trick(state)

    def view(self, state: Tricks, seat: int | None) -> View:
        """Return what a seat may see: its own hand, the tricks on the table, the calls, and its own moves, out of turn
        too."""
        return calls.view(state, seat, [move for move in self.legal(state) if move.seat == seat])


def _find_ending_verb(state: Tricks) -> str:
    """Return the call that has broken the deal off; "" if none has."""
    return state.calls.ended.verb if state.calls is not None and state.calls.ended is not None else ""


def _allows(state: Tricks, name: str) -> bool:
    return state.calls is not None and name in state.calls.allowed


def _find_called_ending(state: Tricks) -> DealEnding | None:
    """Return the ending that a call has brought (C5, T9)."""
    if state.calls is not None and state.calls.ended is not None and state.calls.ended.verb == "collatondrione":
        return DealEnding(state.calls.ended.seat % 2, "collatondrione", COLLATONDRIONE)
    return calls.find_called_out_ending(state)


def _find_special_victory(state: Tricks) -> DealEnding | None:
    """Return the special victory of a deal played to its end (C6): all ten tricks, or all ten points of the cards."""
    taken, thirds = tricks.sum_lines(state.tricks), tricks.sum_lines(state.thirds)
    all_points = POINT * (DEAL_POINTS - 1)
    if HAND_SIZE in taken:
        line, name = taken.index(HAND_SIZE), "cappottone" if HAND_SIZE in state.tricks else "cappotto"
    elif max(thirds) >= all_points:
        line, name = thirds.index(max(thirds)), "stramazzone" if max(state.thirds) >= all_points else "stramazzo"
    else:
        return None
    return DealEnding(line, name, STAKES[name])


# Plays and signals (C3)


def _has_volo(state: Tricks) -> bool:
    """Return whether the leader has said *volo* of the card they are about to lead."""
    signal = calls.find_call_of_lead(state, "signal")
    return signal is not None and signal.arg == "volo"


def _is_last_of_suit(state: Tricks, card: int) -> bool:
    return (state.hands[state.turn] & tricks.SUIT_OF[card]).bit_count() == 1


def _list_plays(state: Tricks) -> tuple[GameMove, ...]:
    plays = tricks.list_plays(state)
    return tuple([move for move in plays if _is_last_of_suit(state, move.card)]) if _has_volo(state) else plays


def _list_signals(state: Tricks) -> tuple[GameMove, ...]:
    """List the leader's signals, once a lead; *volo* if one of their cards is the last of its suit (C3)."""
    offered = [name for option, names in SIGNALS.items() if _allows(state, option) for name in names]
    if not offered or calls.find_call_of_lead(state, "signal"):
        return ()
    alone = any(_is_last_of_suit(state, card) for card in list_cards(state.hands[state.turn]))
    return tuple([GameMove(state.turn, "signal", arg=name) for name in offered if alone or name != "volo"])


def _signal(state: Tricks, move: GameMove) -> Tricks:
    if not any(_allows(state, option) and move.arg in names for option, names in SIGNALS.items()):
        raise IllegalMove("unknown_move")
    if move.seat != state.turn:
        raise IllegalMove("not_your_turn")
    if state.cards:
        raise IllegalMove("not_leading")
    if state.taker < 0:
        raise IllegalMove("signal_too_early")
    if calls.find_call_of_lead(state, "signal"):
        raise IllegalMove("already_declared")
    if move not in _list_signals(state):
        raise IllegalMove("volo_not_last")
    return calls.say(state, move)


# Before the first card (C2, C4, C5)


def _list_opening_calls(state: Tricks) -> tuple[GameMove, ...]:
    """List the calls of the first trick: C2 and C5 before its first card, *buon gioco* before one's own (C4)."""
    honours = _allows(state, HONOURS)
    moves = []
    for seat in range(SEATS):
        if not state.cards and _is_worth_nothing(state, seat):
            moves.append(GameMove(seat, "redeal"))
        if not state.cards and honours and _holds_whole_suit(state, seat):
            moves.append(GameMove(seat, "collatondrione"))
        if (
            honours
            and _has_yet_to_play(state, seat)
            and calls.list_uncalled(state, seat)
            and not _has_said_buongioco(state, seat)
        ):
            moves.append(GameMove(seat, "buongioco"))
    return tuple(moves)


def _is_worth_nothing(state: Tricks, seat: int) -> bool:
    """Return whether the ten cards are worth less than a point (C2)."""
    return sum([THIRDS[card] for card in list_cards(state.hands[seat])]) < POINT


def _holds_whole_suit(state: Tricks, seat: int) -> bool:
    return state.hands[seat] in SUIT_MASKS


def _has_yet_to_play(state: Tricks, seat: int) -> bool:
    return state.hands[seat].bit_count() == HAND_SIZE


def _has_said_buongioco(state: Tricks, seat: int) -> bool:
    return any(call.seat == seat and call.verb == "buongioco" for call in calls.list_heard_calls(state))


def _ask_redeal(state: Tricks, move: GameMove) -> Tricks:
    _require_bare(move)
    if state.cards or state.taker >= 0:
        raise IllegalMove("deal_begun")
    if not _is_worth_nothing(state, move.seat):
        raise IllegalMove("hand_worth_a_point")
    return calls.break_off(state, move)


def _announce_collatondrione(state: Tricks, move: GameMove) -> Tricks:
    _require_honours(state)
    _require_bare(move)
    if state.cards or state.taker >= 0:
        raise IllegalMove("deal_begun")
    if not _holds_whole_suit(state, move.seat):
        raise IllegalMove("suit_not_whole")
    return calls.break_off(state, move, tuple(list_cards(state.hands[move.seat])))


def _say_buongioco(state: Tricks, move: GameMove) -> Tricks:
    _require_honours(state)
    _require_bare(move)
    if state.taker >= 0 or not _has_yet_to_play(state, move.seat):
        raise IllegalMove("buongioco_too_late")
    if not calls.list_uncalled(state, move.seat):
        raise IllegalMove("combination_not_held")
    if _has_said_buongioco(state, move.seat):
        raise IllegalMove("already_called")
    return calls.say(state, move)


def _require_honours(state: Tricks) -> None:
    if not _allows(state, HONOURS):
        raise IllegalMove("unknown_move")


def _require_bare(move: GameMove) -> None:
    if move.arg:
        raise IllegalMove("unreadable_move")


# Between the first trick and the second (C4)


def _honours_are_due(state: Tricks) -> bool:
    return _allows(state, HONOURS) and calls.count_tricks(state) == 1 and not state.cards


def _list_accusi(state: Tricks) -> tuple[GameMove, ...]:
    """List the accusi of each seat that said *buon gioco* (C4)."""
    if not _honours_are_due(state):
        return ()
    moves: tuple[GameMove, ...] = ()
    for seat in range(SEATS):
        if _has_said_buongioco(state, seat):
            moves += calls.list_accusi(state, seat)
    return moves


def _accuse(state: Tricks, move: GameMove) -> Tricks:
    """Accuse honours (C4). Everybody hears the cards: three of a rank name the missing suit, a napoletana its own."""
    _require_honours(state)
    if not _honours_are_due(state):
        raise IllegalMove("accuso_not_now")
    if not _has_said_buongioco(state, move.seat):
        raise IllegalMove("no_buongioco")
    named = 0
    for code in calls.parse_accuso(move):
        named |= calls.COMBINATIONS[code]
    dealt = 0 if state.calls is None else state.calls.dealt[move.seat]
    return calls.accuse(state, move, tuple(list_cards(named & dealt)))


_CALLS = {
    "redeal": _ask_redeal,
    "collatondrione": _announce_collatondrione,
    "buongioco": _say_buongioco,
    "accuso": _accuse,
    "signal": _signal,
    "out": calls.call_out,
}
