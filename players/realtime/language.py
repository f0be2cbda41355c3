"""Language of a connection, the same as that of its pages. It reads the handshake and writes nothing."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language_from_request

from players.realtime.origin import Scope


def find_language(scope: Scope, user: Any) -> str:
    """Return the person's language, else the one their browser asks for, else the site's own: as for a page.

    ``user`` is the account or None; the cookie and the header are those of the handshake.
    """
    chosen = "" if user is None else user.language
    if chosen in dict(settings.LANGUAGES):
        return str(chosen)
    request = HttpRequest()
    request.COOKIES = scope.get("cookies", {})
    headers = dict(scope.get("headers", ()))
    request.META["HTTP_ACCEPT_LANGUAGE"] = headers.get(b"accept-language", b"").decode("latin-1")
    return get_language_from_request(request)
