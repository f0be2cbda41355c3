"""An organiser's evening in a hall on one screen: door, round, clock, wall (EV12). Each act is a form of its own."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, time
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from players.models import Player
from players.web.live import render_live
from players.web.requests import read_number, show_error
from tournaments.core.draw_secret import find_reserve
from tournaments.core.errors import TournamentError
from tournaments.core.states import UNDRAWN
from tournaments.core.web import Notice, get_managed_or_404, show_notice, show_refusal
from tournaments.desk import undo
from tournaments.desk.forms import UndoForm
from tournaments.entries import checkin
from tournaments.entries.partners import count_lists, find_odd_entry, put_on_list
from tournaments.entries.typed_names import type_entries
from tournaments.evening import actions
from tournaments.evening.queries import Shown, count_missing, find_next_step, read_door, read_leaders
from tournaments.fees import actions as fees
from tournaments.formats import FORMATS
from tournaments.hall.quick_entry import (
    QuickPart,
    has_quick_entry,
    is_all_in,
    needs_address,
    read_quick_page,
    write_address,
)
from tournaments.lists import wording
from tournaments.lists.people_list import read_text
from tournaments.lists.spreadsheet import Unreadable
from tournaments.models import Tournament
from tournaments.rounds.late_entries import enter_late_names
from tournaments.running import round_clocks

MAX_TYPED_CHARACTERS = 400  # in the field at the door
MORE_MINUTES = 5

Arguments = dict[str, Any]  # what every service here is called with: tournament, who acts, when
Act = Callable[[HttpRequest, Tournament, Arguments], Notice | None]


@require_http_methods(["GET", "HEAD", "POST"])
def show_evening(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the evening to whoever runs a tournament at real tables, and do what a touch asks for; 404 for others."""
    tournament, player = get_managed_or_404(request, public_id)
    if not tournament.venue.calls_roll:
        raise Http404
    now = timezone.now()
    is_done = request.method == "POST" and _act(request, tournament, player, now)
    shown = request.GET.get("mostra", "")
    if is_done:
        query = f"?mostra={shown}" if shown in set(Shown) else ""
        return redirect(f"{reverse('tournament-evening', args=[public_id])}{query}")
    tournament.refresh_from_db()
    version = tournament.version  # before anything is read: what changes meanwhile is asked for again
    page = None
    if has_quick_entry(tournament):
        page = read_quick_page(tournament, player, QuickPart.of(request))
        if needs_address(request, page):
            return redirect(write_address(request, page))
    last = undo.read_last_entry(tournament, player)
    total = page.sheet.total if page is not None else 0
    missing = count_missing(page)
    clocks = round_clocks.read_clocks(tournament, now)
    door, odd = read_door(tournament), find_odd_entry(tournament)
    context = {
        "tournament": tournament,
        "version": version,
        "now": now,
        "door": door,
        "odd": next((row.entry for row in door.rows if row.entry.entry_id == odd), None),
        "lists": count_lists(tournament),
        "reserve": find_reserve(tournament),
        "shown": shown if shown in set(Shown) else Shown.ALL,
        "typed": request.POST,
        "page": page,
        "total": total,
        "entered": total - missing,
        "clocks": clocks,
        "held": any(clock.held is not None for clock in clocks),
        "has_vp": FORMATS[tournament.format].has_vp,
        "more_minutes": MORE_MINUTES,
        "step": find_next_step(tournament, page),
        "leaders": read_leaders(tournament),
        "all_in": is_all_in(tournament),
        "undo": None if last is None else UndoForm(last=last),
    }
    response = render_live(request, "tournaments/evening/evening.html", context)
    response.status_code = 422 if request.method == "POST" else 200
    response["Cache-Control"] = "no-store"
    return response


def _act(request: HttpRequest, tournament: Tournament, player: Player, now: datetime) -> bool:
    """Do what a form asks for. Return False where it was refused and what was typed is shown again."""
    act = ACTS.get(request.POST.get("atto", ""))
    if act is None:
        raise Http404
    try:
        notice = act(request, tournament, {"tournament_id": tournament.pk, "by": player, "now": now})
    except TournamentError as error:
        _refuse(request, error)
        return False
    except Unreadable as error:
        show_error(request, wording.describe_unreadable(error.code), error.code)
        return False
    if notice is not None:
        show_notice(request, notice)
    return True


def _refuse(request: HttpRequest, error: TournamentError) -> None:
    """Say why an act was refused; of names everything that is wrong."""
    if error.code != "list_refused":
        show_refusal(request, error.code, error.values)
        return
    for problem in error.values["problems"]:
        show_error(request, wording.describe_problem(problem.code, problem.typed, problem.other), problem.code)


def _read_entry(request: HttpRequest) -> int:
    """Return the entry that a form is about; 0, which none has, for anything else."""
    return read_number(request.POST.get("entry", ""), 0)


def _tick(request: HttpRequest, tournament: Tournament, arguments: Arguments) -> None:
    present = request.POST["atto"] == "presente"
    checkin.check_in_at_desk(entry_id=_read_entry(request), present=present, **arguments)


def _tick_all(request: HttpRequest, tournament: Tournament, arguments: Arguments) -> Notice:
    count = checkin.check_in_everybody(**arguments)
    text = ngettext("Segnato presente %(n)d iscritto.", "Segnati presenti %(n)d iscritti.", count) % {"n": count}
    return Notice("all_present", text)


def _pay(request: HttpRequest, tournament: Tournament, arguments: Arguments) -> None:
    fees.mark_paid(entry_id=_read_entry(request), **arguments)


def _take_payment_back(request: HttpRequest, tournament: Tournament, arguments: Arguments) -> None:
    fees.unmark_paid(tournament_id=tournament.pk, by=arguments["by"], entry_id=_read_entry(request))


def _pay_all(request: HttpRequest, tournament: Tournament, arguments: Arguments) -> Notice:
    here = {row.entry.entry_id for row in read_door(tournament).here}
    count = fees.mark_all_paid(entry_ids=here, **arguments)
    text = ngettext("Segnata %(n)d quota.", "Segnate %(n)d quote.", count) % {"n": count}
    return Notice("all_paid", text)


def _choose_list(request: HttpRequest, tournament: Tournament, arguments: Arguments) -> None:
    put_on_list(entry_id=_read_entry(request), side=request.POST.get("side", ""), **arguments)


def _undo_touch(request: HttpRequest, tournament: Tournament, arguments: Arguments) -> Notice:
    actions.undo_last_touch(**arguments)
    return Notice("touch_undone", _("Annullato l'ultimo tocco."))


def _enter(request: HttpRequest, tournament: Tournament, arguments: Arguments) -> Notice:
    """Enter what was typed into the field: a name, a pair, a team; once the rounds have begun it comes late."""
    text = request.POST.get("riga", "")[:MAX_TYPED_CHARACTERS]
    listed = read_text(text, kind=tournament.entry_kind, by_lot=True)
    if listed.problems:
        raise TournamentError("list_refused", problems=list(listed.problems))
    rows = [replace(row, another="altro" in request.POST) for row in listed.entries]
    if tournament.state in UNDRAWN:
        type_entries(rows=rows, **arguments)
        return Notice("typed", _("Iscritto."))
    for row in rows:
        names = [person.name for person in row.people]
        enter_late_names(names=names, team=row.team, another=row.another, **arguments)
    return Notice("joined_late", _("In gara dal prossimo turno."))


def _announce(request: HttpRequest, tournament: Tournament, arguments: Arguments) -> Notice:
    text = request.POST.get("avviso", "").strip()
    actions.announce(text=text, **arguments)
    return Notice("announced", _("L'avviso è sullo schermo.")) if text else Notice("unannounced", _("Avviso tolto."))


def _begin_break(request: HttpRequest, tournament: Tournament, arguments: Arguments) -> Notice:
    typed = request.POST.get("fino", "").strip().replace(".", ":")
    try:
        until = time.fromisoformat(typed.rjust(5, "0")) if typed else None
    except ValueError as error:
        raise TournamentError("bad_hour") from error
    actions.begin_break(until=until, **arguments)
    return Notice("break_begun", _("Pausa."))


def _end_break(request: HttpRequest, tournament: Tournament, arguments: Arguments) -> Notice:
    actions.end_break(**arguments)
    return Notice("break_ended", _("Si riprende."))


def _change_clock(request: HttpRequest, tournament: Tournament, arguments: Arguments) -> None:
    place = round_clocks.ClockPlace.parse(request.POST.get("clock", ""))
    if place is None:
        raise TournamentError("no_clock")
    if request.POST["atto"] == "orologio":
        round_clocks.start_clock(place=place, **arguments)
    else:
        round_clocks.give_more(place=place, minutes=MORE_MINUTES, table=None, **arguments)


ACTS: Mapping[str, Act] = {
    "presente": _tick,
    "assente": _tick,
    "tutti": _tick_all,
    "paga": _pay,
    "non-paga": _take_payment_back,
    "tutti-pagano": _pay_all,
    "lista": _choose_list,
    "annulla": _undo_touch,
    "iscrivi": _enter,
    "avviso": _announce,
    "pausa": _begin_break,
    "riprendi": _end_break,
    "orologio": _change_clock,
    "minuti": _change_clock,
}
