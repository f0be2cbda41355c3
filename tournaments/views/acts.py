"""What is done by one click: enter, leave, publish, fill, cancel, *Gioca subito*. Each calls one service and goes back.

Words come from ``words``; who may do what is decided by the services.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from players.models import Player
from players.selectors import player_for
from players.views import let_in
from tournaments import selectors, services, words
from tournaments.models import Entry, Tournament
from tournaments.services import TournamentError

JUST_CLICKED = "gioca"  # in the address of who has just clicked "Gioca subito": the page takes him to his table

KEYS = "tournament_keys"  # in the session: what opens the registration of which tournament
KEPT = 50


def act(
    request: HttpRequest,
    public_id: str,
    service: Callable[[Tournament, Player, datetime], Any],
    done: str | Callable[[Any], str],
) -> HttpResponse:
    """Do one thing to a tournament as the reader, say how it went, and go back to its page. ``done`` may depend on what
    the service gave."""
    found = found_for(request, public_id)
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(reverse("tournament", args=[public_id]))
    try_it(request, lambda: service(found, player, timezone.now()), done)
    return redirect("tournament", public_id)


def try_it(request: HttpRequest, service: Callable[[], Any], done: str | Callable[[Any], str]) -> None:
    """Call a service, and say on the next page how it went."""
    try:
        result = service()
    except TournamentError as error:
        messages.error(request, words.refusal(error.code, error.values))
    else:
        messages.success(request, done(result) if callable(done) else done)


def found_for(request: HttpRequest, public_id: str) -> Tournament:
    """The tournament of the address, or 404 for what this reader may not know."""
    tournament = selectors.visible(public_id, player_for(request.user))
    if tournament is None:
        raise Http404
    return tournament


def has_room(request: HttpRequest, found: Tournament) -> bool:
    """Whether it makes sense to let a visitor in: he could enter, or wait for a place if he wants to."""
    entries = found.entries.in_place().count()
    refusal = selectors.refusal_to_join(found, None, entered=False, entries=entries, key=key_of(request, found))
    asks = found.registration == Tournament.Registration.APPROVAL
    somebody = refusal in ("not_signed_in", "account_needed")
    return somebody and (entries < found.max_entries or wants_to_wait(request) or asks)


def wants_to_wait(request: HttpRequest) -> bool:
    """Whether he would also be on the waiting list (E3)."""
    return "attesa" in request.POST


def keep_key(request: HttpRequest, found: Tournament, key: str) -> None:
    """This browser has shown the link or the code of a tournament (E3); the latest few are kept."""
    kept = {name: value for name, value in request.session.get(KEYS, {}).items() if name != found.public_id}
    request.session[KEYS] = dict([*kept.items(), (found.public_id, key[:64])][-KEPT:])


def key_of(request: HttpRequest, found: Tournament) -> str:
    """The link's token or the code this browser has shown for a tournament; empty for none."""
    return str(request.session.get(KEYS, {}).get(found.public_id, ""))


def warned(request: HttpRequest, found: Tournament, *, asked: bool = False) -> HttpResponse | None:
    """The page that names the tournaments that would want the reader at the same time (E8), once before he enters; None
    where there are none, he was warned already, or he couldn't enter anyway. What he was about to do is posted again
    from there. ``asked``: somebody's partner, who needs no key."""
    player = player_for(request.user)
    if player is None or "comunque" in request.POST:
        return None
    refusal = selectors.refusal_to_join(found, player, entered=False, entries=0, key=key_of(request, found))
    if refusal is not None and not asked:
        return None
    others = selectors.colliding(found, player, timezone.now())
    if not others:
        return None
    again = [(name, value) for name in request.POST for value in request.POST.getlist(name)]
    context = {
        "tournament": found,
        "others": others,
        "again": [each for each in again if each[0] != "csrfmiddlewaretoken"],
    }
    return render(request, "tournaments/collision.html", context)


def came(entry: Entry) -> str:
    """What one is told who has just entered alone."""
    if not entry.approved:
        return _("Richiesta mandata: chi organizza risponde, e te lo diciamo su ogni pagina.")
    if entry.waiting_since is not None:
        return _("Sei in lista d'attesa: se si libera un posto e tocca a te, te lo diciamo su ogni pagina.")
    return _("Sei iscritto. Quando il tuo tavolo si apre te lo diciamo su ogni pagina.")


@require_POST
def join(request: HttpRequest, public_id: str) -> HttpResponse:
    """Enter; a visitor becomes a guest on the way where guests are allowed."""
    found = found_for(request, public_id)
    collides = warned(request, found)
    if collides is not None:
        return collides
    key, wait = key_of(request, found), wants_to_wait(request)
    if player_for(request.user) is None and found.guests_allowed and has_room(request, found):
        refused = let_in(request)
        if refused is not None:
            messages.error(request, refused)
            return redirect("tournament", public_id)
    return act(
        request,
        public_id,
        lambda it, player, now: services.join(tournament_id=it.pk, player=player, now=now, key=key, wait=wait),
        came,
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
    if player_for(request.user) is None:
        refused = let_in(request)
        if refused is not None:
            messages.error(request, refused)
            return redirect("home")
    player = player_for(request.user)
    assert player is not None
    try:
        found = services.play_now(player=player, now=timezone.now(), seats=2 if "coppia" in request.POST else 1)
    except TournamentError as error:
        messages.error(request, words.refusal(error.code, error.values))
        return redirect("home")
    return redirect(f"{reverse('tournament', args=[found.public_id])}?{JUST_CLICKED}=1")
