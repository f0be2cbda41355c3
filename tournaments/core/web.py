"""Helpers of the views of all rooms: the tournament of an address, one-click acts, keys and addresses."""

from collections.abc import Callable, Mapping
from functools import wraps
from ipaddress import ip_address
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

from allauth.core import ratelimit
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import ngettext

from games import wording as game_wording
from players.models import Player, User
from players.selectors import player_for
from players.services.halls import is_hall
from players.web.addresses import is_loopback, make_address, read_client_address
from players.web.requests import show_error
from tournaments.core import refusals, visibility, wording
from tournaments.core.errors import TournamentError
from tournaments.core.permissions import may_referee, may_run
from tournaments.core.rows import TournamentPage
from tournaments.models import Tournament

JUST_CLICKED = "gioca"  # in the address of whoever has just clicked "Gioca subito": the page takes them to their table
KEYS = "tournament_keys"  # in the session: what opens the registration of which tournament
MAX_KEYS = 50


class Notice(NamedTuple):
    """Message of an act that succeeded: its code, which the page carries as ``data-notice``, and its sentence."""

    code: str
    text: str


def show_notice(request: HttpRequest, notice: Notice) -> None:
    """Show on the next page that an act succeeded."""
    messages.success(request, notice.text, extra_tags=notice.code)


def show_refusal(request: HttpRequest, code: str, values: Mapping[str, Any] | None = None) -> None:
    """Show on the next page why an act was refused."""
    show_error(request, refusals.describe_refusal(code, values), code)


def run_act(
    request: HttpRequest,
    public_id: str,
    service: Callable[..., Any],
    done: Notice | Callable[[Any], Notice],
    *,
    actor: Literal["player", "by"] = "player",
    **values: Any,
) -> HttpResponse:
    """Call a service of a tournament for the reader, show how it went, and go back to the tournament's page.

    The service is given ``tournament_id``, ``now``, the reader as ``actor``, and ``values``. ``done`` may depend on its
    result.
    """
    tournament = get_tournament_or_404(request, public_id)
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(reverse("tournament", args=[public_id]))
    values |= {"tournament_id": tournament.pk, actor: player, "now": timezone.now()}
    run_and_report(request, service, done, **values)
    return redirect("tournament", public_id)


def run_and_report(
    request: HttpRequest, service: Callable[..., Any], done: Notice | Callable[[Any], Notice], **values: Any
) -> None:
    """Call a service with these values, and say on the next page how it went."""
    try:
        result = service(**values)
    except TournamentError as error:
        show_refusal(request, error.code, error.values)
    else:
        show_notice(request, done(result) if callable(done) else done)


def count_list(request: HttpRequest, user: User | None = None) -> HttpResponse | None:
    """Count a look at a list of people or results that waits to be mended, or a check of it, by the account (AT6).
    Return the answer, 429, to too many; None for all others."""
    action = "list_looks" if request.method in ("GET", "HEAD") else "list_checks"
    refused: HttpResponse | None = ratelimit.consume_or_429(
        request, action=action, config=settings.LIST_RATES, user=user, limit_get=True
    )
    return refused


def count_files(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Return a view that counts who asks for its files or sheets, by their account or a visitor's address, and answers
    429 to too many: each is made for whoever asks (AT6)."""

    @wraps(view)
    def count_and_show(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        has_account = request.user.is_authenticated
        refused: HttpResponse | None = None
        if has_account or not is_hall(address=read_client_address(request), now=timezone.now()):
            action = "files_of_account" if has_account else "files_of_visitor"
            refused = ratelimit.consume_or_429(request, action=action, config=settings.FILE_RATES, limit_get=True)
        return view(request, *args, **kwargs) if refused is None else refused

    return count_and_show


def get_tournament_or_404(request: HttpRequest, public_id: str) -> Tournament:
    """Return the tournament of the address, or 404 for what this reader may not know."""
    tournament = visibility.find_visible(public_id, player_for(request.user))
    if tournament is None:
        raise Http404
    return tournament


def get_managed_or_404(request: HttpRequest, public_id: str) -> tuple[Tournament, Player]:
    """Return the tournament of the address and the reader, who runs it; 404 for everybody else."""
    tournament = get_tournament_or_404(request, public_id)
    player = player_for(request.user)
    if player is None or not may_run(tournament, player):
        raise Http404
    return tournament, player


def get_refereed_or_404(request: HttpRequest, public_id: str) -> tuple[Tournament, Player]:
    """Return the tournament of the address and the reader, who referees it (F1); 404 for everybody else."""
    tournament = get_tournament_or_404(request, public_id)
    player = player_for(request.user)
    if player is None or not may_referee(tournament, player):
        raise Http404
    return tournament, player


def keep_key(request: HttpRequest, tournament: Tournament, key: str) -> None:
    """Store the link's token or the code this browser has shown for a tournament (E3); the latest few are kept."""
    kept = {name: value for name, value in request.session.get(KEYS, {}).items() if name != tournament.public_id}
    request.session[KEYS] = dict([*kept.items(), (tournament.public_id, key[:64])][-MAX_KEYS:])


def read_key(request: HttpRequest, tournament: Tournament) -> str:
    """Return the link's token or the code this browser has shown for a tournament; empty for none."""
    return str(request.session.get(KEYS, {}).get(tournament.public_id, ""))


def get_address(request: HttpRequest, tournament: Tournament) -> str:
    """Return the public address of the tournament."""
    return build_address(request, "tournament", tournament.public_id)


def build_address(request: HttpRequest, name: str, *args: str) -> str:
    """Return an address that others can open too.

    Read on the machine that serves the network (O9), it isn't the loopback, which leads every telephone to itself.
    """
    return make_address(request, reverse(name, args=args))


def find_network_address(request: HttpRequest, tournament: Tournament) -> str:
    """Return the tournament's address where the site is a machine of its reader's own network, on plain http (O9).

    Empty where only that machine itself reaches it, and where the site has a name of its own.
    """
    address = get_address(request, tournament)
    parts = urlsplit(address)
    try:
        private = ip_address(parts.hostname or "").is_private
    except ValueError:
        return ""
    return address if parts.scheme == "http" and private and not is_loopback(parts.netloc) else ""


def is_alone(request: HttpRequest, tournament: Tournament) -> bool:
    """Tell if only this machine itself reaches the site (O9): no telephone opens what is printed here."""
    return is_loopback(urlsplit(get_address(request, tournament)).netloc)


def describe_for_social(shown: TournamentPage) -> str:
    """Return the description other sites show beside the tournament's address."""
    tournament = shown.header.tournament
    facts = [
        wording.name_ruleset(tournament.ruleset),
        wording.name_format(tournament.format),
        game_wording.describe_length(tournament.length_kind, tournament.length_value),
        ngettext("%(n)d iscritto", "%(n)d iscritti", shown.header.total) % {"n": shown.header.total},
        str(tournament.get_state_display()),
    ]
    return " · ".join(facts)
