"""The organiser's page of the entries: names, lists, answers, seeds, the desk's check-in."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from players.models import Player
from players.selectors import player_for
from players.web import read_number
from tournaments.core import permissions, reads, refusals, states
from tournaments.core.errors import TournamentError
from tournaments.core.web import get_tournament_or_404, run_and_report
from tournaments.entries import approvals, checkin, seeding, wording
from tournaments.entries.forms import ListForm, NamesForm, PlacesForm, RowsForm, rows_as_text
from tournaments.entries.import_list import Problem, add_names, find_problems, import_entries, would_fill
from tournaments.entries.spreadsheet import Row
from tournaments.models import Tournament

Registration = Tournament.Registration
SAMPLE = "giocatore;testa\r\nAnna;1\r\nBruno;2\r\nCarla;\r\n"
SAMPLE_OF_PAIRS = "giocatore;compagno;testa\r\nAnna;Bruno;1\r\nCarla;Dino;2\r\n"
SHOWN_PROBLEMS, SHOWN_ROWS = 100, 50


def _run_by(request: HttpRequest, public_id: str) -> tuple[Tournament, Player]:
    """The tournament of the address, to who runs it; 404 to everybody else."""
    found = get_tournament_or_404(request, public_id)
    player = player_for(request.user)
    if player is None or not permissions.may_run(found, player):
        raise Http404
    return found, player


@require_http_methods(["GET", "HEAD", "POST"])
def manage(request: HttpRequest, public_id: str) -> HttpResponse:
    """The organiser's page of the entries; a POST adds a line by name."""
    found, player = _run_by(request, public_id)
    form = NamesForm(found, request.POST or None)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            add_names(
                tournament_id=found.pk,
                by=player,
                player=data["player"],
                partner=data.get("partner", ""),
                now=timezone.now(),
            )
        except TournamentError as error:
            _refuse_names(form, error)
        else:
            return _entered(request, found, _entered_message(found))
    lines = reads.read_all_lines(found)
    context = {
        "tournament": found,
        "form": form,
        "placed": [line for line in lines if line.approved and not line.waits],
        "waiting_list": [line for line in lines if line.waits],
        "applicants": [line for line in lines if not line.approved],
        "takes_entries": found.state in states.UNDRAWN,
        "last_place": _starts_with(found, 1),
        "checkin": found.state == Tournament.State.CHECKIN,
        "link": _link(request, found),
    }
    return render(request, "tournaments/entries/manage.html", context)


def _starts_with(found: Tournament, count: int) -> bool:
    """Return whether ``count`` more entries start the tournament at once (E5); a draft starts nothing."""
    return found.state != Tournament.State.DRAFT and would_fill(found, count)


def _entered_message(found: Tournament) -> str:
    if found.state == Tournament.State.DRAFT:
        return _("Iscrizione fatta: chi gioca lo saprà quando pubblichi il torneo.")
    return _("Iscrizione fatta, e chi gioca lo sa.")


def _entered(request: HttpRequest, found: Tournament, done: str) -> HttpResponse:
    """Lead the organiser on after an entry, and say so where it was the last and the tournament has started (E5)."""
    found.refresh_from_db()
    started = found.state == Tournament.State.RUNNING
    messages.success(request, done + " " + _("Il torneo è al completo: è cominciato.") if started else done)
    return redirect("tournament" if started else "tournament-entries", found.public_id)


def _link(request: HttpRequest, found: Tournament) -> str:
    if found.registration != Registration.LINK or not found.join_token:
        return ""
    return request.build_absolute_uri(reverse("tournament-invite", args=[found.public_id, found.join_token]))


def _refuse_names(form: NamesForm, error: TournamentError) -> None:
    if error.code != "list_refused":
        form.add_error(None, refusals.describe_refusal(error.code, error.values))
        return
    for each in error.values["problems"]:
        field = each.about if each.about in form.fields else None
        form.add_error(field, wording.describe_problem(each.code, each.typed, each.other))


def _run_as_organiser(
    request: HttpRequest, public_id: str, service: Callable[..., Any], done: str, **values: Any
) -> HttpResponse:
    """Call a service for the organiser, show how it went, and go back to the page of the entries."""
    found, player = _run_by(request, public_id)
    run_and_report(request, service, done, tournament_id=found.pk, by=player, now=timezone.now(), **values)
    return redirect("tournament-entries", public_id)


def _entry_id(request: HttpRequest) -> int:
    """The entry a form names; 0, which is nobody's, for anything else."""
    typed = request.POST.get("entry", "")
    return read_number(typed, 0)


@require_POST
def decide(request: HttpRequest, public_id: str) -> HttpResponse:
    """Yes or no to one who asks to play, or to all of them."""
    entry_id = None if "tutti" in request.POST else _entry_id(request)
    yes = "si" in request.POST
    service = approvals.approve_entries if yes else approvals.turn_down_entries
    done = _("Accettato, e lo sa.") if yes else _("Non accettato, e lo sa.")
    return _run_as_organiser(request, public_id, service, done, entry_id=entry_id)


@require_POST
def remove(request: HttpRequest, public_id: str) -> HttpResponse:
    done = _("Iscrizione tolta, e chi l'aveva lo sa.")
    return _run_as_organiser(request, public_id, approvals.remove_entry, done, entry_id=_entry_id(request))


@require_POST
def renew_link(request: HttpRequest, public_id: str) -> HttpResponse:
    done = _("Il link è nuovo: quello di prima non vale più.")
    return _run_as_organiser(request, public_id, approvals.renew_join_link, done)


@require_POST
def check_in_at_desk(request: HttpRequest, public_id: str) -> HttpResponse:
    entry_id, present = _entry_id(request), "presente" in request.POST
    done = _("Check-in fatto.") if present else _("Check-in tolto.")
    return _run_as_organiser(request, public_id, checkin.check_in_at_desk, done, entry_id=entry_id, present=present)


@require_http_methods(["GET", "HEAD", "POST"])
def import_list(request: HttpRequest, public_id: str) -> HttpResponse:
    """A file is looked at first, row by row; what is right is imported by a second click, all of it or nothing."""
    found, player = _run_by(request, public_id)
    if found.state not in states.UNDRAWN:
        messages.error(request, refusals.describe_refusal("drawn" if found.drawn_at else "registration_closed"))
        return redirect("tournament", public_id)
    confirming = request.method == "POST" and "rows" in request.POST
    form = ListForm(request.POST, request.FILES) if request.method == "POST" and not confirming else ListForm()
    rows: list[Row] = []
    wrong: list[Problem] = []
    if confirming:
        again = RowsForm(request.POST)
        if not again.is_valid():
            messages.error(request, wording.describe_unreadable("not_a_sheet"))
            return redirect("tournament-import", public_id)
        rows = again.cleaned_data["rows"]
        try:
            count = import_entries(
                tournament_id=found.pk, by=player, rows=rows, now=timezone.now(), may_start="start" in request.POST
            )
        except TournamentError as error:
            if error.code not in ("list_refused", "would_start"):
                messages.error(request, refusals.describe_refusal(error.code, error.values))
                return redirect("tournament", public_id)
            wrong = error.values.get("problems", [])
        else:
            done = ngettext("Iscrizione fatta: %(n)d riga.", "Iscrizioni fatte: %(n)d righe.", count) % {"n": count}
            return _entered(request, found, done)
    elif form.is_bound and form.is_valid():
        rows = form.rows()
        wrong = find_problems(found, rows)
    context = {
        "tournament": found,
        "form": form,
        "rows": rows[:SHOWN_ROWS],
        "rows_count": len(rows),
        "rows_more": max(0, len(rows) - SHOWN_ROWS),
        "problems": [
            (each.row, wording.describe_problem(each.code, each.typed, each.other)) for each in wrong[:SHOWN_PROBLEMS]
        ],
        "problems_count": len(wrong),
        "problems_more": max(0, len(wrong) - SHOWN_PROBLEMS),
        "ready": "" if wrong or not rows else rows_as_text(rows),
        "starts": _starts_with(found, len(rows)),
    }
    return render(request, "tournaments/entries/import.html", context)


@require_GET
def sample(request: HttpRequest, public_id: str) -> HttpResponse:
    """A list to begin with, as CSV."""
    found, _player = _run_by(request, public_id)
    text = SAMPLE_OF_PAIRS if found.seats_an_entry == 2 else SAMPLE
    response = HttpResponse("\ufeff" + text, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="elenco.csv"'
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def seeds(request: HttpRequest, public_id: str) -> HttpResponse:
    """The organiser puts the entries in order (K1)."""
    found = get_tournament_or_404(request, public_id)
    player = player_for(request.user)
    if player is None or not permissions.may_run(found, player) or found.seeding != Tournament.Seeding.ORGANISER:
        raise Http404
    entered = sorted(reads.read_lines(found).values(), key=lambda line: (line.placed is None, line.placed or 0))
    form = PlacesForm(entered, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            seeding.place_entries(tournament_id=found.pk, by=player, places=form.places(), now=timezone.now())
        except TournamentError as error:
            messages.error(request, refusals.describe_refusal(error.code, error.values))
        else:
            messages.success(request, _("Teste di serie salvate."))
        return redirect("tournament", public_id)
    return render(request, "tournaments/entries/seeds.html", {"form": form, "tournament": found})
