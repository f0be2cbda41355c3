"""What goes on paper."""

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from tournaments.core.rows import TournamentPage
from tournaments.core.web import address_of, draw_qr, get_tournament_or_404
from tournaments.pages import tournament_page
from tournaments.pages.public_pages import bracket, cross, ranks, requested_round

PRINTS: dict[str, Callable[[HttpRequest, TournamentPage], dict[str, Any]]] = {
    "iscritti": lambda request, shown: {},
    "turno": requested_round,
    "incrociata": cross,
    "tabellone": bracket,
    "classifica": ranks,
}


@require_GET
def printed(request: HttpRequest, public_id: str, what: str) -> HttpResponse:
    """One thing of the tournament as it goes on paper."""
    found = get_tournament_or_404(request, public_id)
    if what not in PRINTS:
        raise Http404
    shown = tournament_page.read_page(found, None)
    url = address_of(request, found)
    context = {
        "page": shown,
        "tournament": found,
        "what": what,
        "now": timezone.now(),
        "url": url,
        "qr": draw_qr(url),
        **PRINTS[what](request, shown),
    }
    return render(request, f"tournaments/sharing/print/{what}.html", context)
