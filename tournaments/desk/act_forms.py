"""Forms of the acts that make sense now, and what each does when it is sent and confirmed (F5)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from players.models import Player
from tournaments.core.errors import TournamentError
from tournaments.core.result import ResultTerms
from tournaments.core.rows import EntryRow, FixtureRow
from tournaments.desk import (
    clocks,
    comparison,
    own_results,
    real_table_acts,
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
    AgreedForm,
    AnnulForm,
    ForfeitForm,
    LeaveForm,
    PauseAllForm,
    PauseForm,
    RealTableForm,
    ReinstateForm,
    ReplaceForm,
    ReplayForm,
    ResultForm,
    ResumeAllForm,
    ResumeForm,
    ReturnForm,
    SiteTableForm,
    TimeForm,
    UndoForm,
)
from tournaments.desk.rehearsal import rehearse
from tournaments.desk.undo import read_last_entry
from tournaments.models import Fixture, Tournament
from tournaments.running import withdraw


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
    about: dict[str, Any] = {"tournament_id": tournament.pk, "fixture_id": fixture.pk, "act": form.make_act(by, now)}
    data = form.cleaned_data
    match form:
        case AgreedForm():
            own_results.enter_agreed_result(decision=form.make_decision(), **about)
        case ResultForm():
            results.set_result(decision=form.make_decision(), **about)
        case ForfeitForm():
            results.declare_forfeit(lines=LINES[data["lines"]], **about)
        case TimeForm():
            clocks.give_time(player_id=data["player"], minutes=data["minutes"], **about)
        case AnnulForm():
            results.annul_result(**about)
        case ComparisonForm():
            comparison.rule_comparison(ruling=form.make_ruling(), **about)
        case ReinstateForm():
            results.restore_result(**about)
        case ReplayForm():
            results.order_replay(**about)
        case RealTableForm():
            real_table_acts.move_to_real_table(table=data["table"], **about)
        case SiteTableForm():
            real_table_acts.move_to_site(**about)
        case PauseForm():
            clocks.hold_clocks(**about)
        case ResumeForm():
            clocks.resume_clocks(**about)


def apply_to_tournament(form: ActForm, tournament: Tournament, by: Player, now: datetime) -> bool:
    """Do what a form about all tables, or about an entry, says. Return False if somebody has to say yes first (E3)."""
    about: dict[str, Any] = {"tournament_id": tournament.pk, "act": form.make_act(by, now)}
    match form:
        case PauseAllForm():
            clocks.hold_clocks(fixture_id=None, **about)
        case ResumeAllForm():
            clocks.resume_clocks(fixture_id=None, **about)
        case LeaveForm():
            data = form.cleaned_data
            withdraw.withdraw_entry(
                tournament_id=tournament.pk,
                entry_id=data["entry"],
                by=by,
                reason=data["reason"],
                now=now,
                expelled=data["expelled"],
            )
        case UndoForm():
            undo.undo_entry(entry_id=form.cleaned_data["entry"], **about)
        case ReturnForm():
            return reinstatement.reinstate_entry(entry_id=form.cleaned_data["entry"], **about)
        case ReplaceForm():
            entry, player = form.cleaned_data["out"].split(" ")
            if tournament.venue.enters_names:
                substitution.replace_typed_person(
                    entry_id=int(entry), person_id=int(player), name=form.cleaned_data["name"], **about
                )
                return True
            return substitution.replace_player(
                entry_id=int(entry), player_id=int(player), name=form.cleaned_data["name"], **about
            )
    return True


def build_fixture_forms(
    data: Mapping[str, Any] | None, fixture: Fixture, row: FixtureRow, terms: ResultTerms
) -> list[ActForm]:
    """Return the forms that make sense for a fixture now; the one that was sent is bound."""
    assert row.first is not None
    assert row.second is not None
    names = (row.first.name, row.second.name)
    what = None if data is None else data.get("what")
    paused = fixture.match is not None and fixture.match.paused_at is not None

    stamp = compute_stamp(fixture)

    def bind(kind: type[ActForm], **more: Any) -> ActForm:
        return kind(data if kind.what == what else None, names=names, stamp=stamp, **more)

    acts: list[ActForm] = []
    if row.live:
        acts.append(bind(ResumeForm if paused else PauseForm))
        acts.append(bind(TimeForm, fixture=fixture))
    acts.append(bind(ResultForm, terms=terms))
    acts.append(bind(ForfeitForm))
    if fixture.result_at is None and row.state in Fixture.OPEN and fixture.round.tournament.venue.opens_tables:
        acts.append(bind(SiteTableForm if fixture.moved else RealTableForm))
    if row.table or fixture.result_at is not None:
        acts.append(bind(ReplayForm))
    if terms.setup.context != "ko" and not row.annulled:
        acts.append(bind(AnnulForm))
    if fixture.round.tournament.equal_deals and terms.setup.context != "ko":
        acts.append(bind(ComparisonForm, fixture=fixture))
    if fixture.annulled:
        acts.append(bind(ReinstateForm))
    return acts


def build_agreed_form(
    data: Mapping[str, Any] | None, fixture: Fixture, row: FixtureRow, terms: ResultTerms
) -> AgreedForm:
    """Return the form of the agreed points of a fixture in which the reader plays (O13), bound if it was sent."""
    assert row.first is not None
    assert row.second is not None
    sent = data if data is not None and data.get("what") == AgreedForm.what else None
    return AgreedForm(sent, names=(row.first.name, row.second.name), stamp=compute_stamp(fixture), terms=terms)


def build_tournament_forms(
    data: Mapping[str, Any] | None, tournament: Tournament, player: Player, entries: Sequence[EntryRow]
) -> list[ActForm]:
    """Return the forms about all tables and about entries that make sense now, and the one that was sent, bound.

    After the end only an entry may be taken in again, and the last entry of a result taken back.
    """
    if tournament.state not in (Tournament.State.RUNNING, Tournament.State.FINISHED):
        return []
    what = None if data is None else data.get("what")

    def bind(kind: type[ActForm], **more: Any) -> ActForm:
        return kind(data if kind.what == what else None, **more)

    out = [entry for entry in entries if entry.withdrawn]
    staying = [entry for entry in entries if not entry.withdrawn]
    last = read_last_entry(tournament, player)
    undo_first = [bind(UndoForm, last=last)] if last is not None or what == UndoForm.what else []
    back = [bind(ReturnForm, entries=out)] if out else []
    if tournament.state == Tournament.State.FINISHED:
        return [*undo_first, *back]
    about = back
    if staying:
        replace = bind(ReplaceForm, entries=staying, real=tournament.venue.enters_names)
        about = [bind(LeaveForm, entries=staying), *back, replace]
    possible = zip((PauseAllForm, ResumeAllForm), clocks.read_pause_options(tournament, player), strict=True)
    all_tables = (bind(kind) for kind, makes_sense in possible if makes_sense or kind.what == what)
    return [*undo_first, *all_tables, *about]
