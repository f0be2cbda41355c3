"""`asso-piglia-tutto`, rulebook 002: Scopa in which an ace takes everything. P1-P4; all else as S1-S10, G11.

It decides what an ace takes. The rest is in ``engine.captures``; it never touches the match's score, its end or its
clocks.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from games.engine import captures
from games.engine.captures import ACES, Captures
from games.engine.cards import RANKS
from games.engine.game import AutomaticCalls, DealScores, GameMove, Last, MatchTerms, Option, Points, Setup, Tally, View


class AssoPigliaTutto:
    """Scopa d'assi."""

    id = "asso-piglia-tutto"
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
        """List the plays (S4), with the captures of an ace (P1-P4)."""
        return captures.list_plays(state, list_captures)

    def automatic(self, state: Captures, wanted: AutomaticCalls, play: GameMove | None = None) -> tuple[GameMove, ...]:
        """Return no calls: the game has none."""
        return ()

    def play(self, state: Captures, move: GameMove) -> Captures:
        """Return the state after a play. An ace that takes anything other than an ace makes no scopa (P3)."""
        return captures.play(state, move, list_captures, scopa=makes_scopa(move.card, move.takes))

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
        return captures.view(state, seat, list_captures)


def list_captures(table: int, card: int) -> tuple[int, ...]:
    """List the sets a card may take: an ace takes an ace (P1, P2), or the whole table (P3) if there is one (P4)."""
    if not table or not _is_ace(card) or table & ACES:
        return captures.list_captures(table, card)
    return (table,)


def makes_scopa(card: int, takes: int) -> bool:
    """Return whether this card, taking the whole table, makes a scopa: an ace does only with an ace (P1, P3)."""
    return not (_is_ace(card) and takes & ~ACES)


def _is_ace(card: int) -> bool:
    return card % len(RANKS) == RANKS.index("A")
