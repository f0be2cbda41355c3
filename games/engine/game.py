"""The interface of every Italian card game: the Ruleset protocol, Move, View and their errors.

It decides nothing about any game. Seats are numbered anticlockwise (G2); lines are 0 and 1; everything here is
immutable and knows no clock, no dice and no web. Words for people are given at the edge, from the codes used here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal, NamedTuple, Protocol

from games.engine.cards import DECK_SIZE, list_cards

Context = Literal["free", "ko", "round_robin"]
LengthKind = Literal["deals", "points"]
Points = tuple[int, int]
Level = Literal["draw", "tie_breaks", "last_trick"]


def add_points(points: Points, line: int, more: int) -> Points:
    """Return the points with so many more for one line."""
    return (points[0], points[1] + more) if line else (points[0] + more, points[1])


class IllegalMove(Exception):
    """A move the rules refuse (G10). ``code`` is one of the closed list in games/wording.py."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class HeaderError(Exception):
    """A match that may not be played as described: unknown option, length not allowed, wrong number of players.

    ``code`` is one of the closed list in games/wording.py.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class GameMove(NamedTuple):
    """Move of the record. ``takes`` is the bit mask of the table cards captured; ``arg`` is any other argument."""

    seat: int
    verb: str
    card: int = -1
    takes: int = 0
    arg: str = ""


SEATS = 4
THREE = 3  # three players sit at four hands: the lone player's seat 0 also plays seat 2, the morto (M3)


def count_hands(players: int) -> int:
    """Return the number of hands dealt: one a player, four where three play (M3)."""
    return SEATS if players == THREE else players


def controlling_seat(seat: int, players: int) -> int:
    """Return the seat of the player who plays the cards of ``seat``: its own, seat 0 for the morto (M3)."""
    return 0 if players == THREE and seat % 2 == 0 else seat


def list_seats(players: int) -> tuple[int, ...]:
    """List the seats at which people sit: all, but for the morto's (M3)."""
    return tuple(seat for seat in range(count_hands(players)) if controlling_seat(seat, players) == seat)


# PLAYS[seat][card]: the play that takes nothing, made once.
PLAYS: tuple[tuple[GameMove, ...], ...] = tuple(
    tuple(GameMove(seat, "play", card) for card in range(DECK_SIZE)) for seat in range(SEATS)
)


class Option(NamedTuple):
    """An option of a ruleset as the record format knows it: the value when left out, and all values."""

    default: bool | str
    values: tuple[bool | str, ...]


SWITCH = Option(default=False, values=(False, True))


class Length(NamedTuple):
    """Match length (G6): so many deals, or so many points."""

    kind: LengthKind
    value: int


@dataclass(frozen=True, slots=True)
class Setup:
    """Setup of a match, frozen before its first card. ``handicap``: the points each line starts with (L7)."""

    ruleset: str
    players: int
    length: Length
    context: Context
    options: Mapping[str, Any]
    first_dealer: int
    handicap: Points = (0, 0)


@dataclass(frozen=True, slots=True)
class HandView:
    """A hand as one viewer knows it: how many cards, and those the viewer may see."""

    count: int
    cards: tuple[int, ...] = field(repr=False)  # N2: no log shows a hand


@lru_cache(maxsize=8192)
def show_hand(count: int, cards: int) -> HandView:
    """Return a hand of so many cards, of which the viewer knows those of a mask; made once, for hands change slowly."""
    return HandView(count, tuple(list_cards(cards)))


def show_hands(seat: int | None, hands: Sequence[int]) -> tuple[HandView, ...]:
    """Return the hands, given as masks, as ``seat`` (None: a spectator) knows them: its own cards, the others'
    number."""
    return tuple([show_hand(hand.bit_count(), hand if owner == seat else 0) for owner, hand in enumerate(hands)])


class TableCard(NamedTuple):
    """A card lying open; ``seat`` played it, or None where nobody's name is on it (Scopa's table)."""

    card: int
    seat: int | None


class PileView(NamedTuple):
    """Counts of what a line has taken in this deal: cards, tricks, scope. All three are public."""

    cards: int
    tricks: int
    scope: int


class HeardCall(NamedTuple):
    """Call as everybody heard it. ``cards`` are those it names, ``held`` how many of the suit a *Ho* told (T10).

    It was said in trick number ``trick`` of the deal, from 0, when ``place`` cards of that trick lay on the table.
    """

    seat: int
    verb: str
    arg: str = ""
    cards: tuple[int, ...] = ()
    held: int = 0
    trick: int = 0
    place: int = 0


class Last(NamedTuple):
    """Cards last seen on the table: a whole trick (Tresette) or one play (Scopa)."""

    cards: tuple[TableCard, ...]  # the trick in playing order, or the one card played
    takes: tuple[int, ...]  # table cards captured with it
    taker: int | None  # the seat that took, None after a discard
    scopa: bool
    drawn: tuple[TableCard, ...]  # cards drawn and shown after the trick (T1)


@dataclass(frozen=True, slots=True)
class View:
    """Running deal as one seat (None: a spectator) may see it: built up from what it may know, never stripped."""

    seat: int | None
    turn: int | None  # the seat to move, None when the deal is over
    hands: tuple[HandView, ...]  # one a seat
    table: tuple[TableCard, ...]
    stock: int
    piles: tuple[PileView, PileView]
    last: Last | None
    legal: tuple[GameMove, ...] = field(
        repr=False
    )  # plays and calls the viewer may make now, the morto's included (M3)
    turned: int | None = None  # turned up for the whole deal (a trump card); under the stock while there is one
    calls: tuple[HeardCall, ...] = ()  # those everybody heard and may still read, in order
    credited: Points = (0, 0)  # points of this deal that calls have brought each line so far
    seen: tuple[int, ...] = ()  # carte viste (T12, S10): the cards of earlier tricks or hands of this deal


class DealEnding(NamedTuple):
    """A deal that ends the match, whatever the score (T9, C5, C6): the line that wins it, how, and the stakes."""

    line: int
    decided_by: str
    stakes: int = 1


class TallyRow(NamedTuple):
    """Row of the count of a deal: the values compared, the points for each line, and the cards of each line that made
    it, where the values don't say them (the primiera's).

    ``part``: its values are a part of a later row's, and worth nothing by themselves.
    """

    code: str
    values: Points
    points: Points
    cards: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    part: bool = False


def add_up_rows(rows: Sequence[TallyRow]) -> Points:
    """Return the points of both lines over all rows of a count."""
    return (sum([row.points[0] for row in rows]), sum([row.points[1] for row in rows]))


@dataclass(frozen=True, slots=True)
class Tally:
    """Count of a finished deal."""

    points: Points
    rows: tuple[TallyRow, ...]
    last_taker: int | None  # the line that took the last trick or made the last capture
    ending: DealEnding | None = None  # set where the deal decides the match
    whole: bool = True  # False: broken off by a call (T9, C5) or a forfeit (T11, S9)
    calls: tuple[HeardCall, ...] = ()  # those that could still be read at its end, the one that broke it off included


ScoreChoices = frozenset[Points]  # what a row of the count may give both lines, one of these


class EndingScores(NamedTuple):
    """A ``DealEnding`` by its code, and what its deal may give: the sum of one of each, the winner's points first.

    ``at_target``: its winner has the target by then, and no tie-break deal ends so (T9).
    """

    code: str
    choices: tuple[ScoreChoices, ...]
    at_target: bool = False


class DealScores(NamedTuple):
    """Totals that a deal may give both lines: the sum of one of each of ``whole``; and what those give that end the
    match."""

    whole: tuple[ScoreChoices, ...]
    endings: tuple[EndingScores, ...] = ()


class MatchTerms(NamedTuple):
    """Terms of a match beyond its deals, as the ruleset sets them."""

    level: Level = "draw"  # what becomes of a match that is level at its regular end (G7, T8, A2)
    fewest_wins: bool = False  # the line with fewer points wins (A1)
    extra_stake: bool = False  # a line left without a point in a deal gives the other an extra stake (T6)
    opening_calls: bool = False  # anybody may call before a deal's first card, which waits at a live table (C2, C5)
    card_points: bool = False  # the score counts deals won, and doesn't say by how many points of cards (BR4)
    most_stakes: int = 1  # the stakes that the match's end may be worth at most (C5, C6)


# What the players have switched on (X1): for each seat the verbs the system calls for it.
AutomaticCalls = Sequence[frozenset[str]]
AUTOMATIC = ("out", "accuso", "declare")
GO_WITH_CARD = frozenset({"declare", "signal"})  # at a live table they go out together with a card (T10, C3)


class Ruleset(Protocol):
    """Rulebook of a game. It has no state; the state of a deal is an immutable value that only the ruleset looks
    into."""

    @property
    def id(self) -> str:
        """Name of the ruleset in code, records and API."""

    @property
    def players(self) -> tuple[int, ...]:
        """Numbers of players it is played by."""

    @property
    def options(self) -> Mapping[str, Option]:
        """Options the record format lists for it, by name."""

    def check(self, setup: Setup) -> None:
        """Raise HeaderError for what only this ruleset refuses; known options and V4's lengths are checked already."""

    def terms(self, setup: Setup) -> MatchTerms:
        """Return the terms of a match set up so: ties, which line wins, stakes."""

    def scores(self, setup: Setup) -> DealScores:
        """Return the scores a deal may give, so that a referee's points can be held against them (F2)."""

    def deal(self, setup: Setup, deck: Sequence[int], dealer: int, score: Points | None = None) -> Any:
        """Deal (G4); ``deck`` holds the forty cards and is consumed top first.

        ``score`` is what each line has from earlier deals; None in a tie-break deal, where nobody calls out (T9).
        """

    def void(self, state: Any) -> bool:
        """Return whether the deal isn't scored and is dealt again (G5)."""

    def turn(self, state: Any) -> int | None:
        """Return the seat to move, None when the deal is over."""

    def legal(self, state: Any) -> Sequence[GameMove]:
        """List every move that may be made now, calls of seats that aren't to move included; none when the deal is
        over."""

    def automatic(self, state: Any, wanted: AutomaticCalls, play: GameMove | None = None) -> Sequence[GameMove]:
        """List the calls the system makes now, in order (X1, M4, C4), each one legal after those before it.

        With ``play``: those that go out together with that card, before it (T10).
        """

    def play(self, state: Any, move: GameMove) -> Any:
        """Return the state after ``move``; IllegalMove if it isn't one of ``legal``."""

    def tally(self, state: Any) -> Tally:
        """Count a finished deal, or one that a call has ended (T9, C5)."""

    def tally_forfeit(self, state: Any, line: int) -> Tally:
        """Count a deal broken off by the offender ``line``, penalty included (T11, S9)."""

    def last(self, state: Any) -> Last | None:
        """Return the last trick or play on the table, None before the first play (Scopa) or trick (Tresette)."""

    def view(self, state: Any, seat: int | None) -> View:
        """Return the deal as ``seat`` (None: a spectator) may know it."""
