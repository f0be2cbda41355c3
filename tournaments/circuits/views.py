"""The pages of circuits for everybody: their list, one with every total explained, and the form of whoever runs it."""

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from players.clean_text import clean_line
from players.models import Player
from players.selectors import player_for
from players.web.requests import read_number
from tournaments.circuits import actions, queries, wording
from tournaments.circuits.errors import CircuitError
from tournaments.circuits.explained import read_circuit_page
from tournaments.circuits.forms import CircuitForm, read_circuit_values
from tournaments.circuits.web import for_runners, get_circuit_or_404
from tournaments.core.web import Notice, show_notice
from tournaments.models import Circuit, Club

CIRCUITS_PER_PAGE = 50
MAX_NAME = 60


@require_safe
def list_circuits(request: HttpRequest) -> HttpResponse:
    """List the circuits in which somebody has a result, or those of one club, and one's own on top."""
    player = player_for(request.user)
    club = Club.objects.filter(public_id=clean_line(request.GET.get("circolo", ""))).first()
    listed = queries.list_public_circuits("" if club is None else club.public_id)
    page = Paginator(listed, CIRCUITS_PER_PAGE).get_page(request.GET.get("pagina"))
    own = [] if player is None or club is not None else list(queries.list_own_circuits(player))
    kept = "" if club is None else f"&circolo={club.public_id}"
    may_make = player is not None and not player.is_guest
    context = {"circuits": page, "own": own, "club": club, "kept": kept, "may_make": may_make}
    return render(request, "tournaments/circuits/list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def create_circuit(request: HttpRequest) -> HttpResponse:
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(request.get_full_path())
    if player.is_guest:
        messages.info(request, wording.describe_refusal("account_needed", {}), extra_tags="account_needed")
        return redirect(f"{reverse('account_signup')}?next={reverse('circuit-new')}")
    form = CircuitForm(request.POST or None, player=player, initial={"club": request.GET.get("circolo", "")})
    if request.method == "POST" and form.is_valid():
        try:
            circuit = actions.create_circuit(by=player, terms=form.read_terms(), now=timezone.now())
        except CircuitError as error:
            form.refuse(error)
        else:
            show_notice(request, Notice("circuit_made", _("Il circuito c'è. Ora scegli i tornei.")))
            return redirect("circuit-desk", circuit.public_id)
    return render(request, "tournaments/circuits/form.html", {"form": form})


@require_http_methods(["GET", "HEAD", "POST"])
@for_runners
def edit_circuit(request: HttpRequest, circuit: Circuit, player: Player) -> HttpResponse:
    begun = queries.have_terms_begun(circuit)
    form = CircuitForm(
        request.POST or None, player=player, circuit=circuit, begun=begun, initial=read_circuit_values(circuit)
    )
    if request.method == "POST" and form.is_valid():
        try:
            actions.edit_circuit(circuit_id=circuit.pk, by=player, terms=form.read_terms(), now=timezone.now())
        except CircuitError as error:
            form.refuse(error)
        else:
            show_notice(request, Notice("saved", _("Modifiche salvate.")))
            return redirect("circuit-desk", circuit.public_id)
    return render(request, "tournaments/circuits/form.html", {"form": form, "circuit": circuit, "begun": begun})


@require_safe
def show_circuit(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a circuit, each total with what makes it."""
    circuit = get_circuit_or_404(public_id)
    name = clean_line(request.GET.get("nome", ""))[:MAX_NAME]
    number = read_number(request.GET.get("pagina", ""), 1)
    page = read_circuit_page(circuit, player_for(request.user), number=number, name=name)
    return render(request, "tournaments/circuits/circuit.html", {"page": page, "circuit": circuit, "search": name})
