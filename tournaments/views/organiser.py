"""What an organiser does beside setting a tournament up: its texts after the draw, its referees, one made like it."""

from dataclasses import replace
from datetime import datetime

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from players.models import Player
from players.selectors import player_for
from players.text import clean_line
from tournaments import selectors, services, words
from tournaments.models import Tournament
from tournaments.organising import TextsForm
from tournaments.views.acts import act, found_for, try_it


def member_or_away(request: HttpRequest, back: str) -> Player | HttpResponse:
    """The reader, or where he is sent to become one who organises; ``back``: the page he comes back to then."""
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(request.get_full_path())
    if player.is_guest:
        messages.info(request, words.refusal("not_a_member"))
        return redirect(f"{reverse('account_signup')}?next={reverse(back)}")
    return player


def source_of(request: HttpRequest, player: Player) -> Tournament | None:
    """The tournament that another is to be made like, named in the address; 404 for one he doesn't run."""
    if "da" not in request.GET:
        return None
    public_id = clean_line(request.GET["da"])
    return get_object_or_404(selectors.run_by(player).select_related("club"), public_id=public_id)


def edit_texts(request: HttpRequest, found: Tournament, player: Player) -> HttpResponse:
    """What may still be changed after the draw (E2)."""
    begun = {"name": found.name, "description": found.description, "time_zone": found.time_zone}
    form = TextsForm(request.POST or None, initial=begun, rounds=services.rounds_to_come(found, timezone.now()))
    if request.method == "POST" and form.is_valid():
        said = {name: form.cleaned_data[name] for name in ("name", "description")}
        zone = form.cleaned_data["time_zone"] or found.time_zone
        settings = replace(services.settings_of(found), **said, time_zone=zone)

        def save() -> None:
            now = timezone.now()
            services.edit(tournament_id=found.pk, by=player, settings=settings, hours=form.moved(), now=now)

        try_it(request, save, _("Modifiche salvate."))
        return redirect("tournament", found.public_id)
    return render(request, "tournaments/texts_form.html", {"form": form, "tournament": found})


@require_GET
def referees(request: HttpRequest, public_id: str) -> HttpResponse:
    """Where the organiser names them: not on the tournament's page, which is drawn anew while one types."""
    found = found_for(request, public_id)
    if not selectors.may_run(found, player_for(request.user)) or found.state == Tournament.State.CANCELLED:
        raise Http404
    context = {"tournament": found, "referees": selectors.referees_of(found)}
    return render(request, "tournaments/referees.html", context)


def _back(request: HttpRequest, public_id: str, answer: HttpResponse) -> HttpResponse:
    """To that page, for who may see it."""
    found = selectors.visible(public_id, player_for(request.user))
    runs = found is not None and selectors.may_run(found, player_for(request.user))
    return redirect("referees", public_id) if runs else answer


@require_POST
def referee_name(request: HttpRequest, public_id: str) -> HttpResponse:
    def name(it: Tournament, player: Player, now: datetime) -> None:
        services.name_referee(tournament_id=it.pk, by=player, name=request.POST.get("nome", "")[:64], now=now)

    return _back(request, public_id, act(request, public_id, name, _("Nominato: lo sa su ogni pagina che ha aperta.")))


@require_POST
def referee_dismiss(request: HttpRequest, public_id: str) -> HttpResponse:
    found = Player.objects.filter(public_id=clean_line(request.POST.get("chi", ""))).first()

    def dismiss(it: Tournament, player: Player, now: datetime) -> None:
        services.dismiss_referee(tournament_id=it.pk, by=player, player_id=0 if found is None else found.pk, now=now)

    return _back(request, public_id, act(request, public_id, dismiss, _("Non arbitra più questo torneo.")))
