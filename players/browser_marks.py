"""Marks of a request (U3): the address it comes from and a cookie that names the browser, noted once a day and session.

The cookie is random, and is set only where a player plays.
"""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from players.models import Player
from players.services.marks import compute_mark, is_browser, make_browser, note_marks
from players.web.addresses import read_client_address

SESSION_KEY = "marked"
COOKIE_SECONDS = 30 * 24 * 3600


def _name_cookie() -> str:
    return "__Host-browser" if settings.SESSION_COOKIE_SECURE else "browser"


def note_request_marks(request: HttpRequest, player: Player) -> None:
    """Note the marks of this request's player, unless this session has noted the same ones today."""
    held = request.COOKIES.get(_name_cookie(), "")
    browser = held if is_browser(held) else request.META.setdefault("smazzata.browser", make_browser())
    address, now = read_client_address(request), timezone.now()
    done = f"{now.date()} {compute_mark('done', address + browser)[:16]}"
    if request.session.get(SESSION_KEY) != done:
        note_marks(player=player, address=address, browser=browser, now=now)
        request.session[SESSION_KEY] = done


def keep_browser(request: HttpRequest, response: HttpResponse) -> None:
    """Set the cookie of a browser that was just given a name."""
    browser = request.META.get("smazzata.browser")
    if browser:
        response.set_cookie(
            _name_cookie(),
            browser,
            max_age=COOKIE_SECONDS,
            httponly=True,
            secure=bool(settings.SESSION_COOKIE_SECURE),
            samesite="Lax",
        )
