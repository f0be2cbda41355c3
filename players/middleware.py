"""Language and time zone of the reader (E7), the page of an act's address, how much people send, the hour they were
last seen, and the time a request may take of the database (AT6).

Language: the reader's choice, else what Django's LocaleMiddleware finds. Zone: the reader's choice, else the browser's
(a cookie set by live.js, believed only if it names a zone), else the site's.
"""

import logging
import zoneinfo
from collections.abc import Callable
from datetime import timedelta

from allauth.core import ratelimit
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import OperationalError, connection
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import Resolver404, is_valid_path, resolve, reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from players.api.problems import send_problem
from players.browser_marks import keep_browser, note_request_marks
from players.caps import WEB_TRANSACTION_SECONDS
from players.db_limits import TransactionLimit, is_out_of_time
from players.selectors import is_suspended, list_time_zones, player_for
from players.services.halls import is_hall
from players.services.players import touch_seen
from players.services.sessions import note_session
from players.web.addresses import is_from_network, read_client_address
from players.web.requests import speak_to_reader
from players.wording import describe_throttling

logger = logging.getLogger(__name__)

ZONE_COOKIE = "timezone"
CLOSED_TO_NETWORK = ("/account/", "/admin/")
LEFT_TO_SUSPENDED = {
    "own-moderation",
    "moderation-read",
    "moderation-appeal",
    "account_logout",
    "language",
    "privacy",
    "account-delete",
}
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
POST_RETRY_SECONDS = 60  # seconds: the window of the nearest rate
RETRY_SECONDS = 5  # seconds until a browser or a program may try again


class DatabaseLimitsMiddleware:
    """Middleware that ends a request whose transaction lasts too long, and answers what ran out of time: nothing of it
    was written, and it may be tried again."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with connection.execute_wrapper(TransactionLimit(WEB_TRANSACTION_SECONDS)):
            return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, OperationalError) or not is_out_of_time(exception):
            return None
        view = "" if request.resolver_match is None else request.resolver_match.view_name
        logger.warning("a request ran out of time on the database: %s %s", request.method, view, exc_info=exception)
        headers = {"Retry-After": str(RETRY_SECONDS), "Cache-Control": "no-store"}
        if not request.accepts("text/html") or request.path.startswith("/api/"):
            detail = _("Il tavolo è affollato: non è cambiato niente. Riprova tra un momento.")
            return send_problem(503, "busy", detail, headers)
        # Without the reader, for whom the database would be asked again.
        return HttpResponse(render_to_string("503.html"), status=503, headers=headers)


class NetworkMiddleware:
    """Middleware of a laptop in a hall (O9): on plain http passwords, keys and sessions of accounts stay on the machine
    itself. Whoever asks from another one is a visitor or a guest; the pages of accounts and of the staff are closed."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not is_from_network(request):
            return self.get_response(request)
        if request.path.startswith(CLOSED_TO_NETWORK):
            return answer_only_here(request)
        if "Authorization" in request.headers and request.path.startswith("/api/"):
            return send_problem(403, "only_here", _("Senza https le chiavi valgono solo sul computer del sito."))
        player = player_for(request.user)
        if player is None or not player.is_guest:
            request.user = AnonymousUser()
            request._cached_user = request.user  # type: ignore[attr-defined]  # of Django's own middleware
        return self.get_response(request)


def answer_only_here(request: HttpRequest) -> HttpResponse:
    """Answer that this page opens only on the machine that serves the site."""
    context = {"local": f"http://localhost:{request.get_port()}{request.path}"}
    response = HttpResponse(render_to_string("players/only_here.html", context, request), status=403)
    response["Cache-Control"] = "no-store"
    return response


class PreferencesMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        user = request.user
        if user.is_authenticated and user.language:
            speak_to_reader(request)
        zone = (user.time_zone if user.is_authenticated else "") or request.COOKIES.get(ZONE_COOKIE, "")
        if zone in list_time_zones():
            timezone.activate(zoneinfo.ZoneInfo(zone))
        else:
            timezone.deactivate()
        try:
            return self.get_response(request)
        finally:
            timezone.deactivate()


class SuspensionMiddleware:
    """Middleware that leaves a suspended account nothing but the page that says why, its appeal and the way out (U2).
    Everything else leads there; what isn't a page is answered 403."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        user = request.user
        if not user.is_authenticated or not is_suspended(user, timezone.now()):
            return self.get_response(request)
        if self._is_left(request.path_info):
            return self.get_response(request)
        if request.path.startswith("/api/") or not request.accepts("text/html"):
            return send_problem(403, "suspended", _("Il tuo account è sospeso: per ora non puoi giocare."))
        return redirect("own-moderation")

    @staticmethod
    def _is_left(path: str) -> bool:
        try:
            return resolve(path).url_name in LEFT_TO_SUSPENDED
        except Resolver404:
            return False


class NoPageMiddleware:
    """Middleware that shows whoever opens the address of an act a page of ours, with a way back."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        looks = request.method in ("GET", "HEAD") and request.accepts("text/html")
        if isinstance(response, HttpResponseNotAllowed) and looks and not request.path.startswith("/api/"):
            context = {"above": find_page_above(request.path), "way_back": ""}
            response.content = render_to_string("405.html", context, request)
        return response


def find_page_above(path: str) -> str:
    """Return the nearest address above this one that exists: an act's tournament, or the front page."""
    above = path.rstrip("/").rpartition("/")[0] + "/"
    return above if above == "/" or is_valid_path(above) else find_page_above(above)


class PostLimitMiddleware:
    """Middleware that counts what people send, by account or by a visitor's address, and answers 429 to too much (AT6).

    Without rates in the settings nobody is counted.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method in SAFE_METHODS or not settings.POST_RATES:
            return self.get_response(request)
        if request.path.startswith("/api/") and "Authorization" in request.headers:
            return self.get_response(request)  # a key has a count of its own there, and a wrong one its address's
        has_account = request.user.is_authenticated
        if not has_account and is_hall(address=read_client_address(request), now=timezone.now()):
            return self.get_response(request)
        action = (
            "posts_of_account" if has_account else "entrances" if self._is_entrance(request) else "posts_of_visitor"
        )
        refused: HttpResponse | None = ratelimit.consume_or_429(request, action=action, config=settings.POST_RATES)
        if refused is None:
            return self.get_response(request)
        if request.path.startswith("/api/"):
            refused = send_problem(429, "throttled", describe_throttling(timedelta(seconds=POST_RETRY_SECONDS)))
        refused["Retry-After"] = str(POST_RETRY_SECONDS)
        return refused

    @staticmethod
    def _is_entrance(request: HttpRequest) -> bool:
        """Tell if somebody comes in: whatever else their address sends, they aren't kept out by it."""
        return request.path_info in (reverse("account_login"), reverse("account_signup"))


class SeenMiddleware:
    """Middleware that stores that a player was here, at most once a minute, and only if the request read the player;
    with it, once a day, the marks of address and browser (U3)."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        user = getattr(request, "_cached_user", None)  # set once somebody asked for request.user
        if user is not None and user.pk is not None and "player" in user._state.fields_cache:
            player = player_for(user)
            here = request.user.is_authenticated  # not if they have just logged out
            try:
                if player is not None and touch_seen(player=player, now=timezone.now()) and here:
                    note_session(request=request, user=user, now=timezone.now())
                    note_request_marks(request, player)
            except OperationalError as error:  # the page is there: nobody waits for this
                if not is_out_of_time(error):
                    raise
        keep_browser(request, response)
        return response
