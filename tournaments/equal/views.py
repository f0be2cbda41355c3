"""Pages of equal deals: the commitments and who added what (J9), the travellers of each round (J10), and the address to
which browsers send their numbers."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.models import Commitment
from games.views import build_script
from players.selectors import player_for
from players.web.live import PageContext, render_live
from tournaments.core import refusals
from tournaments.core.errors import TournamentError
from tournaments.core.permissions import may_referee
from tournaments.core.states import ENTERING
from tournaments.core.web import get_tournament_or_404
from tournaments.equal import nonces, queries, team_queries
from tournaments.models import Tournament

SCRIPT = "js/mixing/main.js"
MODULES = ("decks", "dom", "nonces", "sha256")  # of the table's modules


@require_safe
def show_secrets(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the commitments of all rounds, whose numbers are in them, and the way to each round's travellers."""
    tournament = _get_equal_or_404(request, public_id)
    rounds, player = queries.list_rounds(tournament), player_for(request.user)
    stage = rounds[0].commitment.stage if rounds else ""
    context = {
        "tournament": tournament,
        "rounds": rounds,
        "stage": stage,
        "may_prepare": tournament.venue.types_results and may_referee(tournament, player),
        "fixed": stage == Commitment.Stage.FIXED,
        "nonces": rounds[0].commitment.nonces if rounds else [],
        "members": queries.list_mixing(tournament) if stage != Commitment.Stage.FIXED else [],
        **build_mixing(request, tournament),
    }
    return render_live(request, "tournaments/equal/secrets.html", context)


@require_safe
def show_traveller(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Show a round deal by deal, at all tables, once nobody plays it any more; before, that it waits."""
    tournament = _get_equal_or_404(request, public_id)
    round_ = queries.find_round(tournament, number)
    if round_ is None:
        raise Http404
    context = {
        "tournament": tournament,
        "round": round_,
        "traveller": queries.read_traveller(tournament, round_, player_for(request.user)),
    }
    return render(request, "tournaments/equal/traveller.html", context)


@require_safe
def show_team_match(request: HttpRequest, public_id: str, number: int, board: int) -> HttpResponse:
    """Show a match of two teams: who plays at its tables, and deal by deal once nobody plays the round any more."""
    tournament = _get_equal_or_404(request, public_id)
    round_ = queries.find_round(tournament, number) if tournament.entry_kind.exchanges_seats else None
    if round_ is None:
        raise Http404
    match = team_queries.read_team_match(tournament, round_, board, player_for(request.user))
    if match is None:
        raise Http404
    context = {"tournament": tournament, "round": round_, "board": board, "match": match}
    return render(request, "tournaments/equal/team_match.html", context)


@never_cache
@require_POST
def add_number(request: HttpRequest, public_id: str) -> HttpResponse:
    """Take the hash of a browser's number, or the number; 409 with the reason where it is refused."""
    player = player_for(request.user)
    tournament = _get_equal_or_404(request, public_id)
    if player is None:
        raise Http404
    now = timezone.now()
    try:
        if "nonce" in request.POST:
            nonces.add_nonce(tournament_id=tournament.pk, player=player, nonce=request.POST["nonce"], now=now)
        else:
            digest = request.POST.get("hash", "")
            nonces.add_hash(tournament_id=tournament.pk, player=player, digest=digest, now=now)
    except TournamentError as error:
        refused = {"code": error.code, "error": refusals.describe_refusal(error.code, error.values)}
        return JsonResponse(refused, status=409)
    return HttpResponse(status=204)


def build_mixing(request: HttpRequest, tournament: Tournament) -> PageContext:
    """Return the script by which a reader's browser adds its number, and the panel it reads, once it may; nothing after
    the draw."""
    if not tournament.equal_deals or tournament.state not in ENTERING:
        return {}
    return {"mixing": queries.read_panel(tournament, player_for(request.user)), **build_script(SCRIPT, MODULES)}


def _get_equal_or_404(request: HttpRequest, public_id: str) -> Tournament:
    tournament = get_tournament_or_404(request, public_id)
    if not tournament.equal_deals:
        raise Http404
    return tournament
