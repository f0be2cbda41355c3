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
        """G11 needs partners."""
        captures.check(setup)

    def terms(self, setup: Setup) -> MatchTerms:
        """G7."""
        return MatchTerms(level="tie_breaks" if setup.context == "ko" else "draw")

    def scores(self, setup: Setup) -> DealScores:
        """S7."""
        return captures.SCORES

    def deal(self, setup: Setup, deck: Sequence[int], dealer: int, score: Points | None = None) -> Captures:
        """S1."""
        return captures.deal(setup, deck, dealer)

    def void(self, state: Captures) -> bool:
        """S2."""
        return captures.is_void(state)

    def turn(self, state: Captures) -> int | None:
        """S3."""
        return state.turn if state.turn >= 0 else None

    def legal(self, state: Captures) -> tuple[GameMove, ...]:
        """S4."""
        return captures.list_plays(state)

    def automatic(self, state: Captures, wanted: AutomaticCalls, play: GameMove | None = None) -> tuple[GameMove, ...]:
        """Return no calls: the game has none."""
        return ()

    def play(self, state: Captures, move: GameMove) -> Captures:
        """S4, S5, S6 and the next hands of S1."""
        return captures.play(state, move)

    def tally(self, state: Captures) -> Tally:
        """S7, S8."""
        return captures.tally(state)

    def tally_forfeit(self, state: Captures, line: int) -> Tally:
        """S9."""
        return captures.tally_forfeited(state, line)

    def last(self, state: Captures) -> Last | None:
        """The last play and what it took."""
        return captures.find_last_play(state)

    def view(self, state: Captures, seat: int | None) -> View:
        """S10, G11."""
        return captures.view(state, seat)
