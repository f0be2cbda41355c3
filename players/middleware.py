"""Language and time zone of the reader (E7), and the hour they were last seen.

Language: the reader's choice, else what Django's LocaleMiddleware finds. Zone: the reader's choice, else the browser's
(a cookie set by live.js, believed only if it names a zone), else the site's.
"""

import zoneinfo
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

from players.selectors import list_time_zones, player_for
from players.services.players import touch_seen
from players.services.sessions import note_session

ZONE_COOKIE = "timezone"


class PreferencesMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        user = request.user
        language = user.language if user.is_authenticated else ""
        if language in dict(settings.LANGUAGES):
            translation.activate(language)
            request.LANGUAGE_CODE = translation.get_language()
        zone = (user.time_zone if user.is_authenticated else "") or request.COOKIES.get(ZONE_COOKIE, "")
        if zone in list_time_zones():
            timezone.activate(zoneinfo.ZoneInfo(zone))
        else:
            timezone.deactivate()
        try:
            return self.get_response(request)
        finally:
            timezone.deactivate()


class SeenMiddleware:
    """Middleware that stores that a player was here, at most once a minute, and only if the request read the player."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        user = getattr(request, "_cached_user", None)  # set once somebody asked for request.user
        if user is not None and user.pk is not None and "player" in user._state.fields_cache:
            player = player_for(user)
            here = request.user.is_authenticated  # not if they have just logged out
            if player is not None and touch_seen(player=player, now=timezone.now()) and here:
                note_session(request=request, user=user, now=timezone.now())
        return response
