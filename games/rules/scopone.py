"""`scopone`: Scopa in pairs with all the cards dealt at once. SC1, SC2; all else as S3-S10, G11.

It decides how the cards are dealt, and how long a match may be. The rest is in ``engine.captures``; it never touches
the match's score, its end or its clocks.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from games.engine import captures
from games.engine.captures import TABLE_SIZE, Captures
from games.engine.cards import DECK_SIZE
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
    View,
)

TARGETS = (11, 21)  # SC2


class Scopone:
    """Scopone: *scientifico*, or with four cards on the table."""

    id = "scopone"
    players: tuple[int, ...] = (4,)
    options: Mapping[str, Option] = MappingProxyType({"quattro_a_terra": SWITCH, **captures.OPTIONS})

    def check(self, setup: Setup) -> None:
        """Refuse a match to other points than 11 or 21 (SC2)."""
        if setup.length.kind == "points" and setup.length.value not in TARGETS:
            raise HeaderError("length_not_of_game")

    def terms(self, setup: Setup) -> MatchTerms:
        """Return the terms of any match: ties by G7."""
        return MatchTerms(level="tie_breaks" if setup.context == "ko" else "draw")

    def scores(self, setup: Setup) -> DealScores:
        """Return the scores that a deal may give (S7)."""
        return captures.list_scores(_count_on_table(setup))

    def deal(self, setup: Setup, deck: Sequence[int], dealer: int, score: Points | None = None) -> Captures:
        """Deal ten cards each, or nine each and four on the table (SC1)."""
        on_table = _count_on_table(setup)
        return captures.deal(setup, deck, dealer, (DECK_SIZE - on_table) // setup.players, on_table)

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
        """Return the state after a play (S4-S6). There is one hand a deal: *carte viste* show all that was taken."""
        after = captures.play(state, move)
        return after._replace(earlier=after.piles[0] | after.piles[1]) if move.takes else after

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


def _count_on_table(setup: Setup) -> int:
    return TABLE_SIZE if setup.options.get("quattro_a_terra") else 0
