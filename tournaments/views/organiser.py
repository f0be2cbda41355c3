"""What an organiser does beside setting a tournament up: its texts after the draw, its referees, one made like it."""

from dataclasses import replace
from datetime import datetime

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from players.models import Player
from tournaments import selectors, services, words
from tournaments.models import Tournament
from tournaments.organising import TextsForm
from tournaments.services import TournamentError
from tournaments.views.acts import act


def source_of(request: HttpRequest, player: Player) -> Tournament | None:
    """The tournament that another is to be made like, named in the address; 404 for one he doesn't run."""
    if "da" not in request.GET:
        return None
    return get_object_or_404(selectors.run_by(player).select_related("club"), public_id=request.GET["da"])


def edit_texts(request: HttpRequest, found: Tournament, player: Player) -> HttpResponse:
    """What may still be changed after the draw (E2)."""
    begun = {"name": found.name, "description": found.description, "time_zone": found.time_zone}
    form = TextsForm(request.POST or None, initial=begun)
    if request.method == "POST" and form.is_valid():
        said = {name: form.cleaned_data[name] for name in ("name", "description")}
        zone = form.cleaned_data["time_zone"] or found.time_zone
        settings = replace(services.settings_of(found), **said, time_zone=zone)
        try:
            services.edit(tournament_id=found.pk, by=player, settings=settings, now=timezone.now())
        except TournamentError as error:
            messages.error(request, words.refusal(error.code, error.values))
        else:
            messages.success(request, _("Modifiche salvate."))
        return redirect("tournament", found.public_id)
    return render(request, "tournaments/texts_form.html", {"form": form, "tournament": found})


@require_POST
def referee_name(request: HttpRequest, public_id: str) -> HttpResponse:
    def name(it: Tournament, player: Player, now: datetime) -> None:
        services.name_referee(tournament_id=it.pk, by=player, name=request.POST.get("nome", "")[:64], now=now)

    return act(request, public_id, name, _("Nominato: lo sa su ogni pagina che ha aperta."))


@require_POST
def referee_dismiss(request: HttpRequest, public_id: str) -> HttpResponse:
    found = Player.objects.filter(public_id=request.POST.get("chi", "")).first()

    def dismiss(it: Tournament, player: Player, now: datetime) -> None:
        services.dismiss_referee(tournament_id=it.pk, by=player, player_id=0 if found is None else found.pk, now=now)

    return act(request, public_id, dismiss, _("Non arbitra più questo torneo."))
