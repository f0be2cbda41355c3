"""The Format protocol, and the plain values in which formats and services exchange draws, results and plans.

A format is a pure function: from the size of the field and every result so far it gives a whole plan: all
pairings, which of them may be played, the standings, whether it is over. It keeps no state, draws no lots, knows no
clock, no names and no database. Entries are their seeds: 1 is the best, and the draw has already given them out.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Literal, NamedTuple, Protocol, runtime_checkable

from scoring.standings import Game, StandingsRow, TieBreakReason

Context = Literal["ko", "round_robin"]
NOBODY_LEFT: Mapping[int, int] = MappingProxyType({})


class Slot(NamedTuple):
    """The position of a pairing: round and board, both from 1. It never moves, so results are kept by it."""

    round: int
    board: int


class Origin(NamedTuple):
    """The origin of a fixture's side: whoever wins another one, or loses it."""

    slot: Slot
    wins: bool


Origins = tuple[Origin, ...]  # of one side; of several all but one are empty from the draw on
Drawn = Mapping[Slot, tuple[int, int | None]]
NOTHING_DRAWN: Drawn = MappingProxyType({})
Clubs = tuple[frozenset[int], ...]  # of each seed, from 1 (EV9): two that share one are of one club
Swaps = tuple[tuple[int, int], ...]  # of seeds that change places, one after the other


class Kind(StrEnum):
    """The kind of a pairing."""

    MATCH = "match"  # two entries, known or still to come
    BYE = "bye"  # one entry goes on without playing (K2, K5)
    REST = "rest"  # one entry sits out (R1)
    VOID = "void"  # nobody can come to it (K5)
    ANNULLED = "annulled"  # of an entry that left before half: it counts for nobody, and stays visible (R5)


class WayOut(StrEnum):
    """The organiser's choice for a round that can't be paired as the rules want (D1)."""

    BYE = "bye"  # as few byes more as it takes, also for whoever has had one
    REMATCH = "rematch"  # as few rematches as it takes, in the last round alone
    END = "end"  # the tournament ends with the round before


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a fixture, seen from its first (0) and second (1) side.

    ``winner`` is None in a draw (round robin) and in a double forfeit. ``mp`` and ``vp`` are zero where the format has
    none. ``annulled``: a referee's (F2), over and counting for nobody. ``points``, ``forfeit_by`` and ``begun`` are
    those of ``scoring.tiebreaks.Game``. ``margin``: V1's, where a format asks for it; None after a forfeit.
    """

    winner: int | None
    double_forfeit: bool = False
    mp: tuple[int, int] = (0, 0)
    vp: tuple[int, int] = (0, 0)
    annulled: bool = False
    points: tuple[int, int] = (0, 0)
    forfeit_by: int | None = None
    begun: bool = True
    margin: int | None = None

    def make_game(self, first: int, second: int) -> Game:
        """Return the game that it is between two entries."""
        points, forfeit_by, begun = self.points, self.forfeit_by, self.begun
        return Game(first, second, self.winner, self.double_forfeit, self.mp, self.vp, points, forfeit_by, begun)


class Pairing(NamedTuple):
    """A fixture of the plan. ``first`` sits at seat 0 (R1); an entry is None while nobody knows it.

    ``ready``: a match whose entries are both known and whose turn has come (K4, R6), played or not. ``group`` from 1,
    where there are groups (Q1). ``worth``: MP and VP of a bye that has any (D1).
    """

    slot: Slot
    first: int | None
    second: int | None
    kind: Kind = Kind.MATCH
    ready: bool = False
    group: int | None = None
    worth: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """Values frozen at the draw (E6): the number of entries, the format's own options, the order of tie-breaks (R2).

    ``lot`` is a long random text drawn once: whatever is left to chance (K2, R2) is read from it, so it can be
    recomputed. ``bye`` is what a bye is worth, MP and VP (D1). ``timed``: rounds have hours of their own, so that a
    fixture whose entries are known waits for no other (R6). ``published``: a format that draws its rounds by the
    results pairs none after this one (D4); None: as many as it can. ``byes``: by round, the entries that don't play it,
    each with the MP and VP it gets for that (D2, D3). ``banned``: the pairs that are forbidden, in that order (D4).
    ``ways``: by round, what the organiser chose for the case that it can't be paired (D1).
    ``counted``: so many rounds are in the standings, whatever is known of later ones (J10); None: all. ``shares``: the
    mean percentages of those rounds (J10). ``clubs``: of each entry, where those of one club are kept apart (EV9).
    """

    size: int
    options: Mapping[str, bool | int] = field(default_factory=dict)
    tie_break: str = "standard"
    lot: str = ""
    bye: tuple[int, int] = (0, 0)
    timed: bool = False
    published: int | None = None
    byes: Mapping[int, Mapping[int, tuple[int, int]]] = field(default_factory=dict)
    banned: tuple[tuple[int, int], ...] = ()
    ways: Mapping[int, WayOut] = field(default_factory=dict)
    counted: int | None = None
    shares: Mapping[int, Fraction] = field(default_factory=dict)
    clubs: Clubs = ()

    def counts(self, number: int) -> bool:
        """Tell if a round is in the standings."""
        return self.counted is None or number <= self.counted


@dataclass(frozen=True, slots=True)
class Plan:
    """The whole tournament as a format sees it.

    ``names`` gives each round's code, from round 1; ``standings`` one row an entry, best first.

    ``contexts`` says how the matches of each round end, where they don't all end as the format's do; ``groups`` has the
    standings of each group (Q1), where there are groups. ``lifted``: the forbidden pairs without which the next round
    can't be paired, or was (D4). ``stuck``: the first round that surely can't be paired any more as things stand, and
    the ``ways`` out of which the organiser may choose one (D1).
    """

    pairings: tuple[Pairing, ...]
    names: tuple[str, ...]
    standings: tuple[StandingsRow, ...]
    finished: bool
    contexts: tuple[Context, ...] = ()
    groups: tuple[tuple[StandingsRow, ...], ...] = ()
    lifted: tuple[tuple[int, int], ...] = ()
    stuck: int | None = None
    ways: tuple[WayOut, ...] = ()


def gettext_noop(text: str) -> str:
    """Mark an Italian text of a format for translation; ``core.format_wording`` translates it."""
    return text


@dataclass(frozen=True, slots=True)
class OptionField:
    """An option as an organiser reads it, in Italian: its ``label`` and ``help_text`` in the form.

    ``fact`` is what the rules panel says where it is chosen, with ``%(value)s`` if it is a number. ``blank``: a number
    that may be left empty, and then is the format's to choose. ``needs``: the switch without which it means nothing; it
    is asked for below that one, where it is on.
    """

    label: str
    help_text: str
    fact: str
    blank: bool = False
    needs: str = ""


class OptionFault(NamedTuple):
    """The reason why a tournament can't have these options: a code of ``tournaments.core.errors`` and its values."""

    code: str
    values: Mapping[str, int | str]


class Format(Protocol):
    """Format of tournaments, one file in ``formats/``, found by the folder. Its module exposes it as ``FORMAT``.

    Texts are Italian, marked by ``gettext_noop``. In ``summary`` stand ``%(bye)s``, what a bye is worth, if at all.
    """

    id: str
    order: int  # its place among the choices of a form, the lowest first
    name: str
    short: str
    summary: str  # how one plays, for the rules panel
    leaving_text: str  # what becomes of a leaver's results and fixtures (R5, K5, D1)
    limit_text: str  # how many may enter, beside the field; with ``%(limit)d``
    limit: int  # the number in it (D5)
    option_fields: Mapping[str, OptionField]  # of those of its options that an organiser chooses
    pairs_everyone_at_draw: bool  # nobody is paired later whom the draw didn't pair
    context: Context  # of its matches (K3, D1), unless its plan says otherwise of a round
    has_vp: bool  # results count in VP, so the length must have a column (V4); in KO rounds they never do
    is_bracket: bool  # all its rounds are shown as one bracket
    defeats: int | None  # so many put an entry out, wherever they come; None: where somebody is out, or nobody
    options: Mapping[str, bool | int]  # its own, and their defaults
    ranges: Mapping[str, range]  # what those of its options that are numbers may be
    keeps_rounds: bool  # its rounds are drawn by the results before, and stay as they were drawn (F3)
    leaver_has: Literal["results", "rounds"]  # what ``leavers`` counts: the results an entry had, or the rounds drawn
    min_size: int
    max_size: int

    def check_options(self, options: Mapping[str, bool | int], size: int) -> OptionFault | None:
        """Return the reason why so many entries can't play by these options, or None. All options are given."""

    def freeze_options(self, options: Mapping[str, bool | int], size: int) -> Mapping[str, bool | int]:
        """Return the options as the draw of so many entries takes them, where fewer entered than planned (E6)."""

    def list_draw_examples(self) -> Mapping[str, Callable[[int], object]]:
        """Return the examples of ``manage.py draw`` by name: each makes JSON values from a number of entries."""

    def plan(
        self,
        draw: Draw,
        results: Mapping[Slot, Result],
        leavers: Mapping[int, int] = NOBODY_LEFT,
        drawn: Drawn = NOTHING_DRAWN,
    ) -> Plan:
        """Return the plan after these results. A result for a slot that isn't a ready match is an error.

        ``leavers``: the entries that left or were expelled, each with what it had then (``leaver_has``): results that
        count, or all its fixtures in the girone if none was open any more; or the rounds that were drawn. What they
        forfeit comes in as results, like any other; the plan says only what is annulled, and who isn't paired.
        ``drawn``: the pairs that are stored, None for a bye's empty side. A format that draws its rounds by the results
        leaves them as they are (F3); the others get the same from the results anyhow, and don't look.
        """


class ResultPath(Protocol):
    """The reach of some fixtures: the ``slots`` that can be others after them, and ``near`` those before them too."""

    @property
    def slots(self) -> frozenset[Slot]: ...

    @property
    def near(self) -> frozenset[Slot]: ...

    def plan(self, stored: Mapping[Slot, Pairing], results: Mapping[Slot, Result]) -> Plan:
        """Plan the ``slots`` again, and the standings of the entries ``near`` them, without separations; no names.

        ``stored`` has the fixtures ``near``, and of their entries whatever else they were paired in. ``Format.plan`` of
        all results says the same of them.
        """

    def separate(self, rank: int, below: int | None) -> TieBreakReason | None:
        """Return why an entry of a rank stands before the next one that has a rank (R3), None if there is none."""


@runtime_checkable
class PathFormat(Protocol):
    """A format in which a result touches few fixtures, wherever it falls: a bracket (K4).

    Without it everything is planned again after every result. Who leaves annuls nothing in such a format.
    """

    def follows_paths(self, options: Mapping[str, bool | int]) -> bool:
        """Tell if that is so by these options."""

    def find_path(self, options: Mapping[str, bool | int], rounds: int, changed: Iterable[Slot]) -> ResultPath:
        """Return what hangs on these fixtures, whose entries are known, in a tournament of so many rounds."""


@runtime_checkable
class FedFormat(Protocol):
    """A format whose fixtures get their entries from others than the two before them: those who lose go on, too."""

    def list_origins(self, names: Sequence[str]) -> Mapping[Slot, tuple[Origins, Origins]]:
        """Return where the sides of each fixture come from, in a tournament whose rounds have these names."""


@runtime_checkable
class ClubFormat(Protocol):
    """A format that keeps those of one club apart (EV9): by their places at the draw, or when it pairs a round."""

    def protects_clubs(self, options: Mapping[str, bool | int]) -> bool:
        """Tell if it does so by these options."""

    def part_clubs(self, draw: Draw) -> Swaps:
        """Return the seeds that change places at the draw, by ``Draw.clubs`` and by lot; none where rounds are paired
        by them."""

    def list_meetings(self, draw: Draw) -> Sequence[tuple[int, int]]:
        """Return the pairs of seeds that it keeps apart: those of the first round, or all of a group."""
