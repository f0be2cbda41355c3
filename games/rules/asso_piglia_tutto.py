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
        """S4, P1-P4."""
        return captures.list_plays(state, list_captures)

    def automatic(self, state: Captures, wanted: AutomaticCalls, play: GameMove | None = None) -> tuple[GameMove, ...]:
        """Return no calls: the game has none."""
        return ()

    def play(self, state: Captures, move: GameMove) -> Captures:
        """As Scopa's, but an ace that takes anything other than an ace makes no scopa (P3)."""
        return captures.play(state, move, list_captures, scopa=makes_scopa(move.card, move.takes))

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
        return captures.view(state, seat, list_captures)


def list_captures(table: int, card: int) -> tuple[int, ...]:
    """The sets a card may take: an ace takes an ace (P1, P2), or the whole table (P3) if there is one (P4)."""
    if not table or not _is_ace(card) or table & ACES:
        return captures.list_captures(table, card)
    return (table,)


def makes_scopa(card: int, takes: int) -> bool:
    """Return whether this card, taking the whole table, makes a scopa: an ace does only with an ace (P1, P3)."""
    return not (_is_ace(card) and takes & ~ACES)


def _is_ace(card: int) -> bool:
    return card % len(RANKS) == RANKS.index("A")
