"""The tournaments' pages: the lists, one tournament, the organiser's forms, and what every page of the site shows."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from games import selectors as tables
from games.forms import asks_for_options, typed
from games.lobby import lists as free_tables
from games.models import Seat
from players.models import Player
from players.selectors import player_for
from tournaments import selectors, services, words
from tournaments.forms import PlacesForm, TournamentForm, initial_of
from tournaments.models import Tournament
from tournaments.selectors import part
from tournaments.selectors.desk import has_referee, rulings
from tournaments.selectors.rights import may_referee
from tournaments.services import TournamentError
from tournaments.views.acts import JUST_CLICKED, found_for, key_of
from tournaments.views.organiser import edit_texts, member_or_away, source_of
from tournaments.views.public import addresses, parts, wanted

PAIR_PAGES = ("tournament", "pair", "pair-link")


def open_table(request: HttpRequest) -> dict[str, Any]:
    """Context of every template (W1).

    ``open_table``: the reader's open table (url, title), None on its own page; ``pair_invitations``: the pairs that ask
    for him, but for those of the tournament whose page this is, which shows them itself; ``notice_words``: what the
    script says when a notice comes in; ``table_counts_for_nothing``: this is a table of a cancelled tournament.
    """

    def find() -> dict[str, str] | None:
        player = player_for(getattr(request, "user", None))
        match = getattr(request, "resolver_match", None)
        if player is None or (match is not None and match.url_name == "table"):
            return None
        seat = Seat.objects.filter(player=player, live=True).select_related("match").first()
        if seat is None:
            return None
        return {"url": reverse("table", args=[seat.match.public_id]), "title": seat.match.title}

    def asked() -> list[selectors.Invitation]:
        player = player_for(getattr(request, "user", None))
        match = getattr(request, "resolver_match", None)
        here = match.kwargs.get("public_id") if match is not None and match.url_name in PAIR_PAGES else None
        at_table = match is not None and match.url_name == "table"
        found = () if player is None or at_table else selectors.invitations(player)
        return [each for each in found if each.tournament.public_id != here]

    def called_off() -> bool:
        match = getattr(request, "resolver_match", None)
        if match is None or match.url_name != "table":
            return False
        return selectors.called_off(match.kwargs["public_id"])

    def calls_referee() -> bool:
        match = getattr(request, "resolver_match", None)
        return match is not None and match.url_name == "table" and has_referee(match.kwargs["public_id"])

    return {
        "table_has_referee": SimpleLazyObject(calls_referee),
        "table_counts_for_nothing": SimpleLazyObject(called_off),
        "open_table": SimpleLazyObject(find),
        "pair_invitations": SimpleLazyObject(asked),
        "notice_words": words.notices,
    }


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
    player = player_for(request.user)
    lists = selectors.home(player)
    there = () if player is None else selectors.to_check_in(player)
    context = {"lists": lists, "to_check_in": there, "now": timezone.now(), **free_tables(request)}
    return _render(request, "home", context)


@require_GET
def tournament(request: HttpRequest, public_id: str) -> HttpResponse:
    player = player_for(request.user)
    found = found_for(request, public_id)
    page = part.page(found, player, wanted(request), key_of(request, found))
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
        "link": _link(request, page),
        **parts(page),
        **addresses(request, page),
        "reports": selectors.reports_of(found, page, staff=request.user.is_staff),
        "rulings": rulings(found, page.entries),
        "may_referee": found.drawn_at is not None and may_referee(found, player),
        "may_edit": page.is_organiser and found.state in selectors.UNDRAWN,
        "may_edit_texts": page.is_organiser and found.state == Tournament.State.RUNNING,
        "referees": selectors.referees_of(found),
    }
    return _render(request, "tournament", context)


def _link(request: HttpRequest, page: selectors.TournamentPage) -> str:
    """The address the reader may send to whom he wants as his partner; empty where he waits for none."""
    if page.waiting is None or not page.waiting.token:
        return ""
    return request.build_absolute_uri(reverse("pair-link", args=[page.tournament.public_id, page.waiting.token]))


@require_GET
def profile(request: HttpRequest) -> HttpResponse:
    """One's own page: who one is, what one has played."""
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(request.get_full_path())
    context = {
        "person": player,
        "played": tables.played(player, latest=20),
        "played_count": tables.played_count(player),
        "entered": selectors.current_of(player)[:20],
        "organised": Tournament.objects.filter(organiser=player).order_by("-created_at")[:20],
    }
    return render(request, "players/profile.html", context)


# --- The organiser -------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    player = member_or_away(request, "tournament-new")
    if isinstance(player, HttpResponse):
        return player
    source = source_of(request, player)
    form = TournamentForm(request.POST or None, initial=_beginning(request, source), organiser=player)
    if request.method == "POST" and (asks_for_options(request.POST) or form.leaves_unseen()):
        return _form_page(request, _again(request, player, None), None)
    if request.method == "POST" and form.is_valid():
        now = timezone.now()
        try:
            with transaction.atomic():  # refused, it leaves no draft behind
                made = services.create(organiser=player, settings=form.settings(), now=now)
                if source is not None:
                    services.copy_referees(source=source, tournament=made)
                if "publish" in request.POST:
                    services.publish(tournament_id=made.pk, by=player, now=now)
            return redirect("tournament", made.public_id)
        except TournamentError as error:
            form.refuse(error)
    return _form_page(request, form, None)


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, public_id: str) -> HttpResponse:
    found = found_for(request, public_id)
    player = player_for(request.user)
    if player is None or not selectors.may_run(found, player):
        raise Http404
    if found.state == Tournament.State.RUNNING:
        return edit_texts(request, found, player)
    if found.state not in selectors.UNDRAWN:
        messages.error(request, words.refusal("over"))
        return redirect("tournament", public_id)
    form = TournamentForm(request.POST or None, initial=initial_of(found), organiser=player, of=found)
    if request.method == "POST" and (asks_for_options(request.POST) or form.leaves_unseen()):
        return _form_page(request, _again(request, player, found), found)
    if request.method == "POST" and form.is_valid():
        try:
            services.edit(tournament_id=found.pk, by=player, settings=form.settings(), now=timezone.now())
        except TournamentError as error:
            form.refuse(error)
        else:
            messages.success(request, _("Modifiche salvate."))
            return redirect("tournament", public_id)
    return _form_page(request, form, found)


def _beginning(request: HttpRequest, source: Tournament | None) -> dict[str, Any]:
    """What a new form begins with: a tournament's settings but for its hour, or the club one comes from."""
    if source is None:
        return {"club": request.GET.get("circolo", "")}
    return {**initial_of(source), "starts_at": None, "round_hours": ()}


def _again(request: HttpRequest, player: Player, found: Tournament | None) -> TournamentForm:
    """The form with what was typed, and the options of what is chosen in it."""
    scripted = "HX-Request" in request.headers
    return TournamentForm(initial=typed(TournamentForm, request.POST), scripted=scripted, organiser=player, of=found)


def _form_page(request: HttpRequest, form: TournamentForm, found: Tournament | None) -> HttpResponse:
    return render(request, "tournaments/form.html", {"form": form, "tournament": found})


@require_http_methods(["GET", "HEAD", "POST"])
def seeds(request: HttpRequest, public_id: str) -> HttpResponse:
    """The organiser puts the entries in order (K1)."""
    found = found_for(request, public_id)
    player = player_for(request.user)
    if player is None or not selectors.may_run(found, player) or found.seeding != Tournament.Seeding.ORGANISER:
        raise Http404
    entered = sorted(selectors.lines(found).values(), key=lambda line: (line.placed is None, line.placed or 0))
    form = PlacesForm(entered, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            services.place(tournament_id=found.pk, by=player, places=form.places(), now=timezone.now())
        except TournamentError as error:
            messages.error(request, words.refusal(error.code, error.values))
        else:
            messages.success(request, _("Teste di serie salvate."))
        return redirect("tournament", public_id)
    return render(request, "tournaments/seeds.html", {"form": form, "tournament": found})
