"""The standings of a big tournament, a page at a time, with a search by name: for everybody, and without scripts."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_GET

from players.names import LONGEST_NAME
from players.selectors import player_for
from players.text import clean_line
from tournaments.selectors.ranks import ranks
from tournaments.views.acts import found_for


@require_GET
def ranks_page(request: HttpRequest, public_id: str) -> HttpResponse:
    """``pagina``: its number; ``nome``: only who is called about so."""
    found = found_for(request, public_id)
    if found.drawn_at is None:
        raise Http404
    asked = request.GET.get("pagina", "1")
    number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 6 else 1
    name = clean_line(request.GET.get("nome", ""))[:LONGEST_NAME]
    shown = ranks(found, player_for(request.user), number=number, name=name)
    context = {"tournament": found, "page": shown, "name": name}
    live = request.headers.get("HX-Target") == "live"
    response = render(request, f"tournaments/{'_ranks_live' if live else 'ranks'}.html", context)
    patch_vary_headers(response, ["HX-Target"])
    if live:
        response["Cache-Control"] = "no-store"
    return response
