"""Language of a connection, the same as that of its pages. It reads the handshake and writes nothing."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest, parse_cookie
from django.utils.translation import get_language_from_request

Headers = Iterable[tuple[bytes, bytes]]  # of ASGI


def parse_cookies(headers: Headers) -> dict[str, str]:
    """Return the cookies of a handshake."""
    return parse_cookie("; ".join(value.decode("latin-1") for name, value in headers if name == b"cookie"))


def find_language(headers: Headers, cookies: Mapping[str, str], user: Any) -> str:
    """Return the person's language, else the one their browser asks for, else the site's own: as for a page.

    ``user`` is the account or None; the cookie and the header are those of the handshake.
    """
    chosen = "" if user is None else user.language
    if chosen in dict(settings.LANGUAGES):
        return str(chosen)
    request = HttpRequest()
    request.COOKIES = dict(cookies)
    request.META["HTTP_ACCEPT_LANGUAGE"] = dict(headers).get(b"accept-language", b"").decode("latin-1")
    return get_language_from_request(request)
