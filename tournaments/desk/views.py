"""The referee's pages, and the acts their forms ask for."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any
from urllib.parse import quote

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games import selectors as tables
from players.models import Player
from players.selectors import player_for
from players.web import read_number, render_live
from records import match_narrative
from tournaments.core import reads, rows
from tournaments.core.errors import TournamentError
from tournaments.core.parts import MOST_ENTRIES, page_request, read_address_number
from tournaments.core.permissions import may_judge, may_referee, may_run
from tournaments.core.result import ResultTerms, find_context
from tournaments.core.rows import EntryRow, FixtureRow
from tournaments.core.visibility import plays_in
from tournaments.core.web import Notice, get_tournament_or_404, show_notice, show_refusal
from tournaments.desk import clocks, referee_calls, reinstatement, results, substitution, undo
from tournaments.desk.act import compute_stamp
from tournaments.desk.forms import (
    LINES,
    ActForm,
    AnnulForm,
    ForfeitForm,
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
from tournaments.desk.part_queries import read_desk_part
from tournaments.desk.queries import Desk, narrow_desk, read_desk, read_fixture_table
from tournaments.desk.rehearsal import rehearse
from tournaments.desk.rulings import list_rulings
from tournaments.desk.undo import read_last_entry
from tournaments.entries.queries import read_invited
from tournaments.models import Fixture, Tournament
from tournaments.running import withdraw

URGENT = "solo"  # in the address: only the tables that want somebody
KEPT = ("nome", "turno", URGENT)  # of the address, by the links to other pages of a big tournament's lists


def _require_referee(request: HttpRequest, public_id: str) -> tuple[Tournament, Player]:
    """Return the tournament and its referee; 404 for everybody else."""
    tournament = get_tournament_or_404(request, public_id)
    player = player_for(request.user)
    if player is None or not may_referee(tournament, player):
        raise Http404
    return tournament, player


@require_http_methods(["GET", "HEAD", "POST"])
def show_desk(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show every table, the urgent ones first; below, the forms about all tables and about entries."""
    tournament, player = _require_referee(request, public_id)
    now = timezone.now()
    shown = _read_desk(request, tournament, player, now)
    entries = shown.entries if tournament.drawn_at is not None else ()
    acts = build_tournament_forms(request.POST if request.method == "POST" else None, tournament, player, entries)
    applied: list[bool] = []

    def apply(form: ActForm) -> bool:
        applied.append(apply_to_tournament(form, tournament, player, now))
        return applied[-1]

    if _apply_sent(acts, tournament, player, apply):
        logged = Notice("logged", _("Fatto: è nel registro, e lo sa chi deve saperlo."))
        asked = Notice("play_asked", _("L'invito è partito: vale da quando chi hai invitato accetta."))
        show_notice(request, logged if all(applied) else asked)
        return redirect("tournament-desk", public_id)
    context = {
        "tournament": tournament,
        "desk": shown,
        "asked": page_request(request).name,
        "links": "?" + "".join(f"{name}={quote(request.GET[name])}&" for name in KEPT if name in request.GET),
        "acts": acts,
        "may_run": may_run(tournament, player),
        "only_urgent": URGENT in request.GET,
        "asked_to_play": [row for row in read_invited(tournament) if not row.outcome],
        "now": now,
    }
    response = render_live(request, "tournaments/desk/desk.html", context)
    response["Cache-Control"] = "no-store"
    return response


def _read_desk(request: HttpRequest, tournament: Tournament, player: Player, now: datetime) -> Desk:
    """Return what the address asks for: of a big tournament a part, and the entry that a form names."""
    if tournament.drawn_at is None or tournament.entries.in_place().count() <= MOST_ENTRIES:
        return narrow_desk(read_desk(tournament, player, now), page_request(request).name)
    named = request.POST.get("entry") or request.POST.get("out", "").partition(" ")[0]
    entry_id = read_number(named, 0)
    return read_desk_part(
        tournament,
        player,
        page_request(request),
        now,
        tables_page=read_address_number(request, "tavoli") or 1,
        only_urgent=URGENT in request.GET,
        chosen=(entry_id,) if entry_id else (),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def show_fixture_desk(request: HttpRequest, public_id: str, fixture_id: int) -> HttpResponse:
    """Show the rulings about one fixture and the forms of the acts that are possible."""
    tournament, player = _require_referee(request, public_id)
    fixture, row = _get_fixture(tournament, player, fixture_id)
    now = timezone.now()
    forms = []
    if may_judge(tournament, player, fixture) and tournament.state in (
        Tournament.State.RUNNING,
        Tournament.State.FINISHED,
    ):
        terms = ResultTerms.of(tournament, find_context(tournament, fixture))
        data = request.POST if request.method == "POST" else None
        forms = build_fixture_forms(data, fixture, row, terms)

    def apply(form: ActForm) -> None:
        apply_to_fixture(form, tournament, fixture, player, now)

    if _apply_sent(forms, tournament, player, apply, fixture):
        show_notice(request, Notice("decided", _("Deciso: è nel registro, e lo sa chi ci gioca.")))
        return redirect("tournament-desk", public_id)
    fixture, row = _get_fixture(tournament, player, fixture_id)  # as it is now, where that is why an act was refused
    context_ = {
        "tournament": tournament,
        "fixture": fixture,
        "f": row,
        "acts": forms,
        "rulings": list_rulings(tournament, (), fixture.pk),
        "table": read_fixture_table(tournament, fixture, row, plays=plays_in(tournament, player), now=now),
        "now": now,
    }
    response = render_live(request, "tournaments/desk/desk_fixture.html", context_)
    response["Cache-Control"] = "no-store"
    return response


def _get_fixture(tournament: Tournament, player: Player, fixture_id: int) -> tuple[Fixture, rows.FixtureRow]:
    """Return a fixture and its row; 404 unless two entries meet in it."""
    fixtures = Fixture.objects.of(tournament).select_related("round", "match")
    fixture = get_object_or_404(fixtures, pk=fixture_id)
    row = reads.read_fixture_row(fixture, player)
    if row.first is None or row.second is None:
        raise Http404
    return fixture, row


@require_safe
def show_running_record(request: HttpRequest, public_id: str, fixture_id: int) -> HttpResponse:
    """Show the record so far (F4): finished deals entirely, the running one as everybody saw it.

    404 for a referee who plays in the tournament: of running tables they see what everybody sees.
    """
    tournament, player = _require_referee(request, public_id)
    fixture, row = _get_fixture(tournament, player, fixture_id)
    plays = plays_in(tournament, player)
    if fixture.match is None or plays:
        raise Http404
    if not row.live:
        return redirect("match-result", fixture.match.public_id)
    so_far = tables.build_running_record(fixture.match)
    context = {
        "tournament": tournament,
        "f": row,
        "narrative": match_narrative.narrate_record(so_far.record),
        "running": so_far.running,
    }
    return render(request, "tournaments/desk/desk_record.html", context)


@require_POST
def mark_call_seen(request: HttpRequest, public_id: str) -> HttpResponse:
    """Mark a call as seen."""
    tournament, player = _require_referee(request, public_id)
    typed = request.POST.get("chiamata", "")
    report_id = read_number(typed, 0)
    now: datetime = timezone.now()
    try:
        referee_calls.answer_call(tournament_id=tournament.pk, report_id=report_id, by=player, now=now)
    except TournamentError as error:
        show_refusal(request, error.code, error.values)
    return redirect(reverse("tournament-desk", args=[public_id]))


def _apply_sent(
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
        case ResultForm():
            results.set_result(decision=form.make_decision(), **about)
        case ForfeitForm():
            results.declare_forfeit(lines=LINES[data["lines"]], **about)
        case TimeForm():
            clocks.give_time(player_id=data["player"], minutes=data["minutes"], **about)
        case AnnulForm():
            results.annul_result(**about)
        case ReinstateForm():
            results.restore_result(**about)
        case ReplayForm():
            results.order_replay(**about)
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
    if row.table or fixture.result_at is not None:
        acts.append(bind(ReplayForm))
    if terms.setup.context != "ko" and not row.annulled:
        acts.append(bind(AnnulForm))
    if fixture.annulled:
        acts.append(bind(ReinstateForm))
    return acts


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
    about = [bind(LeaveForm, entries=staying), *back, bind(ReplaceForm, entries=staying)] if staying else back
    possible = zip((PauseAllForm, ResumeAllForm), clocks.read_pause_options(tournament, player), strict=True)
    all_tables = (bind(kind) for kind, makes_sense in possible if makes_sense or kind.what == what)
    return [*undo_first, *all_tables, *about]
