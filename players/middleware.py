"""Notes that a person is about, at most once a minute, and only on requests that looked at who he is anyway."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from players.selectors import player_of
from players.services import seen


class SeenMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        user = getattr(request, "_cached_user", None)  # set once somebody asked for request.user
        if user is not None and user.pk is not None and "player" in user._state.fields_cache:
            player = player_of(user)
            if player is not None:
                seen(player=player, now=timezone.now())
        return response
