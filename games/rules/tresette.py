"""`tresette`, rulebook 000: alone against one (spizzichino) or in two pairs. T1-T4, T7, T8 with ``ko_tie``, T11.

It decides what a deal is worth and what each seat may see. It never touches the match's score, its end or its clocks.
Of the other options (T5, T6, T9, T10, T12, G11) only the value "off" is on offer.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from games.engine import tricks
from games.engine.game import (
    NOT_YET_OFFERED,
    Last,
    Level,
    Move,
    Option,
    PileView,
    Points,
    Setup,
    Tally,
    TallyRow,
    View,
    hands_for,
)
from games.engine.tricks import Tricks


class Tresette:
    """The site's Tresette."""

    id = "tresette"
    players: tuple[int, ...] = (2, 4)
    options: Mapping[str, Option] = MappingProxyType(
        {
            "vinco_subito": NOT_YET_OFFERED,
            "accuso": NOT_YET_OFFERED,
            "cappotto": NOT_YET_OFFERED,
            "dichiarazioni": NOT_YET_OFFERED,
            "carte_viste": NOT_YET_OFFERED,
            "carte_scoperte": NOT_YET_OFFERED,
            "ko_tie": Option("rulebook", ("rulebook", "deals"), ("rulebook", "deals")),
        }
    )

    def check(self, setup: Setup) -> None:
        """Nothing beyond what ``match.check`` looks at: ``ko_tie`` may stand anywhere."""

    def level(self, setup: Setup) -> Level:
        """G7, but a KO's deals match is decided by the last trick unless the organiser chose otherwise (T8)."""
        if setup.context != "ko":
            return "draw"
        by_deals = setup.options.get("ko_tie", "rulebook") == "deals"
        return "last_trick" if setup.length.kind == "deals" and not by_deals else "tie_breaks"

    def deal(self, setup: Setup, deck: Sequence[int], dealer: int) -> Tricks:
        """T1."""
        return tricks.deal(deck, setup.players, dealer)

    def void(self, state: Tricks) -> bool:
        """Never."""
        return False

    def turn(self, state: Tricks) -> int | None:
        """T2."""
        return state.turn if state.turn >= 0 else None

    def legal(self, state: Tricks) -> tuple[Move, ...]:
        """T2."""
        return tricks.plays(state)

    def play(self, state: Tricks, move: Move) -> Tricks:
        """T2, T3, and the draws of T1."""
        return tricks.play(state, move)

    def tally(self, state: Tricks) -> Tally:
        """T4: each line's thirds rounded down, and a point for the last trick."""
        cards = tricks.whole_points(state)
        last_taker = state.taker % 2
        last: Points = (0, 1) if last_taker else (1, 0)
        rows = (
            TallyRow("thirds", tricks.of_lines(state.thirds), cards),
            TallyRow("last_trick", last, last),
        )
        return Tally((cards[0] + last[0], cards[1] + last[1]), rows, last_taker)

    def forfeited(self, state: Tricks, line: int) -> Points:
        """T11."""
        return tricks.broken_off(tricks.whole_points(state), line)

    def last(self, state: Tricks) -> Last | None:
        """The trick before, shown until the next one is complete."""
        return tricks.last_trick(state)

    def view(self, state: Tricks, seat: int | None) -> View:
        """The seat's own hand, the running trick, the one before with what was drawn after it (T1), and counts."""
        players = len(state.hands)
        ours, theirs = tricks.of_lines(state.tricks)
        turn = self.turn(state)
        return View(
            seat=seat,
            turn=turn,
            hands=hands_for(seat, state.hands),
            table=tricks.open_trick(state),
            stock=len(state.stock),
            piles=(PileView(ours * players, ours, 0), PileView(theirs * players, theirs, 0)),
            last=tricks.last_trick(state),
            legal=tricks.plays(state) if turn is not None and turn == seat else (),
        )
