"""The page of training: begin it, go on with it, and look at what one has played.

Who isn't signed in becomes a guest by beginning, as at a free table.
"""

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from games import wording
from games.engine.game import Length
from games.forms import asks_for_options, read_typed
from games.lobby.actions import LobbyRefused, SetupRefused
from games.selectors import list_card_points
from games.training.actions import begin_training
from games.training.forms import TrainingForm
from games.training.queries import list_training
from players.selectors import player_for
from players.views import let_in
from players.wording import describe_crowd


@require_http_methods(["GET", "HEAD", "POST"])
def show_training(request: HttpRequest) -> HttpResponse:
    """Show one's training, and begin another match of it."""
    form = TrainingForm(request.POST or None)
    if request.method == "POST" and (asks_for_options(request.POST) or form.leaves_unseen()):
        scripted = "HX-Request" in request.headers
        return _render(request, TrainingForm(initial=read_typed(TrainingForm, request.POST), scripted=scripted))
    if request.method == "POST" and form.is_valid():
        crowd = let_in(request) if player_for(request.user) is None else None
        player = player_for(request.user)
        if crowd is not None or player is None:
            assert crowd is not None
            form.refuse_at(None, ValidationError(describe_crowd(crowd.code, crowd.wait), code=crowd.code))
            return _render(request, form)
        data = form.cleaned_data
        try:
            match = begin_training(
                player=player,
                ruleset=data["ruleset"],
                players=data["players"],
                length=Length(data["length_kind"], data["length_value"]),
                options=form.chosen_options(),
                turn_timeout=data["turn_timeout"],
                match_clock=data["match_clock"],
                strength=data["strength"],
                now=timezone.now(),
            )
        except SetupRefused as refused:
            form.misfit(refused.fault)
        except LobbyRefused as refused:
            why = wording.describe_lobby_refusal(refused.code, refused.wait)
            form.refuse_at(None, ValidationError(why, code=refused.code))
        else:
            return redirect("table", match.public_id)
    return _render(request, form)


def _render(request: HttpRequest, form: TrainingForm) -> HttpResponse:
    player = player_for(request.user)
    matches = [] if player is None else list_training(player)
    cards = list_card_points(matches)
    trainings = [(match, cards.get(match.pk)) for match in matches]
    return render(request, "games/training.html", {"form": form, "trainings": trainings})
