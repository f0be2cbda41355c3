"""Forms of the acts that make sense now, and what each does when it is sent and confirmed (F5)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Generic, TypeVar

from players.models import Player
from tournaments.core.draw_secret import find_reserve
from tournaments.core.errors import TournamentError
from tournaments.core.game_terms import GamesTerms
from tournaments.core.result import ResultTerms, find_context
from tournaments.core.rows import EntryRow, FixtureRow
from tournaments.desk import (
    clocks,
    comparison,
    reinstatement,
    results,
    substitution,
    undo,
)
from tournaments.desk.act import compute_stamp
from tournaments.desk.comparison_form import ComparisonForm
from tournaments.desk.forms import (
    LINES,
    ActForm,
    AnnulForm,
    ForfeitForm,
    GamesResultForm,
    LeaveForm,
    PauseAllForm,
    PauseForm,
    ReinstateForm,
    ReplaceForm,
    ReplayForm,
    ResultForm,
    ResumeAllForm,
    ResumeForm,
    ReturnForm,
    TimeForm,
    UndoForm,
)
from tournaments.desk.rehearsal import rehearse
from tournaments.desk.undo import LastEntry, read_last_entry
from tournaments.models import Fixture, Tournament
from tournaments.running import withdraw

About = dict[str, Any]  # what every service of the desk is called with
Sent = TypeVar("Sent", bound=ActForm)


@dataclass(frozen=True, slots=True)
class AtFixture:
    """A fixture as whoever looks at its desk has it. ``judges``: they may decide on it (F1); else they play there."""

    fixture: Fixture
    row: FixtureRow
    terms: ResultTerms
    player: Player
    judges: bool

    @property
    def tournament(self) -> Tournament:
        return self.fixture.round.tournament

    @property
    def is_paused(self) -> bool:
        return self.fixture.match is not None and self.fixture.match.paused_at is not None

    @property
    def is_open(self) -> bool:
        """Tell if it is still to be played."""
        return self.fixture.result_at is None and self.row.state in Fixture.OPEN

    @property
    def compares(self) -> bool:
        """Tell if its result may count for nobody, or its deals for no percentage: never where somebody goes on."""
        return find_context(self.tournament, self.fixture) != "ko"


@dataclass(frozen=True, slots=True)
class FixtureAct(Generic[Sent]):
    """A row of what can be done to a fixture: its form with the words, when it makes sense, and what does it. The
    keys of ``about`` are those of every service of the desk; ``more``: what the form has to be made with."""

    form: type[Sent]
    fits: Callable[[AtFixture], bool]
    apply: Callable[[Sent, About], object]
    more: Callable[[AtFixture], About] = lambda at: {}


FIXTURE_ACTS: list[FixtureAct[Any]] = [
    FixtureAct(
        ResumeForm,
        lambda at: at.judges and at.row.live and at.is_paused,
        lambda form, about: clocks.resume_clocks(**about),
    ),
    FixtureAct(
        PauseForm,
        lambda at: at.judges and at.row.live and not at.is_paused,
        lambda form, about: clocks.hold_clocks(**about),
    ),
    FixtureAct(
        TimeForm,
        lambda at: at.judges and at.row.live,
        lambda form, about: clocks.give_time(
            player_id=form.cleaned_data["player"], minutes=form.cleaned_data["minutes"], **about
        ),
        more=lambda at: {"fixture": at.fixture},
    ),
    FixtureAct(
        ResultForm,
        lambda at: at.judges and not isinstance(at.terms, GamesTerms),
        lambda form, about: results.set_result(decision=form.make_decision(), **about),
        more=lambda at: {"terms": at.terms},
    ),
    FixtureAct(
        GamesResultForm,
        lambda at: at.judges and isinstance(at.terms, GamesTerms),
        lambda form, about: results.set_result(decision=form.make_decision(), **about),
        more=lambda at: {"terms": at.terms, "stored": at.row.result},
    ),
    FixtureAct(
        ForfeitForm,
        lambda at: at.judges,
        lambda form, about: results.declare_forfeit(lines=LINES[form.cleaned_data["lines"]], **about),
    ),
    FixtureAct(
        ReplayForm,
        lambda at: at.judges and (bool(at.row.table) or at.fixture.result_at is not None),
        lambda form, about: results.order_replay(**about),
    ),
    FixtureAct(
        AnnulForm,
        lambda at: at.judges and at.compares and not at.row.annulled,
        lambda form, about: results.annul_result(**about),
    ),
    FixtureAct(
        ComparisonForm,
        lambda at: at.judges and at.compares and at.tournament.equal_deals,
        lambda form, about: comparison.rule_comparison(ruling=form.make_ruling(), **about),
        more=lambda at: {"fixture": at.fixture},
    ),
    FixtureAct(
        ReinstateForm,
        lambda at: at.judges and at.fixture.annulled,
        lambda form, about: results.restore_result(**about),
    ),
]


@dataclass(frozen=True, slots=True)
class AtTournament:
    """A tournament as its desk has it: the last result that the reader entered, whether all tables can be held or go
    on, and the entries that play and those that left."""

    tournament: Tournament
    last: LastEntry | None
    pauses: tuple[bool, bool]
    staying: Sequence[EntryRow]
    out: Sequence[EntryRow]


@dataclass(frozen=True, slots=True)
class TournamentAct(Generic[Sent]):
    """A row of what can be done to all tables or to an entry, as ``FixtureAct``. ``stays``: once sent it is shown with
    what came of it, whether or not it still makes sense; ``after_the_end``: also of a tournament that is over."""

    form: type[Sent]
    fits: Callable[[AtTournament], bool]
    apply: Callable[[Sent, About], object]  # False: somebody has to say yes first (E3)
    more: Callable[[AtTournament], About] = lambda at: {}
    stays: bool = False
    after_the_end: bool = False


def _remove_entry(form: LeaveForm, about: About) -> None:
    act, data = about["act"], form.cleaned_data
    withdraw.withdraw_entry(
        tournament_id=about["tournament_id"],
        entry_id=data["entry"],
        by=act.by,
        reason=data["reason"],
        now=act.now,
        expelled=data["expelled"],
    )


def _name_reserve(tournament: Tournament) -> str:
    """Return the name of whoever stayed out when pairs were drawn, and comes first (EV2); "" without one."""
    reserve = find_reserve(tournament)
    return "" if reserve is None else reserve.public_name


def _replace_person(form: ReplaceForm, about: About) -> bool:
    entry, person = form.cleaned_data["out"].split(" ")
    arguments = {"entry_id": int(entry), "name": form.cleaned_data["name"], **about}
    if form.enters_names:
        substitution.replace_typed_person(person_id=int(person), another=form.cleaned_data["another"], **arguments)
        return True
    return substitution.replace_player(player_id=int(person), **arguments)


TOURNAMENT_ACTS: list[TournamentAct[Any]] = [
    TournamentAct(
        UndoForm,
        lambda at: at.last is not None,
        lambda form, about: undo.undo_entry(entry_id=form.cleaned_data["entry"], **about),
        more=lambda at: {"last": at.last},
        stays=True,
        after_the_end=True,
    ),
    TournamentAct(
        PauseAllForm,
        lambda at: at.pauses[0],
        lambda form, about: clocks.hold_clocks(fixture_id=None, **about),
        stays=True,
    ),
    TournamentAct(
        ResumeAllForm,
        lambda at: at.pauses[1],
        lambda form, about: clocks.resume_clocks(fixture_id=None, **about),
        stays=True,
    ),
    TournamentAct(
        LeaveForm,
        lambda at: bool(at.staying),
        _remove_entry,
        more=lambda at: {"entries": at.staying},
    ),
    TournamentAct(
        ReturnForm,
        lambda at: bool(at.out),
        lambda form, about: reinstatement.reinstate_entry(entry_id=form.cleaned_data["entry"], **about),
        more=lambda at: {"entries": at.out},
        after_the_end=True,
    ),
    TournamentAct(
        ReplaceForm,
        lambda at: bool(at.staying),
        _replace_person,
        more=lambda at: {
            "entries": at.staying,
            "enters_names": at.tournament.venue.enters_names,
            "reserve": _name_reserve(at.tournament),
        },
    ),
]


def register_acts(*acts: FixtureAct[Any], before: type[ActForm]) -> None:
    """Put the acts of a higher room among the desk's own, before that one."""
    place = next(number for number, act in enumerate(FIXTURE_ACTS) if act.form is before)
    FIXTURE_ACTS[place:place] = acts


def apply_sent(
    forms: Iterable[ActForm],
    tournament: Tournament,
    by: Player,
    apply: Callable[[ActForm], object],
    about: Fixture | None = None,
) -> bool:
    """Do what the form that was sent and confirmed says. Return False where none was, or where it shows why it was
    refused, or what it would do (F5).

    Refused because the fixture it is ``about`` has changed meanwhile, it can be sent again as it is (O13).
    """
    form = next((form for form in forms if form.is_bound), None)
    if form is None or not form.is_valid():
        return False
    try:
        if not form.is_confirmed:
            form.consequences = rehearse(tournament, by, partial(apply, form))
            return False
        apply(form)
    except TournamentError as error:
        form.refuse(error)
        if about is not None and error.code == "fixture_changed":
            form.renew_stamp(compute_stamp(Fixture.objects.get(pk=about.pk)))
        return False
    return True


def apply_to_fixture(form: ActForm, tournament: Tournament, fixture: Fixture, by: Player, now: datetime) -> None:
    """Do what a form about a fixture says."""
    row = next(row for row in FIXTURE_ACTS if type(form) is row.form)
    row.apply(form, {"tournament_id": tournament.pk, "fixture_id": fixture.pk, "act": form.make_act(by, now)})


def apply_to_tournament(form: ActForm, tournament: Tournament, by: Player, now: datetime) -> bool:
    """Do what a form about all tables, or about an entry, says. Return False if somebody has to say yes first (E3)."""
    row = next(row for row in TOURNAMENT_ACTS if type(form) is row.form)
    return row.apply(form, {"tournament_id": tournament.pk, "act": form.make_act(by, now)}) is not False


def build_fixture_forms(data: Mapping[str, Any] | None, at: AtFixture) -> list[ActForm]:
    """Return the forms of what the reader may do to a fixture now, in the order of the rows; the one that was sent is
    bound."""
    assert at.row.first is not None
    assert at.row.second is not None
    names, stamp = (at.row.first.name, at.row.second.name), compute_stamp(at.fixture)
    what = None if data is None else data.get("what")
    return [
        act.form(data if act.form.what == what else None, names=names, stamp=stamp, **act.more(at))
        for act in FIXTURE_ACTS
        if act.fits(at)
    ]


def build_tournament_forms(
    data: Mapping[str, Any] | None, tournament: Tournament, player: Player, entries: Sequence[EntryRow]
) -> list[ActForm]:
    """Return the forms about all tables and about entries that make sense now, in the order of the rows, and the one
    that was sent, bound.

    After the end only an entry may be taken in again, and the last entry of a result taken back.
    """
    if tournament.state not in (Tournament.State.RUNNING, Tournament.State.FINISHED):
        return []
    what = None if data is None else data.get("what")
    running = tournament.state == Tournament.State.RUNNING
    at = AtTournament(
        tournament,
        last=read_last_entry(tournament, player),
        pauses=clocks.read_pause_options(tournament, player) if running else (False, False),
        staying=[entry for entry in entries if not entry.withdrawn],
        out=[entry for entry in entries if entry.withdrawn],
    )
    return [
        act.form(data if act.form.what == what else None, **act.more(at))
        for act in TOURNAMENT_ACTS
        if (running or act.after_the_end) and (act.fits(at) or (act.stays and act.form.what == what))
    ]
