"""The desk on another machine of a hall's network (O9): at the addresses of one tournament's desk, and nowhere else, a
browser with a pass acts for whoever made it. It is no login: everywhere else its reader is a visitor."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from players.middleware import answer_only_here
from players.web.addresses import is_from_network
from tournaments.models import DeskPass
from tournaments.organise.passes import find_pass

KEPT_AS = "desk_pass"  # in the session: the digest of the pass it has taken
DESK_ROUTES = frozenset(
    {
        "tournament-results", "tournament-result-list", "tournament-line-ups", "tournament-rounds", "tournament-slips",
        "tournament-fees", "tournament-seeds", "tournament-evening",
        "tournament-desk", "desk-seen", "desk-fixture", "desk-record",
        "tournament-entries", "tournament-entry", "tournament-decide", "tournament-remove",
        "tournament-desk-check-in", "tournament-all-present", "tournament-roll-undo",
    }
)  # fmt: skip


class DeskMiddleware:
    """Middleware that makes who has a pass the organiser, at the desk of its tournament."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        desk_pass = read_pass(request)
        if desk_pass is None:
            return self.get_response(request)
        request.desk_pass = desk_pass  # type: ignore[attr-defined]
        response = self.get_response(request)
        own = request.path.startswith(f"/tornei/{desk_pass.tournament.public_id}/") and not hasattr(request, "reader")
        return answer_only_here(request) if own and response.status_code == 404 else response

    def process_view(self, request: HttpRequest, view: Any, args: Any, values: Mapping[str, Any]) -> None:
        desk_pass: DeskPass | None = getattr(request, "desk_pass", None)
        match = request.resolver_match
        if desk_pass is None or match is None or match.url_name not in DESK_ROUTES:
            return
        if values.get("public_id") == desk_pass.tournament.public_id:
            request.user = desk_pass.by.user
            request.reader = AnonymousUser()  # type: ignore[attr-defined]  # the account's own notices stay at home


def read_pass(request: HttpRequest) -> DeskPass | None:
    """Return the pass of the reader's browser, while it counts; one that is over is forgotten."""
    if not is_from_network(request) or KEPT_AS not in request.session:
        return None
    desk_pass = find_pass(str(request.session[KEPT_AS]), timezone.now())
    if desk_pass is None:
        del request.session[KEPT_AS]
    return desk_pass
