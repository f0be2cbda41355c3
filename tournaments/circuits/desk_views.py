"""The desk of a circuit, for whoever runs it: its tournaments, its series, its final, its end, and links of names."""

from collections.abc import Callable
from datetime import datetime

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from players.clean_text import clean_line
from players.models import Player
from players.web.requests import read_number
from tournaments.circuits import actions, finals, links, queries
from tournaments.circuits.errors import CircuitError
from tournaments.circuits.explained import read_stages
from tournaments.circuits.web import for_runners, show_circuit_refusal
from tournaments.core.web import Notice, show_notice
from tournaments.models import Circuit

MAX_DIGITS = 10
Act = Callable[[HttpRequest, Circuit, Player, datetime], Notice]


@require_safe
@for_runners
def show_desk(request: HttpRequest, circuit: Circuit, player: Player) -> HttpResponse:
    """Show what whoever runs the circuit chooses."""
    context = {
        "circuit": circuit,
        "stages": read_stages(circuit, runs=True),
        "addable": queries.list_addable(circuit, player),
        "series": queries.list_own_series(player),
        "finals": queries.list_possible_finals(circuit, player),
        "passed_over": finals.list_passed_over(circuit),
        "begun": queries.have_terms_begun(circuit),
        "total": circuit.totals.count(),
    }
    return render(request, "tournaments/circuits/desk.html", context)


@require_safe
@for_runners
def show_names(request: HttpRequest, circuit: Circuit, player: Player) -> HttpResponse:
    """Show the names that are linked, and those that may be one person."""
    context = {
        "circuit": circuit,
        "links": links.list_links(circuit),
        "proposals": links.propose_links(circuit),
        "people": links.list_linkable(circuit),
        "places": links.read_places(circuit),
    }
    return render(request, "tournaments/circuits/names.html", context)


def _add(request: HttpRequest, circuit: Circuit, player: Player, now: datetime) -> Notice:
    chosen = [clean_line(key) for key in request.POST.getlist("torneo")]
    added = actions.add_tournaments(circuit_id=circuit.pk, by=player, tournaments=chosen, now=now)
    sentence = ngettext("Aggiunto un torneo.", "Aggiunti %(n)d tornei.", added) % {"n": added}
    return Notice("tournaments_added", sentence)


def _remove(request: HttpRequest, circuit: Circuit, player: Player, now: datetime) -> Notice:
    chosen = clean_line(request.POST.get("torneo", ""))
    actions.remove_tournament(circuit_id=circuit.pk, by=player, tournament=chosen, now=now)
    return Notice("tournament_removed", _("Il torneo non conta più in questo circuito."))


def _follow(request: HttpRequest, circuit: Circuit, player: Player, now: datetime) -> Notice:
    chosen = clean_line(request.POST.get("serie", ""))
    actions.choose_series(circuit_id=circuit.pk, by=player, series=chosen, now=now)
    if not chosen:
        return Notice("series_dropped", _("I tornei nuovi non si aggiungono più da soli."))
    return Notice("series_chosen", _("I tornei della serie ci sono, e quelli nuovi si aggiungono da soli."))


def _prepare(request: HttpRequest, circuit: Circuit, player: Player, now: datetime) -> Notice:
    qualify = read_number(request.POST.get("quanti", ""), 0, digits=4)
    chosen = clean_line(request.POST.get("torneo", ""))
    made = finals.prepare_final(circuit_id=circuit.pk, by=player, tournament=chosen, qualify=qualify, now=now)
    sentence = ngettext(
        "La finale è pronta: %(n)d iscritto o invitato.", "La finale è pronta: %(n)d iscritti o invitati.", made
    )
    return Notice("final_prepared", sentence % {"n": made})


def _drop_final(request: HttpRequest, circuit: Circuit, player: Player, now: datetime) -> Notice:
    finals.drop_final(circuit_id=circuit.pk, by=player, now=now)
    return Notice("final_dropped", _("Il circuito non ha più una finale."))


def _end(request: HttpRequest, circuit: Circuit, player: Player, now: datetime) -> Notice:
    actions.end_circuit(circuit_id=circuit.pk, by=player, now=now)
    return Notice("circuit_ended", _("Il circuito è concluso: ognuno sa la sua posizione."))


def _resume(request: HttpRequest, circuit: Circuit, player: Player, now: datetime) -> Notice:
    actions.resume_circuit(circuit_id=circuit.pk, by=player, now=now)
    return Notice("circuit_resumed", _("Il circuito riprende."))


def _delete(request: HttpRequest, circuit: Circuit, player: Player, now: datetime) -> Notice:
    actions.delete_circuit(circuit_id=circuit.pk, by=player)
    return Notice("circuit_deleted", _("Il circuito non c'è più."))


def _link(request: HttpRequest, circuit: Circuit, player: Player, now: datetime) -> Notice:
    one, other = (read_number(request.POST.get(name, ""), 0, digits=MAX_DIGITS) for name in ("chi", "come"))
    links.link_people(circuit_id=circuit.pk, by=player, person_id=one, same_as_id=other, now=now)
    return Notice("names_linked", _("Ora contano come una persona."))


def _unlink(request: HttpRequest, circuit: Circuit, player: Player, now: datetime) -> Notice:
    number = read_number(request.POST.get("legame", ""), 0, digits=MAX_DIGITS)
    links.unlink_people(circuit_id=circuit.pk, by=player, link_id=number, now=now)
    return Notice("names_parted", _("Sono di nuovo due persone."))


ACTS: dict[str, tuple[Act, str]] = {
    "aggiungi": (_add, "circuit-desk"),
    "togli": (_remove, "circuit-desk"),
    "serie": (_follow, "circuit-desk"),
    "finale": (_prepare, "circuit-desk"),
    "togli-finale": (_drop_final, "circuit-desk"),
    "concludi": (_end, "circuit-desk"),
    "riprendi": (_resume, "circuit-desk"),
    "elimina": (_delete, "circuits"),
    "collega": (_link, "circuit-names"),
    "dividi": (_unlink, "circuit-names"),
}


@require_POST
@for_runners
def act_on_circuit(request: HttpRequest, circuit: Circuit, player: Player, act: str) -> HttpResponse:
    """Do one act as the reader, show its outcome, and go back to the page it belongs to."""
    if act not in ACTS:
        raise Http404
    do, page = ACTS[act]
    try:
        notice = do(request, circuit, player, timezone.now())
    except CircuitError as error:
        show_circuit_refusal(request, error)
        page = "circuit-desk" if page == "circuits" else page
    else:
        show_notice(request, notice)
    return redirect(page) if page == "circuits" else redirect(page, circuit.public_id)
