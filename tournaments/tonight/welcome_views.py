"""The page that follows a sign-up: a face, a deck, the first game; then the table or the lobby."""

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from games.lobby.kinds import OPTION_SETS, SeekKind
from games.lobby.tiles import GameTile
from players.forms import WelcomeForm
from players.models import User
from players.selectors import player_for

FIRST_GAMES = ("scopa", "briscola", "tresette", "scopone")
SAME_REQUEST = 307  # the status of a redirect that is followed with the form that was sent


@require_http_methods(["GET", "HEAD", "POST"])
def welcome(request: HttpRequest) -> HttpResponse:
    """Show the first steps of a member; keep the face and the deck that were chosen, and seek the game, if one was."""
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(request.get_full_path())
    user = User.objects.select_related("player").get(pk=player.user_id)
    form = WelcomeForm(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        form.save()
        if "game" not in request.POST:
            return redirect("lobby")
        return HttpResponse(status=SAME_REQUEST, headers={"Location": reverse("seek")})
    return render(request, "tournaments/tonight/welcome.html", {"form": form, "games": list_first_games()})


def list_first_games() -> list[GameTile]:
    """Return the games that a newcomer is offered first, each as it is usually played."""
    games = []
    for ruleset in FIRST_GAMES:
        option_set, terms = next(iter(OPTION_SETS[ruleset].items()))
        games.append(GameTile(SeekKind(ruleset=ruleset, option_set=option_set, form=terms.forms[0]), waiting=0))
    return games
