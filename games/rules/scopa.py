"""`scopa`, rulebook 001: alone against one or in two pairs. S1-S9.

It decides what a deal is worth and what each seat may see. It never touches the match's score, its end or its clocks.
Of the options (S10, G11) only the value "off" is on offer.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from games.engine import captures
from games.engine.captures import Captures
from games.engine.cards import CARDS, SUIT_MASKS, SUITS, cards_in
from games.engine.game import (
    NOT_YET_OFFERED,
    Last,
    Level,
    Move,
    Option,
    PileView,
    Points,
    Setup,
    TableCard,
    Tally,
    TallyRow,
    View,
    added,
    hands_for,
)

KINGS_TO_VOID = 3  # S2
ENOUGH_CARDS = 21  # S7
ENOUGH_DENARI = 6  # S7
SETTEBELLO = 1 << CARDS["7d"]
DENARI = SUIT_MASKS[SUITS.index("d")]


class Scopa:
    """Scopa."""

    id = "scopa"
    players: tuple[int, ...] = (2, 4)
    options: Mapping[str, Option] = MappingProxyType(
        {"carte_viste": NOT_YET_OFFERED, "carte_scoperte": NOT_YET_OFFERED}
    )

    def check(self, setup: Setup) -> None:
        """Nothing beyond what ``match.check`` looks at."""

    def level(self, setup: Setup) -> Level:
        """G7."""
        return "tie_breaks" if setup.context == "ko" else "draw"

    def deal(self, setup: Setup, deck: Sequence[int], dealer: int) -> Captures:
        """S1."""
        return captures.deal(deck, setup.players, dealer)

    def void(self, state: Captures) -> bool:
        """S2: three kings or more among the four table cards, before the first play."""
        return state.last is None and (state.table & captures.KINGS).bit_count() >= KINGS_TO_VOID

    def turn(self, state: Captures) -> int | None:
        """S3."""
        return state.turn if state.turn >= 0 else None

    def legal(self, state: Captures) -> tuple[Move, ...]:
        """S4."""
        return captures.plays(state)

    def play(self, state: Captures, move: Move) -> Captures:
        """S4, S5, S6 and the next hands of S1."""
        return captures.play(state, move)

    def tally(self, state: Captures) -> Tally:
        """S7, S8."""
        rows = _rows(state)
        primiera = (captures.primiera(state.piles[0]), captures.primiera(state.piles[1]))
        best = (int(primiera[0] > primiera[1]), int(primiera[1] > primiera[0]))
        rows = (*rows, TallyRow("primiera", primiera, best))
        return Tally(_total(rows), rows, state.taker % 2 if state.taker >= 0 else None)

    def forfeited(self, state: Captures, line: int) -> Points:
        """S9: what no line has secured goes to the other line, with a point as for one scopa."""
        made = _total(_rows(state))
        secured = sum(sum(row.points) for row in _rows(state) if row.code != "scope")
        penalty = 4 - secured + 1
        return added(made, 1 - line, penalty)

    def last(self, state: Captures) -> Last | None:
        """The last play and what it took."""
        return captures.last_play(state)

    def view(self, state: Captures, seat: int | None) -> View:
        """The seat's own hand, the table, the last play, and counts."""
        ours, theirs = state.piles
        turn = self.turn(state)
        return View(
            seat=seat,
            turn=turn,
            hands=hands_for(seat, state.hands),
            table=tuple([TableCard(card, None) for card in cards_in(state.table)]),
            stock=len(state.stock),
            piles=(
                PileView(ours.bit_count(), 0, state.scope[0]),
                PileView(theirs.bit_count(), 0, state.scope[1]),
            ),
            last=captures.last_play(state),
            legal=captures.plays(state) if turn is not None and turn == seat else (),
        )


def _rows(state: Captures) -> tuple[TallyRow, ...]:
    """The points that are sure as soon as they are reached (S7): scope, settebello, denari, cards."""
    ours, theirs = state.piles
    settebello = (int(bool(ours & SETTEBELLO)), int(bool(theirs & SETTEBELLO)))
    denari = ((ours & DENARI).bit_count(), (theirs & DENARI).bit_count())
    cards = (ours.bit_count(), theirs.bit_count())
    return (
        TallyRow("scope", state.scope, state.scope),
        TallyRow("settebello", settebello, settebello),
        TallyRow("denari", denari, (int(denari[0] >= ENOUGH_DENARI), int(denari[1] >= ENOUGH_DENARI))),
        TallyRow("cards", cards, (int(cards[0] >= ENOUGH_CARDS), int(cards[1] >= ENOUGH_CARDS))),
    )


def _total(rows: Sequence[TallyRow]) -> Points:
    return (sum(row.points[0] for row in rows), sum(row.points[1] for row in rows))
