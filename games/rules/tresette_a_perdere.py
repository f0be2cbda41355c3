"""`tresette-a-perdere`, rulebook 000, "Varianti": Tresette in which the line with fewer points wins. A1-A3.

It decides what a deal is worth, which declarations may be made, and what each seat may see. It never touches the
match's score, its end or its clocks.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from games.engine import calls, tricks
from games.engine.game import (
    SWITCH,
    AutomaticCalls,
    DealScores,
    GameMove,
    HeaderError,
    Last,
    MatchTerms,
    Option,
    Points,
    Setup,
    Tally,
    TallyRow,
    View,
)
from games.engine.tricks import Tricks


class TresetteAPerdere:
    """Tresette a perdere: no accuso, no calling out, no cappotto (A1)."""

    id = "tresette-a-perdere"
    players: tuple[int, ...] = (2, 4)
    options: Mapping[str, Option] = MappingProxyType(
        {"dichiarazioni": SWITCH, "carte_viste": SWITCH, "carte_scoperte": SWITCH}
    )

    def check(self, setup: Setup) -> None:
        """Refuse options for pairs where two play alone (T10, G11)."""
        if setup.players == 2 and (setup.options.get("dichiarazioni") or setup.options.get("carte_scoperte")):
            raise HeaderError("option_not_for_two")

    def terms(self, setup: Setup) -> MatchTerms:
        """Return the terms: fewer points win (A1), and the last trick decides a level match everywhere (A2)."""
        return MatchTerms(level="last_trick", fewest_wins=True)

    def scores(self, setup: Setup) -> DealScores:
        """Return the scores that a deal may give (T4)."""
        return DealScores((tricks.WHOLE_DEAL,))

    def deal(self, setup: Setup, deck: Sequence[int], dealer: int, score: Points | None = None) -> Tricks:
        """Deal ten cards each (T1). Without options nothing can be called and nothing else is kept."""
        state = tricks.deal(deck, setup.players, dealer)
        allowed = [name for name, value in setup.options.items() if value is True]
        return calls.allow_calls(state, allowed) if allowed else state

    def void(self, state: Tricks) -> bool:
        """Return False: no deal of this game is void."""
        return False

    def turn(self, state: Tricks) -> int | None:
        """Return the seat to move (T2)."""
        return state.turn if state.turn >= 0 else None

    def legal(self, state: Tricks) -> tuple[GameMove, ...]:
        """List the plays (T2), and the declarations before leading (T10)."""
        if not _may_declare(state):
            return tricks.list_plays(state)
        return calls.list_declared_plays(state) + calls.list_declarations(state)

    def automatic(self, state: Tricks, wanted: AutomaticCalls, play: GameMove | None = None) -> tuple[GameMove, ...]:
        """List the calls of the system (X1): *Ho* with the card led (T10)."""
        if play is None or not _may_declare(state):
            return ()
        return calls.list_automatic_declarations(state, wanted, play)

    def play(self, state: Tricks, move: GameMove) -> Tricks:
        """Return the state after a play (T2, T3), with the draws of T1, or after a declaration (T10)."""
        if not _may_declare(state):
            return tricks.play(state, move)
        return calls.declare(state, move) if move.verb == "declare" else calls.play(state, move)

    def tally(self, state: Tricks) -> Tally:
        """Count the deal: thirds of each line rounded down, and a point for the last trick (T4)."""
        cards = tricks.count_whole_points(state)
        last_taker = state.taker % 2
        last: Points = (0, 1) if last_taker else (1, 0)
        rows = (
            TallyRow("thirds", tricks.sum_lines(state.thirds), cards),
            TallyRow("last_trick", last, last),
        )
        return Tally((cards[0] + last[0], cards[1] + last[1]), rows, last_taker, calls=calls.list_heard_calls(state))

    def tally_forfeit(self, state: Tricks, line: int) -> Tally:
        """Count a deal broken off: the points nobody has yet go to the offender, since here they hurt (A3)."""
        return tricks.tally_broken_off(state, line)

    def last(self, state: Tricks) -> Last | None:
        """Return the trick before; it is shown until the next one is complete."""
        return tricks.show_last_trick(state)

    def view(self, state: Tricks, seat: int | None) -> View:
        """Return what a seat may see: its own hand, the running trick and the one before, declarations, and what T12
        and G11 show."""
        return calls.view(state, seat, self.legal(state) if state.turn == seat else ())


def _may_declare(state: Tricks) -> bool:
    return state.calls is not None and "dichiarazioni" in state.calls.allowed
