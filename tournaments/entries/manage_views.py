"""Views of the organiser's page of the entries: names, lists, answers, seeds, the desk's check-in."""

from collections.abc import Callable, Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players.models import Player
from players.selectors import player_for
from players.web.live import PageContext
from players.web.requests import read_number, show_error
from tournaments.core import permissions, reads, refusals, states
from tournaments.core.errors import TournamentError
from tournaments.core.rows import EntryRow
from tournaments.core.web import (
    Notice,
    build_address,
    count_list,
    get_managed_or_404,
    get_tournament_or_404,
    run_and_report,
    show_notice,
    show_refusal,
)
from tournaments.entries import approvals, checkin, invitations, queries, seeding
from tournaments.entries.checkin import is_roll_called
from tournaments.entries.forms import NamesForm, PlacesForm
from tournaments.entries.import_list import Imported, add_names, check_list, import_entries, would_fill
from tournaments.entries.partners import count_lists, find_odd_entry
from tournaments.entries.people_views import describe_problems, import_people, keep_list, throw_away
from tournaments.entries.queries import find_self_refusal
from tournaments.entries.typed_names import type_entries
from tournaments.entry_kinds import EntryKind
from tournaments.formats.common.partners import SIDES
from tournaments.lists import wording
from tournaments.lists.drafts import (
    ListFindings,
    find_draft,
    find_problems,
    list_good_rows,
    mark_draft,
    settle_draft,
)
from tournaments.lists.forms import PlayersForm, RowsForm, encode_rows
from tournaments.lists.spreadsheet import Row
from tournaments.models import Tournament

Registration = Tournament.Registration
SAMPLE = "giocatore;testa\r\nAnna;1\r\nBruno;2\r\nCarla;\r\n"
SAMPLE_OF_PAIRS = "giocatore;compagno;testa\r\nAnna;Bruno;1\r\nCarla;Dino;2\r\n"
SAMPLE_NAMES = ("Anna", "Bruno", "Carla", "Dino")  # of an entry whose people are listed
MAX_SHOWN_PROBLEMS, MAX_SHOWN_ROWS = 100, 50


@require_http_methods(["GET", "HEAD", "POST"])
def manage_entries(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the organiser's page of the entries; a POST adds an entry by name."""
    tournament, player = get_managed_or_404(request, public_id)
    takes_entries = tournament.state in states.UNDRAWN
    if request.method == "POST" and not takes_entries:
        show_refusal(request, "drawn" if tournament.drawn_at else "registration_closed")
        return redirect("tournament-entries", public_id)
    form = NamesForm(tournament, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            done = _enter_names(tournament, player, form)
        except TournamentError as error:
            _refuse_names(form, error)
        else:
            return _redirect_after_entry(request, tournament, done)
    entries = reads.read_all_entries(tournament)
    placed = [entry for entry in entries if entry.approved and not entry.waits]
    context = {
        "draft": find_draft(tournament, player),
        "tournament": tournament,
        "form": form,
        "placed": placed,
        "all_present": all(entry.checked_in for entry in placed),
        "present_count": sum(entry.checked_in for entry in placed),
        "waiting_list": [entry for entry in entries if entry.waits],
        "applicants": [entry for entry in entries if not entry.approved],
        "takes_entries": takes_entries,
        "last_place": _would_start(tournament, 1),
        "checkin": is_roll_called(tournament),
        "link": _build_invite_link(request, tournament),
        "self_link": _build_self_link(request, tournament),
        **_read_invitations(tournament),
        **(_read_partners(tournament, placed) if tournament.entry_kind.awaits_partner else {}),
    }
    return render(request, "tournaments/entries/manage.html", context)


def _read_partners(tournament: Tournament, placed: Sequence[EntryRow]) -> PageContext:
    """Return the context of the pairs that will be drawn (EV2): the odd one, the two lists, who may be tied."""
    odd = find_odd_entry(tournament)
    return {
        "sides": SIDES,
        "odd": next((entry for entry in placed if entry.entry_id == odd), None),
        "lists": count_lists(tournament),
        "free_to_tie": [entry for entry in placed if entry.tie is None],
    }


def _enter_names(tournament: Tournament, by: Player, form: NamesForm) -> Notice:
    """Enter or invite one entry by the names of its players; at real tables the names are nobody's account (O2)."""
    now = timezone.now()
    if not tournament.venue.enters_names:
        imported = add_names(tournament_id=tournament.pk, by=by, row=form.make_row(), now=now)
        return _entered_message(tournament, imported)
    entries = type_entries(tournament_id=tournament.pk, by=by, rows=[form.make_entry()], now=now)
    rows = reads.read_entries_of(entries).values()  # of a pair that stays one each has an entry (EV2)
    return Notice("typed", _("Iscritti: %(name)s.") % {"name": ", ".join(row.name for row in rows)})


def _read_invitations(tournament: Tournament) -> PageContext:
    """Return the context of the invitations: the open ones, and those that ended."""
    rows = queries.read_invited(tournament)
    return {
        "invited": [row for row in rows if not row.outcome],
        "answered": [row for row in rows if row.outcome],
    }


def _would_start(tournament: Tournament, count: int) -> bool:
    """Return whether ``count`` more entries start the tournament at once (E5); a draft never starts."""
    return tournament.state != Tournament.State.DRAFT and would_fill(tournament, count)


def _entered_message(tournament: Tournament, imported: Imported) -> Notice:
    draft = tournament.state == Tournament.State.DRAFT
    if imported.invitations and draft:
        return Notice("invited", _("Invito pronto: parte quando pubblichi il torneo. Gioca chi accetta."))
    if imported.invitations:
        return Notice("invited", _("Invito mandato: il posto è tenuto, e gioca chi accetta."))
    if tournament.state == Tournament.State.DRAFT:
        return Notice("entered", _("Iscrizione fatta: chi gioca lo saprà quando pubblichi il torneo."))
    return Notice("entered", _("Iscrizione fatta, e chi gioca lo sa."))


def _redirect_after_entry(
    request: HttpRequest, tournament: Tournament, done: Notice, *, left: bool = False
) -> HttpResponse:
    """Redirect the organiser after an entry, and say so if it was the last and the tournament has started (E5).

    ``left``: some rows of a list were left out, and can be mended.
    """
    tournament.refresh_from_db()
    started = tournament.state == Tournament.State.RUNNING
    if started:
        begun = _("Il torneo è al completo: è cominciato.")  # gettext finds no words inside an f-string
        done = Notice("entered_and_started", f"{done.text} {begun}")
    show_notice(request, done)
    back = "tournament-import" if left else "tournament-entries"
    return redirect("tournament" if started else back, tournament.public_id)


def _build_invite_link(request: HttpRequest, tournament: Tournament) -> str:
    if tournament.registration != Registration.LINK or not tournament.join_token:
        return ""
    return request.build_absolute_uri(reverse("tournament-invite", args=[tournament.public_id, tournament.join_token]))


def _build_self_link(request: HttpRequest, tournament: Tournament) -> str:
    """Return the address at which people enter themselves without a key (O2); empty where they don't."""
    closed = find_self_refusal(tournament, None, "") is not None
    return "" if closed else build_address(request, "self-entry", tournament.public_id)


def _refuse_names(form: NamesForm, error: TournamentError) -> None:
    if error.code != "list_refused":
        form.add_error(None, refusals.make_form_error(error))
        return
    for problem in error.values["problems"]:
        field = problem.about if problem.about in form.fields else None
        why = wording.describe_problem(problem.code, problem.typed, problem.other)
        form.add_error(field, ValidationError(why, code=problem.code))


def _run_as_organiser(
    request: HttpRequest, public_id: str, service: Callable[..., Any], done: Notice, **values: Any
) -> HttpResponse:
    """Call a service for the organiser, show how it went, and go back to the page of the entries."""
    tournament, player = get_managed_or_404(request, public_id)
    run_and_report(request, service, done, tournament_id=tournament.pk, by=player, now=timezone.now(), **values)
    return redirect("tournament-entries", public_id)


def _read_entry_id(request: HttpRequest) -> int:
    """Return the entry id of the form; 0, which no entry has, for anything else."""
    typed = request.POST.get("entry", "")
    return read_number(typed, 0)


@require_POST
def answer_applicants(request: HttpRequest, public_id: str) -> HttpResponse:
    """Approve or turn down one applicant, or all of them."""
    entry_id = None if "tutti" in request.POST else _read_entry_id(request)
    yes = "si" in request.POST
    service = approvals.approve_entries if yes else approvals.turn_down_entries
    done = Notice("approved", _("Accettato, e lo sa.")) if yes else Notice("declined", _("Non accettato, e lo sa."))
    return _run_as_organiser(request, public_id, service, done, entry_id=entry_id)


@require_POST
def remove_entry(request: HttpRequest, public_id: str) -> HttpResponse:
    done = Notice("removed", _("Iscrizione tolta, e chi l'aveva lo sa."))
    return _run_as_organiser(request, public_id, approvals.remove_entry, done, entry_id=_read_entry_id(request))


@require_POST
def renew_link(request: HttpRequest, public_id: str) -> HttpResponse:
    done = Notice("link_renewed", _("Il link è nuovo: quello di prima non vale più."))
    return _run_as_organiser(request, public_id, approvals.renew_join_link, done)


@require_POST
def check_in_at_desk(request: HttpRequest, public_id: str) -> HttpResponse:
    entry_id, present = _read_entry_id(request), "presente" in request.POST
    done = Notice("present", _("Segnato presente.")) if present else Notice("absent", _("Segnato assente."))
    return _run_as_organiser(request, public_id, checkin.check_in_at_desk, done, entry_id=entry_id, present=present)


@require_http_methods(["GET", "HEAD", "POST"])
def import_list(request: HttpRequest, public_id: str) -> HttpResponse:
    """Check a file row by row; a second click imports it, all of it or nothing."""
    tournament, player = get_managed_or_404(request, public_id)
    if tournament.state not in states.UNDRAWN:
        show_refusal(request, "drawn" if tournament.drawn_at else "registration_closed")
        return redirect("tournament", public_id)
    refused = count_list(request)
    if refused is not None:
        return refused
    if tournament.venue.enters_names:
        return import_people(request, tournament, player)
    confirming = request.method == "POST" and RowsForm.is_sent(request.POST)
    if request.method == "POST" and "butta" in request.POST:
        return throw_away(request, tournament, player)
    draft = find_draft(tournament, player)
    form = PlayersForm(None if draft is None else {"text": draft.text})
    if request.method == "POST" and not confirming:
        form = PlayersForm(request.POST, request.FILES)
        draft = keep_list(form, tournament, player) or draft
    mark = mark_draft(draft)
    rows: list[Row] = []
    findings = ListFindings()
    if confirming:
        again = RowsForm(request.POST)
        if not again.is_valid():
            show_error(request, wording.describe_unreadable("not_a_sheet"), "not_a_sheet")
            return redirect("tournament-import", public_id)
        rows, mark = again.cleaned_data["rows"], again.mark
        try:
            imported = import_entries(
                tournament_id=tournament.pk, by=player, rows=rows, now=timezone.now(), may_start="start" in request.POST
            )
        except TournamentError as error:
            if error.code not in ("list_refused", "would_start"):
                show_refusal(request, error.code, error.values)
                return redirect("tournament", public_id)
            findings = _check_list(tournament, player, rows)
        else:
            left, entered = again.leaves_some, {row.number for row in rows}
            headings = PlayersForm.headings if left else None
            settle_draft(draft, mark, entered=entered, left=headings, now=timezone.now())
            return _redirect_after_entry(request, tournament, Notice("imported", _describe_import(imported)), left=left)
    elif form.is_valid():
        rows = form.rows
        findings = find_problems(draft, lambda: _check_list(tournament, player, rows), anew=request.method == "POST")
    rest = list_good_rows(rows, findings, lambda row: [row.number])
    context = {
        "tournament": tournament,
        "form": form,
        "draft": draft,
        "mark": mark_draft(draft),
        "rows": rows[:MAX_SHOWN_ROWS],
        "rows_count": len(rows),
        "rows_more": max(0, len(rows) - MAX_SHOWN_ROWS),
        "problems": describe_problems(findings.first[:MAX_SHOWN_PROBLEMS]),
        "problems_count": findings.count,
        "problems_more": max(0, findings.count - MAX_SHOWN_PROBLEMS),
        "ready": "" if findings.count else encode_rows(rows, mark),
        "rest": encode_rows(rest, mark),
        "rest_count": len(rest),
        "starts": _would_start(tournament, findings.entries),
        "invitations_count": findings.invitations,
        "entries_count": findings.entries,
    }
    return render(request, "tournaments/entries/import.html", context)


def _check_list(tournament: Tournament, by: Player, rows: Sequence[Row]) -> ListFindings:
    """Return what entering these rows would find now."""
    checked = check_list(tournament, by, rows, timezone.now())
    return ListFindings(len(checked.problems), checked.problems, len(checked.entries), len(checked.invitations))


def _describe_import(imported: Imported) -> str:
    """Return the sentences for how many entries and invitations a list has made."""
    entries = ngettext("Iscrizione fatta: %(n)d riga.", "Iscrizioni fatte: %(n)d righe.", imported.entries)
    invitations = ngettext("Inviti fatti: %(n)d riga.", "Inviti fatti: %(n)d righe.", imported.invitations)
    parts = ((imported.entries, entries), (imported.invitations, invitations))
    return " ".join(text % {"n": count} for count, text in parts if count)


@require_POST
def take_invitation_back(request: HttpRequest, public_id: str) -> HttpResponse:
    """Take an invitation back, as whoever runs or referees the tournament."""
    tournament = get_tournament_or_404(request, public_id)
    player = player_for(request.user)
    if player is None or not (permissions.may_run(tournament, player) or permissions.may_referee(tournament, player)):
        raise Http404
    done = Notice("taken_back", _("Invito ritirato."))
    values = {"invitation_id": read_number(request.POST.get("invitation", ""), 0), "now": timezone.now()}
    run_and_report(request, invitations.take_invitation_back, done, tournament_id=tournament.pk, by=player, **values)
    runs = permissions.may_run(tournament, player) and tournament.drawn_at is None
    return redirect("tournament-entries" if runs else "tournament-desk", public_id)


@require_safe
def download_sample(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return a sample list to begin with, as CSV."""
    tournament, _player = get_managed_or_404(request, public_id)
    kind = tournament.entry_kind
    text = SAMPLE_OF_PAIRS if kind.names_partner else SAMPLE
    if kind.lists_people:
        text = _make_sample(kind)
    response = HttpResponse("\ufeff" + text, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="elenco.csv"'
    return response


def _make_sample(kind: EntryKind) -> str:
    """Return a list with one entry of a kind whose people are listed: as few as it may have."""
    names = SAMPLE_NAMES[: kind.least]
    columns = ["giocatore", *(f"giocatore {place}" for place in range(2, len(names) + 1))]
    named = kind.has_name
    heading = ";".join([*(["squadra"] if named else []), *columns, "testa"])
    row = ";".join([*(["Leoni"] if named else []), *names, "1"])
    return f"{heading}\r\n{row}\r\n"


@require_http_methods(["GET", "HEAD", "POST"])
def edit_seeds(request: HttpRequest, public_id: str) -> HttpResponse:
    """Let the organiser put the entries in order (K1)."""
    tournament = get_tournament_or_404(request, public_id)
    player = player_for(request.user)
    if player is None or not permissions.may_run(tournament, player) or not tournament.takes_places:
        raise Http404
    entries = sorted(
        reads.read_entries(tournament).values(), key=lambda entry: (entry.placed is None, entry.placed or 0)
    )
    form = PlacesForm(entries, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            seeding.place_entries(tournament_id=tournament.pk, by=player, places=form.read_places(), now=timezone.now())
        except TournamentError as error:
            form.add_error(None, refusals.make_form_error(error))
        else:
            show_notice(request, Notice("seeds_saved", _("Teste di serie salvate.")))
            return redirect("tournament", public_id)
    context = {"form": form, "tournament": tournament}
    return render(request, "tournaments/entries/seeds.html", context, status=422 if form.errors else 200)
