"""The frame of the API's views: what a key may do, filters that are known, and how many requests are left.

Whoever reads may be anybody: a visitor, the owner of a session, a key that may read. Writing takes a key.
"""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from players.api.bodies import NoFilters, StrictSerializer, read_filters
from players.api.problems import ApiRefusal
from players.models import AccessToken, Player
from players.selectors import player_for

Scope = AccessToken.Scope


def read_token(request: Request) -> AccessToken | None:
    """Return the key of a request; None for a visitor or a session."""
    return request.auth if isinstance(request.auth, AccessToken) else None


def require_scope(request: Request, scope: str) -> AccessToken:
    """Return the request's key. ApiRefusal: 401 without one, 403 for a key that wasn't made for this."""
    token = read_token(request)
    if token is None:
        raise ApiRefusal(401, "token_needed", _("Per scrivere serve una chiave: si fa nel profilo."))
    if scope not in token.scopes:
        raise ApiRefusal(403, "scope_missing", _("Questa chiave non è per questo."), scope=str(scope))
    return token


class ApiView(APIView):
    """View of the API. ``filters``: of its query, or of each action's by the action's name."""

    filters: type[StrictSerializer] | dict[str, type[StrictSerializer]] = NoFilters
    query: Any  # the filters of this request, checked

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if request.method in ("GET", "HEAD") and read_token(request) is not None:
            require_scope(request, Scope.READ)
        kind = self.filters
        if isinstance(kind, dict):
            kind = kind.get(getattr(self, "action", None) or "", NoFilters)
        self.query = read_filters(request, kind)

    def perform_authentication(self, request: Request) -> None:
        """Read the key. A wrong one is counted as its address's: nobody tries keys without end."""
        try:
            super().perform_authentication(request)
        except AuthenticationFailed:
            self.check_throttles(request)
            raise

    def check_throttles(self, request: Request) -> None:
        """Refuse whoever asks too often, and note how many requests are left for the headers."""
        self.left: tuple[int, int, int] | None = None
        for throttle in self.get_throttles():
            allowed = throttle.allow_request(request, self)
            if isinstance(throttle, SimpleRateThrottle) and throttle.rate is not None and hasattr(throttle, "history"):
                self._note_left(throttle)
            if not allowed:
                raise Throttled(throttle.wait())

    def _note_left(self, throttle: SimpleRateThrottle) -> None:
        oldest = throttle.history[-1] if throttle.history else throttle.now
        most, window = (int(number or 0) for number in throttle.parse_rate(str(throttle.rate)))
        resets = max(1, round(window - (throttle.now - oldest)))
        self.left = (most, max(0, most - len(throttle.history)), resets)

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        answer: Response = super().finalize_response(request, response, *args, **kwargs)
        answer["Cache-Control"] = "no-store"  # it depends on who asks, and may hold a secret
        left = getattr(self, "left", None)
        if left is not None:
            names = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
            for name, value in zip(names, left, strict=True):
                answer[name] = str(value)
        return answer

    def read_player(self) -> Player | None:
        """Return the player that the request comes from."""
        return player_for(self.request.user)
