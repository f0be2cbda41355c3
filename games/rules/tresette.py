"""`tresette`, rulebook 000: alone against one (spizzichino) or in two pairs. T1-T12, and G11.

It decides what a deal is worth, which calls may be made when, and what each seat may see. It never touches the match's
score, its end or its clocks.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from games.engine import calls, tricks
from games.engine.game import (
    SWITCH,
    AutomaticCalls,
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
    add_up_rows,
)
from games.engine.tricks import DEAL_POINTS, Calls, Tricks


class Tresette:
    """The site's Tresette."""

    id = "tresette"
    players: tuple[int, ...] = (2, 4)
    options: Mapping[str, Option] = MappingProxyType(
        {
            "vinco_subito": SWITCH,
            "accuso": SWITCH,
            "cappotto": SWITCH,
            "dichiarazioni": SWITCH,
            "carte_viste": SWITCH,
            "carte_scoperte": SWITCH,
            "ko_tie": Option("rulebook", ("rulebook", "deals")),
        }
    )

    def check(self, setup: Setup) -> None:
        """Refuse options that can't apply to this match (T6, T9, T10, G11). ``ko_tie`` may stand anywhere."""
        options = setup.options
        if options.get("vinco_subito") and setup.length.kind != "points":
            raise HeaderError("option_needs_points")
        if options.get("cappotto") and setup.context != "free":
            raise HeaderError("option_only_free")
        if setup.players == 2 and (options.get("dichiarazioni") or options.get("carte_scoperte")):
            raise HeaderError("option_not_for_two")

    def terms(self, setup: Setup) -> MatchTerms:
        """Return the terms: ties by G7, but by the last trick in a KO of deals unless the organiser chose otherwise
        (T8); T6."""
        extra_stake = bool(setup.options.get("cappotto", False))
        if setup.context != "ko":
            return MatchTerms(extra_stake=extra_stake)
        by_deals = setup.options.get("ko_tie", "rulebook") == "deals"
        return MatchTerms(level="last_trick" if setup.length.kind == "deals" and not by_deals else "tie_breaks")

    def scores(self, setup: Setup) -> DealScores:
        """Return the scores that a deal may give (T4, T5); if it is called out, what both have by then (T9)."""
        accuso = (calls.CREDITS,) if setup.options.get("accuso", False) else ()
        out = EndingScores(calls.CALLED_OUT, (tricks.BROKEN_DEAL, *accuso), at_target=True)
        return DealScores((tricks.WHOLE_DEAL, *accuso), (out,) if setup.options.get("vinco_subito", False) else ())

    def deal(self, setup: Setup, deck: Sequence[int], dealer: int, score: Points | None = None) -> Tricks:
        """Deal ten cards each (T1). Without options nothing can be called and nothing else is kept."""
        state = tricks.deal(deck, setup.players, dealer)
        allowed = [name for name, value in setup.options.items() if value is True]
        if not allowed:
            return state
        out = setup.options.get("vinco_subito", False)
        return calls.allow_calls(state, allowed, calls.subtract_score(setup.length.value, score) if out else None)

    def void(self, state: Tricks) -> bool:
        """Return False: no deal of this game is void."""
        return False

    def turn(self, state: Tricks) -> int | None:
        """Return the seat to move (T2)."""
        return state.turn if state.turn >= 0 else None

    def legal(self, state: Tricks) -> tuple[GameMove, ...]:
        """List the moves: plays (T2), accuso before one's first card (T5), calling out after a trick (T9), declarations
        before leading (T10)."""
        if state.calls is None:
            return tricks.list_plays(state)
        seat, allowed = state.turn, state.calls.allowed
        moves = calls.list_declared_plays(state)
        if "accuso" in allowed and state.taker < 0:
            moves += calls.list_accusi(state, seat)
        if "dichiarazioni" in allowed:
            moves += calls.list_declarations(state)
        if calls.may_call_out(state):
            moves += (GameMove(seat, "out"),)
        return moves

    def automatic(self, state: Tricks, wanted: AutomaticCalls, play: GameMove | None = None) -> tuple[GameMove, ...]:
        """List the calls of the system (X1): calling out (T9), every combination held (T5), *Ho* with the card led
        (T10)."""
        if state.calls is None:
            return ()
        seat, allowed = state.turn, state.calls.allowed
        if play is not None:
            return calls.list_automatic_declarations(state, wanted, play) if "dichiarazioni" in allowed else ()
        if "out" in wanted[seat] and calls.may_call_out(state):
            return (GameMove(seat, "out"),)
        if "accuso" in allowed and "accuso" in wanted[seat] and state.taker < 0:
            return calls.list_accusi(state, seat)[-1:]
        return ()

    def play(self, state: Tricks, move: GameMove) -> Tricks:
        """Return the state after a play (T2, T3), with the draws of T1, or after a call (T5, T9, T10)."""
        if state.calls is None:
            return tricks.play(state, move)
        allowed = state.calls.allowed
        if move.verb == "accuso" and "accuso" in allowed:
            if state.taker >= 0:
                raise IllegalMove("not_first_trick")
            if move.seat != state.turn:
                raise IllegalMove("not_your_turn")
            return calls.accuse(state, move)
        if move.verb == "declare" and "dichiarazioni" in allowed:
            return calls.declare(state, move)
        if move.verb == "out":
            return calls.call_out(state, move)
        return calls.play(state, move)

    def tally(self, state: Tricks) -> Tally:
        """Count the deal: thirds of each line rounded down, and a point for the last trick (T4), with T5, T6 and T9."""
        cards = tricks.count_whole_points(state)
        rows = [TallyRow("thirds", tricks.sum_lines(state.thirds), cards)]
        last_taker = state.taker % 2
        whole = state.calls is None or state.calls.ended is None
        if whole:
            last: Points = (0, 1) if last_taker else (1, 0)
            rows.append(TallyRow("last_trick", last, last))
        if state.calls is not None and any(state.calls.credited):
            rows.append(TallyRow("accuso", state.calls.credited, _keep_credits(state.calls, add_up_rows(rows))))
        return Tally(
            add_up_rows(rows),
            tuple(rows),
            last_taker,
            calls.find_called_out_ending(state),
            whole,
            calls.list_heard_calls(state),
        )

    def tally_forfeit(self, state: Tricks, line: int) -> Tally:
        """Count a deal broken off (T11). The points of an accuso stay (T5)."""
        return tricks.tally_broken_off(state, 1 - line, *calls.list_credit_rows(state))

    def last(self, state: Tricks) -> Last | None:
        """Return the trick before; it is shown until the next one is complete."""
        return tricks.show_last_trick(state)

    def view(self, state: Tricks, seat: int | None) -> View:
        """Return what a seat may see: its own hand, the running trick and the one before, calls, and what T12 and G11
        show."""
        return calls.view(state, seat, self.legal(state) if state.turn == seat else ())


def _keep_credits(called: Calls, made: Points) -> Points:
    """Return the called points that count: a *cappotto* takes back those of the line without a point (T6)."""
    ours, theirs = called.credited
    if "cappotto" not in called.allowed:
        return (ours, theirs)
    return (0 if made[1] == DEAL_POINTS else ours, 0 if made[0] == DEAL_POINTS else theirs)
