"""What every Italian card game is to the rest of the house: the Ruleset protocol, Move, View and their errors.

It decides nothing about any game. Seats are numbered anticlockwise (G2); lines are 0 and 1; everything here is
immutable and knows no clock, no dice and no web. Words for people are given at the edge, from the codes used here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

from games.engine.cards import DECK_SIZE, cards_in

Context = Literal["free", "ko", "round_robin"]
LengthKind = Literal["deals", "points"]
Points = tuple[int, int]
Level = Literal["draw", "tie_breaks", "last_trick"]


def added(points: Points, line: int, more: int) -> Points:
    """The points with so many more for one line."""
    return (points[0], points[1] + more) if line else (points[0] + more, points[1])


class IllegalMove(Exception):
    """A move the rules refuse (G10). ``code`` is one of the closed list in games/words.py."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class HeaderError(Exception):
    """A match that may not be played as described: unknown option, length not allowed, wrong number of players…

    ``code`` is one of the closed list in games/words.py.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Move(NamedTuple):
    """One move of the record. ``takes`` is the bit mask of the table cards captured; ``arg`` is any other argument."""

    seat: int
    verb: str
    card: int = -1
    takes: int = 0
    arg: str = ""


SEATS = 4
# PLAYS[seat][card]: the play that takes nothing, made once.
PLAYS: tuple[tuple[Move, ...], ...] = tuple(
    tuple(Move(seat, "play", card) for card in range(DECK_SIZE)) for seat in range(SEATS)
)


class Option(NamedTuple):
    """An option of a ruleset as the record format knows it: the value when left out, all values, those on offer."""

    default: bool | str
    values: tuple[bool | str, ...]
    offered: tuple[bool | str, ...]


NOT_YET_OFFERED = Option(default=False, values=(False, True), offered=(False,))


class Length(NamedTuple):
    """Match length (G6): so many deals, or so many points."""

    kind: LengthKind
    value: int


@dataclass(frozen=True, slots=True)
class Setup:
    """What a match is played by, frozen before its first card."""

    ruleset: str
    players: int
    length: Length
    context: Context
    options: Mapping[str, Any]
    first_dealer: int


@dataclass(frozen=True, slots=True)
class HandView:
    """A hand as one viewer knows it: how many cards, and those the viewer may see."""

    count: int
    cards: tuple[int, ...] = field(repr=False)  # N2: no log shows a hand


def hands_for(seat: int | None, hands: Sequence[int]) -> tuple[HandView, ...]:
    """The hands, given as masks, as ``seat`` (None: a spectator) knows them: its own cards, the others' number."""
    return tuple(
        [HandView(hand.bit_count(), tuple(cards_in(hand)) if owner == seat else ()) for owner, hand in enumerate(hands)]
    )


class TableCard(NamedTuple):
    """A card lying open; ``seat`` played it, or None where nobody's name is on it (Scopa's table)."""

    card: int
    seat: int | None


class PileView(NamedTuple):
    """What a line has taken in this deal: cards, tricks, scope. All three are public."""

    cards: int
    tricks: int
    scope: int


class Last(NamedTuple):
    """What was last seen on the table: a whole trick (Tresette) or one play (Scopa)."""

    cards: tuple[TableCard, ...]  # the trick in playing order, or the one card played
    takes: tuple[int, ...]  # table cards captured with it
    taker: int | None  # the seat that took, None after a discard
    scopa: bool
    drawn: tuple[TableCard, ...]  # cards drawn and shown after the trick (T1)


@dataclass(frozen=True, slots=True)
class View:
    """A running deal as one seat (None: a spectator) may see it: built up from what it may know, never stripped."""

    seat: int | None
    turn: int | None  # the seat to move, None when the deal is over
    hands: tuple[HandView, ...]  # one a seat
    table: tuple[TableCard, ...]
    stock: int
    piles: tuple[PileView, PileView]
    last: Last | None
    legal: tuple[Move, ...] = field(repr=False)  # plays and calls of the viewing seat; () when it is not its turn
    turned: int | None = None  # turned up for the whole deal (a trump card); under the stock while there is one


class TallyRow(NamedTuple):
    """One line of the count at the end of a deal: what was compared, and the points it gave each line."""

    code: str
    values: Points
    points: Points


@dataclass(frozen=True, slots=True)
class Tally:
    """The count of a finished deal."""

    points: Points
    rows: tuple[TallyRow, ...]
    last_taker: int | None  # the line that took the last trick or made the last capture


class Ruleset(Protocol):
    """One rulebook. Stateless; the deal's state is an immutable value only the ruleset itself looks into."""

    @property
    def id(self) -> str:
        """The ruleset's name in code, records and API."""

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players it is played by."""

    @property
    def options(self) -> Mapping[str, Option]:
        """The options the record format lists for it, by name."""

    def check(self, setup: Setup) -> None:
        """Raise HeaderError for what only this ruleset refuses; known options and V4's lengths are checked already."""

    def level(self, setup: Setup) -> Level:
        """What becomes of a match that is level at its regular end (G7, T8)."""

    def deal(self, setup: Setup, deck: Sequence[int], dealer: int) -> Any:
        """The state after dealing (G4); ``deck`` holds the forty cards and is consumed top first."""

    def void(self, state: Any) -> bool:
        """Whether the deal isn't scored and is dealt again (G5)."""

    def turn(self, state: Any) -> int | None:
        """The seat to move, None when the deal is over."""

    def legal(self, state: Any) -> Sequence[Move]:
        """Every move of the seat to move; none when the deal is over."""

    def play(self, state: Any, move: Move) -> Any:
        """The state after ``move``; IllegalMove if it isn't one of ``legal``."""

    def tally(self, state: Any) -> Tally:
        """The count of a finished deal."""

    def forfeited(self, state: Any, line: int) -> Points:
        """Each line's points of the broken deal after the penalty (T11, S9), ``line`` being the offender."""

    def last(self, state: Any) -> Last | None:
        """What was last seen on the table, None before the first play (Scopa) or trick (Tresette)."""

    def view(self, state: Any, seat: int | None) -> View:
        """What ``seat`` (None: a spectator) may know."""
