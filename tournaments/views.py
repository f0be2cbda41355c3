"""The tournaments' pages. They parse, call one service or selector, and answer; words come from ``words``."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.views import redirect_to_login
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games.models import Seat
from players import services as people
from players import words as people_words
from players.models import Player
from players.selectors import player_of
from tournaments import selectors, services, words
from tournaments.forms import TournamentForm, initial_of
from tournaments.models import Tournament
from tournaments.services import TournamentError

JUST_CLICKED = "gioca"  # in the address of who has just clicked "Gioca subito": the page takes him to his table


def open_table(request: HttpRequest) -> dict[str, Any]:
    """Context of every template (W1): ``open_table``, the reader's open table (url, title); None on its own page."""

    def find() -> dict[str, str] | None:
        player = player_of(getattr(request, "user", None))
        match = getattr(request, "resolver_match", None)
        if player is None or (match is not None and match.url_name == "table"):
            return None
        seat = Seat.objects.filter(player=player, live=True).select_related("match").first()
        if seat is None:
            return None
        return {"url": reverse("table", args=[seat.match.public_id]), "title": seat.match.title}

    return {"open_table": SimpleLazyObject(find)}


def _found(request: HttpRequest, public_id: str) -> Tournament:
    """The tournament of the address, or 404 for what this reader may not know."""
    tournament = selectors.visible(public_id, player_of(request.user))
    if tournament is None:
        raise Http404
    return tournament


def _live(request: HttpRequest) -> bool:
    """Whether only the page's live region was asked for."""
    return request.headers.get("HX-Target") == "live"


def _render(request: HttpRequest, name: str, context: dict[str, Any]) -> HttpResponse:
    """The page, or its live region alone; marked so that no cache gives the one for the other (a browser's "back")."""
    template = f"tournaments/_{name}_live.html" if _live(request) else f"tournaments/{name}.html"
    response = render(request, template, context)
    patch_vary_headers(response, ["HX-Target"])
    if _live(request):
        response["Cache-Control"] = "no-store"
    return response


# --- Pages ---------------------------------------------------------------------------------------------------------


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    lists = selectors.home(player_of(request.user))
    return _render(request, "home", {"lists": lists, "now": timezone.now()})


@require_GET
def tournament(request: HttpRequest, public_id: str) -> HttpResponse:
    player = player_of(request.user)
    found = _found(request, public_id)
    page = selectors.page(found, player)
    entered_by_click = JUST_CLICKED in request.GET and page.entered
    if entered_by_click and page.my_table is not None and not _live(request):
        return redirect("table", page.my_table)
    context = {
        "page": page,
        "tournament": found,
        "now": timezone.now(),
        "goes_to_table": entered_by_click,
        "join_refusal": "" if page.join_refusal is None else words.refusal(page.join_refusal),
        "current_round": next((row.number for row in page.rounds if not row.finished), None),
        "has_people": any(not line.house for line in page.entries),
        "may_edit": page.is_organiser and found.state in (Tournament.State.DRAFT, Tournament.State.OPEN),
    }
    return _render(request, "tournament", context)


@require_GET
def profile(request: HttpRequest) -> HttpResponse:
    """One's own page: who one is, what one has played."""
    player = player_of(request.user)
    if player is None:
        return redirect_to_login(request.get_full_path())
    seats = Seat.objects.filter(player=player, match__status="finished").select_related("match")
    context = {
        "person": player,
        "played": seats.order_by("-match__finished_at")[:20],
        "played_count": seats.count(),
        "entered": selectors.current_of(player)[:20],
        "organised": Tournament.objects.filter(organiser=player).order_by("-created_at")[:20],
    }
    return render(request, "players/profile.html", context)


# --- The organiser -------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    player = player_of(request.user)
    if player is None:
        return redirect_to_login(request.get_full_path())
    if player.is_guest:
        messages.info(request, words.refusal("not_a_member"))
        return redirect(f"{reverse('account_signup')}?next={reverse('tournament-new')}")
    form = TournamentForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        now = timezone.now()
        try:
            with transaction.atomic():  # refused, it leaves no draft behind
                made = services.create(organiser=player, settings=form.settings(), now=now)
                if "publish" in request.POST:
                    services.publish(tournament_id=made.pk, by=player, now=now)
            return redirect("tournament", made.public_id)
        except TournamentError as error:
            form.refuse(error)
    return _form_page(request, form, None)


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, public_id: str) -> HttpResponse:
    found = _found(request, public_id)
    player = player_of(request.user)
    if player is None or found.organiser_id != player.pk:
        raise Http404
    if found.state not in (Tournament.State.DRAFT, Tournament.State.OPEN):
        messages.error(request, words.refusal("drawn"))
        return redirect("tournament", public_id)
    form = TournamentForm(request.POST or None, initial=initial_of(found))
    if request.method == "POST" and form.is_valid():
        try:
            services.edit(tournament_id=found.pk, by=player, settings=form.settings(), now=timezone.now())
        except TournamentError as error:
            form.refuse(error)
        else:
            messages.success(request, _("Modifiche salvate."))
            return redirect("tournament", public_id)
    return _form_page(request, form, found)


def _form_page(request: HttpRequest, form: TournamentForm, found: Tournament | None) -> HttpResponse:
    return render(request, "tournaments/form.html", {"form": form, "tournament": found})


# --- Acts ----------------------------------------------------------------------------------------------------------


def _act(
    request: HttpRequest, public_id: str, act: Callable[[Tournament, Player, datetime], Any], done: str
) -> HttpResponse:
    """Do one thing to a tournament as the reader, say how it went, and go back to its page."""
    found = _found(request, public_id)
    player = player_of(request.user)
    if player is None:
        return redirect_to_login(reverse("tournament", args=[public_id]))
    try:
        act(found, player, timezone.now())
    except TournamentError as error:
        messages.error(request, words.refusal(error.code, error.values))
    else:
        messages.success(request, done)
    return redirect("tournament", public_id)


def _has_room(found: Tournament) -> bool:
    return found.state == Tournament.State.OPEN and found.entries.count() < found.max_entries


@require_POST
def join(request: HttpRequest, public_id: str) -> HttpResponse:
    """Enter; a visitor becomes a guest on the way where guests are allowed."""
    found = _found(request, public_id)
    if player_of(request.user) is None and found.guests_allowed and _has_room(found):
        refused = _let_in(request)
        if refused is not None:
            messages.error(request, refused)
            return redirect("tournament", public_id)
    return _act(
        request,
        public_id,
        lambda it, player, now: services.join(tournament_id=it.pk, player=player, now=now),
        _("Sei iscritto. Quando il tuo tavolo si apre te lo diciamo su ogni pagina."),
    )


@require_POST
def leave(request: HttpRequest, public_id: str) -> HttpResponse:
    return _act(
        request,
        public_id,
        lambda it, player, now: services.leave(tournament_id=it.pk, player=player, now=now),
        _("Non sei più iscritto."),
    )


@require_POST
def publish(request: HttpRequest, public_id: str) -> HttpResponse:
    return _act(
        request,
        public_id,
        lambda it, player, now: services.publish(tournament_id=it.pk, by=player, now=now),
        _("Le iscrizioni sono aperte."),
    )


@require_POST
def fill_with_house(request: HttpRequest, public_id: str) -> HttpResponse:
    """The organiser seats house players on every free place; with the last one a sit and go starts."""

    def act(it: Tournament, player: Player, now: datetime) -> None:
        if it.organiser_id != player.pk:
            raise TournamentError("not_organiser")
        services.enter_house(tournament_id=it.pk, count=it.max_entries, now=now)

    return _act(request, public_id, act, _("I posti liberi sono della casa."))


@require_POST
def cancel(request: HttpRequest, public_id: str) -> HttpResponse:
    return _act(
        request,
        public_id,
        lambda it, player, now: services.cancel(tournament_id=it.pk, by=player, now=now),
        _("Il torneo è annullato."),
    )


@require_POST
def play_now(request: HttpRequest) -> HttpResponse:
    """*Gioca subito*: one click, no account; a seat in the house's standing offer."""
    if player_of(request.user) is None:
        refused = _let_in(request)
        if refused is not None:
            messages.error(request, refused)
            return redirect("home")
    player = player_of(request.user)
    assert player is not None
    try:
        found = services.play_now(player=player, now=timezone.now())
    except TournamentError as error:
        messages.error(request, words.refusal(error.code, error.values))
        return redirect("home")
    return redirect(f"{reverse('tournament', args=[found.public_id])}?{JUST_CLICKED}=1")


def _let_in(request: HttpRequest) -> str | None:
    """Make the visitor a guest and log him in; the words of the refusal where too many came from his address."""
    try:
        guest = people.create_guest(now=timezone.now(), address=request.META.get("REMOTE_ADDR") or "")
    except people.TooManyGuests as error:
        return people_words.refusal(error.code)
    login(request, guest.user)
    return None
