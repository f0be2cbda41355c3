"""`scopa`, rulebook 001: alone against one or in two pairs. S1-S10, G11.

Everything it does is in ``engine.captures``, for it is the plainest of the games that capture. It never touches the
match's score, its end or its clocks.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from games.engine import captures
from games.engine.captures import Captures
from games.engine.game import AutomaticCalls, DealScores, GameMove, Last, MatchTerms, Option, Points, Setup, Tally, View


class Scopa:
    """Scopa."""

    id = "scopa"
    players: tuple[int, ...] = (2, 4)
    options: Mapping[str, Option] = MappingProxyType(captures.OPTIONS)

    def check(self, setup: Setup) -> None:
        """Refuse partners' open hands where there are no partners (G11)."""
        captures.check(setup)

    def terms(self, setup: Setup) -> MatchTerms:
        """Return the terms of any match: ties by G7."""
        return MatchTerms(level="tie_breaks" if setup.context == "ko" else "draw")

    def scores(self, setup: Setup) -> DealScores:
        """Return the scores that a deal may give (S7)."""
        return captures.SCORES

    def deal(self, setup: Setup, deck: Sequence[int], dealer: int, score: Points | None = None) -> Captures:
        """Deal three cards each and four on the table (S1)."""
        return captures.deal(setup, deck, dealer)

    def void(self, state: Captures) -> bool:
        """Return whether the table has three kings or more (S2)."""
        return captures.is_void(state)

    def turn(self, state: Captures) -> int | None:
        """Return the seat to move (S3)."""
        return state.turn if state.turn >= 0 else None

    def legal(self, state: Captures) -> tuple[GameMove, ...]:
        """List the plays (S4)."""
        return captures.list_plays(state)

    def automatic(self, state: Captures, wanted: AutomaticCalls, play: GameMove | None = None) -> tuple[GameMove, ...]:
        """Return no calls: the game has none."""
        return ()

    def play(self, state: Captures, move: GameMove) -> Captures:
        """Return the state after a play (S4-S6), with the next hands dealt where all are empty (S1)."""
        return captures.play(state, move)

    def tally(self, state: Captures) -> Tally:
        """Count the deal (S7, S8)."""
        return captures.tally(state)

    def tally_forfeit(self, state: Captures, line: int) -> Tally:
        """Count a deal broken off (S9)."""
        return captures.tally_forfeited(state, line)

    def last(self, state: Captures) -> Last | None:
        """Return the last play and what it took."""
        return captures.find_last_play(state)

    def view(self, state: Captures, seat: int | None) -> View:
        """Return what a seat may see (S10, G11)."""
        return captures.view(state, seat)
