"""The structures that pages, the API and sockets show: plain values, read by ``pages`` and ``lists``."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from scoring import vp
from scoring.standings import TieBreakReason
from scoring.tiebreaks import SHARE, WINS, Number, read_order
from tournaments.core.result import FixtureResult
from tournaments.core.states import ENTERING
from tournaments.formats import FORMATS
from tournaments.models import LogEntry, Tournament


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An entry as everybody sees it (E1). ``seed`` is None before the draw.

    ``people``: the names beside a team's (O12): of all of it, in a fixture of whoever plays it; others are called by
    them. ``pending``: a pair whose second hasn't said yes; whom it asks is nobody else's business.
    """

    entry_id: int
    name: str
    seed: int | None
    house: bool
    guest: bool
    player_ids: tuple[int, ...]
    pending: bool = False
    placed: int | None = None  # by the organiser, before the draw
    approved: bool = True  # False: the organiser hasn't answered yet (E3)
    waits: bool = False  # on the waiting list
    checked_in: bool = False  # all of its players but the house's have (E4)
    group: int | None = None  # from 1, where there are groups (Q1)
    withdrawn: bool = False  # left or expelled after the draw (R5)
    withdrawn_after: int | None = None  # how many results it had then
    expelled: bool = False
    full_name: str = ""  # of minors too, who everybody else is shown by initials: for whoever runs the tournament (I1)
    fixed_table: int | None = None  # at real tables: it always plays there (O3)
    person_ids: tuple[int, ...] = ()  # of its people, in the order of their names
    side: str = ""  # A or B, where pairs are drawn of two lists (EV2)
    tie: int | None = None  # until pairs are drawn: of two who stay one, the same (EV2)
    by_self: bool = False  # its people entered by themselves, without an account (O2)
    people: tuple[str, ...] = ()
    # The names of its people with the public ids of their pages; "" for whoever was typed by name.
    linked: tuple[tuple[str, str], ...] = ()
    # The same people, each apart: the name, what tells it from a namesake's (a club, a number), the id of the page.
    persons: tuple[tuple[str, str, str], ...] = ()
    team: str = ""  # the name of a team (O12)
    # The faces of its people: the code of a figure, the letter of whoever has no account, or "" for a forgotten one.
    faces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FixtureRow:
    """A fixture. ``state`` is a ``Fixture.State``; ``table`` the match's public id once it was opened.

    ``live`` says whether it is being played now; ``mine`` whether the reader sits or will sit there.
    """

    id: int
    round: int
    board: int
    first: EntryRow | None
    second: EntryRow | None
    state: str
    opens_at: datetime | None
    table: str | None
    live: bool
    mine: bool
    result: FixtureResult
    group: int | None = None  # from 1, where there are groups (Q1)
    annulled: bool = False  # its result counts for nobody (R5, F2)
    ahead: str = ""  # who wants to play it before its hour (R6): the reader ("own"), the other side ("other")
    ruled: bool = False  # its result is a referee's (F2)
    unconfirmed: bool = False  # its result is one telephone's (O4)
    wave: int | None = None  # at real tables (O3), from 1
    hall_table: int | None = None  # the number of the real table (O3)
    moved: bool = False  # from the site to a real table (O1)
    part: int = 0  # 1 or 2: of two tables (O12), whose MP and VP are those of both together
    tables: tuple["FixtureRow", ...] = ()  # the two, where they are taken together
    is_shown: bool = True  # False: nobody is told its result before its round is over (J12)
    cards: tuple[int, int] | None = None  # card points, where the score counts deals (BR4)

    @property
    def displaced_entry(self) -> EntryRow | None:
        """The one of the two that has a fixed table and doesn't play there: the other has one, too (O3)."""
        sides = (side for side in (self.first, self.second) if side is not None and side.fixed_table is not None)
        if self.hall_table is None:
            return None
        first = self.hall_table - (self.part == 2)
        own = (first, first + 1) if self.part else (first,)  # of two tables the team has one (O12)
        return next((side for side in sides if side.fixed_table not in own), None)

    @property
    def points(self) -> tuple[int, int] | None:
        return self.result.points

    @property
    def mp(self) -> tuple[int, int] | None:
        return self.result.mp

    @property
    def vp(self) -> tuple[int, int] | None:
        return self.result.vp

    @property
    def winner(self) -> int | None:
        return self.result.winner

    @property
    def forfeit_by(self) -> int | None:
        return self.result.forfeit_by

    @property
    def double_forfeit(self) -> bool:
        return self.result.double_forfeit

    @property
    def decided_by(self) -> str:
        return self.result.decided_by


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A round. ``name`` is a code of the format's: final, third_place, semifinal, quarterfinal, upper_2, lower_final,
    decider … or round (said with its number)."""

    number: int
    name: str
    finished: bool
    fixtures: tuple[FixtureRow, ...]
    opens_at: datetime | None = None  # where rounds have an hour of their own (R6)


@dataclass(frozen=True, slots=True)
class RankedEntry:
    """A row of the standings.

    ``rank`` counts every entry. House players are ranked out of competition (E8): ``out_of_competition`` is True and
    ``place`` None for them; a person's ``place`` counts only the people's entries, and is None where there is but one:
    alone one is ahead of nobody. Both are None while undecided (KO). Readers see the ``place``; the house has none.
    """

    entry: EntryRow
    rank: int | None
    place: int | None
    out_of_competition: bool
    played: int
    won: int
    drawn: int
    lost: int
    mp: int
    vp: int
    separation: TieBreakReason | None
    mine: bool
    percentage: Fraction | None = None  # the mean of its rounds, 1 for 100 % (J10)
    wins: Number | None = None  # with halves for draws, where they come first (EV10)


@dataclass(frozen=True, slots=True)
class Cell:
    """Square of the cross table: a fixture from the side of the row's entry. None where it isn't played yet.

    ``annulled``: the result counts for nobody, and is in no sum (R5, F2).
    """

    points: tuple[int, int] | None
    vp: int | None
    table: str | None
    annulled: bool = False
    played_by: str = ""  # the two entries as they were, where somebody has been replaced since (F2)
    cards: tuple[int, int] | None = None  # card points, where the result counts deals (BR4)


@dataclass(frozen=True, slots=True)
class CrossRow:
    """A row of the cross table. ``vp`` is the sum of its squares that count, and of ``bye``: the VP of a bye (D1)."""

    entry: EntryRow
    cells: tuple[tuple[Cell, ...], ...]  # one group a column, in the rows' order; () on the diagonal
    vp: int = 0
    bye: int | None = None


@dataclass(frozen=True, slots=True)
class Invitation:
    """A pair that asks the reader by name to be its second."""

    entry_id: int
    by: str
    tournament: Tournament


@dataclass(frozen=True, slots=True)
class InvitationToPlay:
    """An invitation to the reader, by whoever runs or referees a tournament (E3). ``kind`` is a
    ``PlayInvitation.Kind``.

    ``accepted``: the reader has, and their ``partners`` haven't yet; ``replaces``: whose place they would take (F2).
    """

    invitation_id: int
    kind: str
    by: str
    tournament: Tournament
    partners: tuple[str, ...]
    replaces: str
    accepted: bool
    until: datetime | None
    team: str = ""  # the name of the team that it is to (J11)
    own: bool = False  # the reader's own team, which waits for the others
    agreed: tuple[str, ...] = ()  # the names of those who have said yes


@dataclass(frozen=True, slots=True)
class InvitedRow:
    """An invitation as whoever runs the tournament sees it. ``outcome`` is empty while it is open."""

    invitation_id: int
    kind: str
    name: str
    outcome: str
    made_at: datetime
    until: datetime | None  # None: of a draft, nobody has been told
    ended_at: datetime | None
    agreed: tuple[str, ...]  # the names of those who have said yes


@dataclass(frozen=True, slots=True)
class Waiting:
    """The reader's own pair without a second: whom it asks by name, or the link's token; until when, None: the draw."""

    asks: str | None
    token: str
    until: datetime | None


@dataclass(frozen=True, slots=True)
class PageRequest:
    """The part of a big tournament that a reader asks for.

    Of the round ``turn`` (None: the current one), or of the list of entries, the page ``number``; only entries with a
    player whose name contains ``name``, if given.
    """

    turn: int | None = None
    number: int = 1
    name: str = ""


@dataclass(frozen=True, slots=True)
class ListPage:
    """Page ``number`` of ``pages`` of a list of ``total`` rows; ``name``: of those with it in theirs."""

    number: int
    pages: int
    total: int
    name: str


@dataclass(frozen=True, slots=True)
class Replacement:
    """An entry's player who went, and who came in their place (F2), by their names."""

    entry_id: int
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Part:
    """The one round of a big tournament that is drawn.

    ``own``: the reader's fixture that is being played, or their next one; ``to_the_end``: the later rounds are drawn
    with it, as a bracket. ``replaced``: who went among those with the name that is looked for.
    """

    turn: RoundRow
    sheet: ListPage
    own: FixtureRow | None
    to_the_end: bool = False
    replaced: tuple[Replacement, ...] = ()


@dataclass(frozen=True, slots=True)
class PageHeader:
    """The tournament itself, and how many are in it."""

    tournament: Tournament
    total: int  # entries that have a place
    people: int  # of them, those that aren't the house's
    tables_open: int
    held: int = 0  # places that open invitations hold (E3)

    @property
    def is_bracket(self) -> bool:
        """Tell whether rounds are drawn as a bracket (KO), else as lists with a cross table."""
        return FORMATS[self.tournament.format].is_bracket

    @property
    def defeats(self) -> int | None:
        """Number of defeats that put an entry out, wherever they come (EV4); None where not everybody can be out."""
        return FORMATS[self.tournament.format].defeats

    @property
    def has_vp(self) -> bool:
        """Tell whether results are worth VP."""
        return FORMATS[self.tournament.format].has_vp

    @property
    def has_margins(self) -> bool:
        """Tell whether VP follow margins, or games won (EV1); else a room reads who won how often (EV12)."""
        return vp.has_margins(self.tournament.ruleset) or self.tournament.game_counts.games > 1

    @property
    def has_percentages(self) -> bool:
        """Tell whether the standings go by percentages (J10)."""
        return SHARE in read_order(self.tournament.tie_break).criteria

    @property
    def has_wins(self) -> bool:
        """Tell whether the standings go by matches won, with halves for draws (EV10)."""
        return read_order(self.tournament.tie_break).criteria[0] == WINS

    @property
    def takes_entries(self) -> bool:
        """Tell whether one may enter and leave (E2)."""
        return self.tournament.state in ENTERING

    @property
    def starts_when_full(self) -> bool:
        """Tell whether it begins by itself as soon as the last place is taken."""
        tournament = self.tournament
        waits = tournament.starts_at is None and not tournament.publishes_rounds
        return waits and tournament.venue.runs_by_clock

    @property
    def counts_hundreds(self) -> bool:
        """Tell whether there are a hundred places or more, which takes smaller figures."""
        return self.tournament.max_entries > 99

    @property
    def free(self) -> int:
        """Return how many places are neither taken nor held."""
        return max(0, self.tournament.max_entries - self.total - self.held)

    @property
    def full(self) -> bool:
        """Tell whether every place is taken or held: one may wait for one."""
        return not self.free


@dataclass(frozen=True, slots=True)
class PageViewer:
    """The reader of a tournament's page, and what they may do there."""

    own: EntryRow | None  # the reader's entry, whatever it waits for
    is_organiser: bool  # may run it
    is_referee: bool  # may referee it, though not where they play (F1)
    join_refusal: str | None  # None: the reader may join now; else a TournamentError code
    can_leave: bool
    checks_in: bool  # the reader is asked to say that they are there (E4)
    my_table: str | None  # public id of the reader's open table here
    next_fixture: FixtureRow | None  # the reader's next one, while none is open
    waiting: Waiting | None
    invitations: tuple[Invitation, ...]
    play_invitations: tuple[InvitationToPlay, ...]
    late_round: int | None = None  # from which they would play if they asked to come late (D2)
    late_asked: int = 0  # requests to come late, for whoever runs it
    claims: int | None = None  # without an answer, for whoever runs it (O2); None: nobody has claimed a name
    is_odd: bool = False  # would stay out if pairs were drawn now (EV2)
    watches: bool = True  # may watch the tables at which they don't sit, late at least (N4)

    @property
    def is_invited(self) -> bool:
        """Tell whether an invitation waits for their answer: another way in beside it would be one too many (E3)."""
        return any(not invitation.accepted or invitation.own for invitation in self.play_invitations)

    @property
    def entered(self) -> bool:
        """Tell whether the reader is in it, or asks to be."""
        return self.own is not None

    @property
    def is_in(self) -> bool:
        """Tell whether the reader has a place and nothing more is asked of them."""
        own = self.own
        has_place = own is not None and own.approved and not own.waits and not own.withdrawn
        return has_place and self.waiting is None and not self.checks_in

    @property
    def ways_apart(self) -> bool:
        """Tell whether the ways to enter need room of their own: a code to type, a pair that is being made."""
        return bool(self.waiting or self.invitations) or self.join_refusal == "code_needed"


@dataclass(frozen=True, slots=True)
class PageEntries:
    """The entries: by seed after the draw, before it in the order they came; of a big tournament the first of many."""

    rows: tuple[EntryRow, ...]
    waiting_list: tuple[EntryRow, ...]  # the first of it first (E3)
    applicants: tuple[EntryRow, ...]  # who waits for the organiser's answer: for whoever runs it, () for everybody else
    sheet: ListPage | None = None  # which of the entries are listed; None: all of them


@dataclass(frozen=True, slots=True)
class PageSchedule:
    """The rounds with their fixtures; of a big tournament with those that are drawn."""

    rounds: tuple[RoundRow, ...]
    live: tuple[FixtureRow, ...]
    part: Part | None = None  # what is drawn of the rounds of a big tournament; None: all of them


@dataclass(frozen=True, slots=True)
class PageStandings:
    """The standings, best first (of a big tournament the first of many), and everybody against everybody."""

    rows: tuple[RankedEntry, ...]
    cross: tuple[CrossRow, ...]


@dataclass(frozen=True, slots=True)
class LoggedClaim:
    """Claim as the log tells it (O2): the name and the account, each with the public id of its page or "", and the
    reason."""

    people: tuple[tuple[str, str], ...]
    reason: str


@dataclass(frozen=True, slots=True)
class TournamentPage:
    """The tournament's page for one reader: everything, or a part of a big one."""

    header: PageHeader
    viewer: PageViewer
    entries: PageEntries
    schedule: PageSchedule
    standings: PageStandings
    log: tuple[LogEntry, ...]
    claim_names: Mapping[int, LoggedClaim]  # by the id of a log entry about one (O2)


@dataclass(frozen=True, slots=True)
class Home:
    """The three lists of the front page. Each tournament carries ``entries_count`` and ``live_count``."""

    open: tuple[Tournament, ...]
    running: tuple[Tournament, ...]
    finished: tuple[Tournament, ...]
