"""What is done by one click: enter, leave, publish, fill, cancel, *Gioca subito*. Each calls one service and goes back.

Words come from ``words``; who may do what is decided by the services.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from players.models import Player
from players.selectors import player_of
from players.views import let_in
from tournaments import selectors, services, words
from tournaments.models import Tournament
from tournaments.services import TournamentError

JUST_CLICKED = "gioca"  # in the address of who has just clicked "Gioca subito": the page takes him to his table


def act(
    request: HttpRequest, public_id: str, service: Callable[[Tournament, Player, datetime], Any], done: str
) -> HttpResponse:
    """Do one thing to a tournament as the reader, say how it went, and go back to its page."""
    found = found_for(request, public_id)
    player = player_of(request.user)
    if player is None:
        return redirect_to_login(reverse("tournament", args=[public_id]))
    try:
        service(found, player, timezone.now())
    except TournamentError as error:
        messages.error(request, words.refusal(error.code, error.values))
    else:
        messages.success(request, done)
    return redirect("tournament", public_id)


def found_for(request: HttpRequest, public_id: str) -> Tournament:
    """The tournament of the address, or 404 for what this reader may not know."""
    tournament = selectors.visible(public_id, player_of(request.user))
    if tournament is None:
        raise Http404
    return tournament


def has_room(found: Tournament) -> bool:
    """Whether it makes sense to let a visitor in as a guest."""
    return found.state == Tournament.State.OPEN and found.entries.count() < found.max_entries


@require_POST
def join(request: HttpRequest, public_id: str) -> HttpResponse:
    """Enter; a visitor becomes a guest on the way where guests are allowed."""
    found = found_for(request, public_id)
    if player_of(request.user) is None and found.guests_allowed and has_room(found):
        refused = let_in(request)
        if refused is not None:
            messages.error(request, refused)
            return redirect("tournament", public_id)
    return act(
        request,
        public_id,
        lambda it, player, now: services.join(tournament_id=it.pk, player=player, now=now),
        _("Sei iscritto. Quando il tuo tavolo si apre te lo diciamo su ogni pagina."),
    )


@require_POST
def leave(request: HttpRequest, public_id: str) -> HttpResponse:
    return act(
        request,
        public_id,
        lambda it, player, now: services.leave(tournament_id=it.pk, player=player, now=now),
        _("Non sei più iscritto."),
    )


@require_POST
def publish(request: HttpRequest, public_id: str) -> HttpResponse:
    return act(
        request,
        public_id,
        lambda it, player, now: services.publish(tournament_id=it.pk, by=player, now=now),
        _("Le iscrizioni sono aperte."),
    )


@require_POST
def fill_with_house(request: HttpRequest, public_id: str) -> HttpResponse:
    """The organiser seats house players on every free place; with the last one a sit and go starts."""

    def fill(it: Tournament, player: Player, now: datetime) -> None:
        if not selectors.may_run(it, player):
            raise TournamentError("not_organiser")
        services.enter_house(tournament_id=it.pk, count=it.max_entries, now=now)

    return act(request, public_id, fill, _("I posti liberi sono della casa."))


@require_POST
def cancel(request: HttpRequest, public_id: str) -> HttpResponse:
    return act(
        request,
        public_id,
        lambda it, player, now: services.cancel(tournament_id=it.pk, by=player, now=now),
        _("Il torneo è annullato."),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def play_now(request: HttpRequest) -> HttpResponse:
    """*Gioca subito*: one click, no account; a seat in the house's standing offer, in a pair if that was asked for.

    Who only comes by (a reload, a login that leads back here) finds the button on the home page: a GET seats nobody.
    """
    if request.method != "POST":
        return redirect("home")
    if player_of(request.user) is None:
        refused = let_in(request)
        if refused is not None:
            messages.error(request, refused)
            return redirect("home")
    player = player_of(request.user)
    assert player is not None
    try:
        found = services.play_now(player=player, now=timezone.now(), seats=2 if "coppia" in request.POST else 1)
    except TournamentError as error:
        messages.error(request, words.refusal(error.code, error.values))
        return redirect("home")
    return redirect(f"{reverse('tournament', args=[found.public_id])}?{JUST_CLICKED}=1")
