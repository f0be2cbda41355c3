"""Shared by the views of circuits: the circuit of an address, who runs it, and refusals."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse

from players.selectors import player_for
from players.web.requests import show_error
from tournaments.circuits import wording
from tournaments.circuits.errors import CircuitError
from tournaments.circuits.queries import find_circuit, may_run_circuit
from tournaments.models import Circuit

CircuitView = Callable[..., HttpResponse]


def get_circuit_or_404(public_id: str) -> Circuit:
    """Return the circuit of the address; Http404 for none."""
    circuit = find_circuit(public_id)
    if circuit is None:
        raise Http404
    return circuit


def for_runners(view: CircuitView) -> CircuitView:
    """Give a view the circuit of its address and the reader, who runs it; 404 for everybody else."""

    @wraps(view)
    def show(request: HttpRequest, public_id: str, **values: Any) -> HttpResponse:
        player = player_for(request.user)
        if player is None:
            return redirect_to_login(request.get_full_path())
        circuit = get_circuit_or_404(public_id)
        if not may_run_circuit(circuit, player):
            raise Http404
        return view(request, circuit, player, **values)

    return show


def show_circuit_refusal(request: HttpRequest, error: CircuitError) -> None:
    """Say on the next page why an act was refused."""
    say(request, error.code, error.values)


def say(request: HttpRequest, code: str, values: Mapping[str, Any]) -> None:
    """Show a refusal on the next page."""
    show_error(request, wording.describe_refusal(code, values), code)
