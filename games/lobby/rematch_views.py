"""The rematch of a free match (B5): asked for at the table's end or on the result's page, and how far it has come."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games import selectors, wording
from games.engine.record import Json
from games.lobby import rematches
from games.lobby.actions import LobbyRefused
from games.lobby.wording import describe_rematch
from games.models import FreeTable, Match
from players.models import Player
from players.selectors import player_for
from players.web.requests import show_error


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def ask_rematch(request: HttpRequest, public_id: str) -> HttpResponse:
    """Ask for a rematch, or read how far it has come. A script is answered in JSON; a form is led to the next table,
    or back to the result."""
    match = get_object_or_404(Match, public_id=public_id)
    player, now = player_for(request.user), timezone.now()
    if selectors.find_viewpoint(match, player, now).is_refused or not FreeTable.objects.filter(match=match).exists():
        raise Http404
    by_script = not request.accepts("text/html")
    refused = ""
    if request.method == "POST":
        refused = _ask(match, player)
    if by_script:
        return JsonResponse({**_build_stand(match, player), "refused": refused})
    if refused:
        show_error(request, wording.describe_lobby_refusal(refused), refused)
    stand = rematches.read_stand(match, player, now)
    if stand is not None and stand.rematch is not None and stand.rematch.match is not None and not refused:
        return redirect("table", stand.rematch.match.public_id)
    return redirect("match-result", public_id)


def _ask(match: Match, player: Player | None) -> str:
    """Ask for the rematch; the code of the refusal, "" where there was none."""
    if player is None:
        return "not_here"
    try:
        rematches.ask_rematch(match_id=match.pk, player=player, now=timezone.now())
    except LobbyRefused as error:
        return error.code
    return ""


def _build_stand(match: Match, player: Player | None) -> Json:
    """Return how far the rematch has come, for the table's script."""
    stand = rematches.read_stand(match, player, timezone.now())
    if stand is None:
        none: Json = {"open": False, "asked": False, "wanted": False, "seconds": 0}
        return {**none, "words": "", "url": None, "won": [0, 0], "drawn": 0}
    following = None if stand.rematch is None else stand.rematch.match
    return {
        "open": stand.open,
        "asked": stand.has_asked,
        "wanted": bool(stand.asking) and not stand.has_asked,
        "seconds": stand.seconds if stand.open else 0,
        "words": describe_rematch(stand.reader, stand.asking, stand.missing) if stand.open else "",
        "url": None if following is None else reverse("table", args=[following.public_id]),
        "won": list(stand.evening.won),
        "drawn": stand.evening.drawn,
    }
