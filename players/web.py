"""Helpers that the views of every app share: pages with a live region, and whole numbers that a browser sent."""

from functools import lru_cache
from typing import Any, TypeVar
from urllib.parse import urlsplit

import segno
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language_from_request

from players.addresses import is_this_machine
from players.sent_forms import note_refused_form

MAX_KEY_DIGITS = 18  # of a row's key that every database takes

Default = TypeVar("Default", int, None)
PageContext = dict[str, Any]  # what a template is given: any value, by the name it has there


def read_number(text: str, default: Default, *, digits: int = MAX_KEY_DIGITS) -> int | Default:
    """Return the whole number a browser sent, or ``default`` for anything else: signs, spaces, more digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else default


def show_error(request: HttpRequest, text: str, code: str) -> None:
    """Show on the next page why an act was refused; the form that asked for it isn't lost (players/sent_forms.py)."""
    messages.error(request, text, extra_tags=code)
    note_refused_form(request)


def read_client_address(request: HttpRequest) -> str:
    """Return the address the request comes from; the server has set it, from a proxy's header where it trusts one."""
    return request.META.get("REMOTE_ADDR") or ""


def is_from_network(request: HttpRequest) -> bool:
    """Tell if another machine asks, of a network to which the site is shown on plain http (O9)."""
    return settings.PLAIN_NETWORK and not is_this_machine(read_client_address(request), request.headers)


def is_own_page(address: str) -> bool:
    """Tell whether this is a whole path of the site, without its name: what a link may bring back to."""
    return address.startswith("/") and url_has_allowed_host_and_scheme(address, allowed_hosts=None)


def is_loopback(host: str) -> bool:
    """Tell if a host, with or without a port, is this machine's own loopback."""
    name = (urlsplit(f"//{host}").hostname or "").lower()
    return name in ("localhost", "::1") or name.startswith("127.")


def make_address(request: HttpRequest, path: str) -> str:
    """Return the whole address of a path, which others can open too.

    Read on the machine that serves the network (O9), it isn't the loopback, which leads every telephone to itself.
    """
    if is_loopback(request.get_host()) and not is_loopback(urlsplit(settings.SITE_URL).netloc):
        return f"{settings.SITE_URL}{path}"
    return request.build_absolute_uri(path)


@lru_cache(maxsize=256)
def draw_qr(url: str) -> SafeString:
    """Draw the QR code of an address as SVG: dark on light in every theme, or no camera reads it."""
    drawn = segno.make_qr(url, error="m").svg_inline(border=4, omitsize=True, dark="#000", light="#fff", svgclass="qr")
    return mark_safe(drawn)  # noqa: S308 (made of squares alone: the address is nowhere in it as text)


def find_reader(request: HttpRequest) -> Any:
    """Return the user whose page it is: nobody's where a desk's pass acts for somebody who is elsewhere (O9)."""
    return getattr(request, "reader", None) or getattr(request, "user", None)


def speak_to_reader(request: HttpRequest) -> None:
    """Speak from here on the language that the reader's pages have: the account's, else what the browser asks for."""
    chosen = getattr(request.user, "language", "")
    translation.activate(chosen if chosen in dict(settings.LANGUAGES) else get_language_from_request(request))
    request.LANGUAGE_CODE = translation.get_language()


def keep_from_search(response: HttpResponse) -> HttpResponse:
    """Have search engines forget what they are answered. Return the response."""
    response["X-Robots-Tag"] = "noindex"
    return response


def is_live(request: HttpRequest) -> bool:
    """Return True if only the page's live region was asked for."""
    return request.headers.get("HX-Target") == "live"


def render_live(request: HttpRequest, template: str, context: PageContext) -> HttpResponse:
    """Render ``folder/name.html``, or only its live region ``folder/_name_live.html`` if that was asked for.

    Both share an address: no cache may give the one for the other (a browser's "back").
    """
    folder, _slash, name = template.rpartition("/")
    live = is_live(request)
    response = render(request, f"{folder}/_{name.removesuffix('.html')}_live.html" if live else template, context)
    patch_vary_headers(response, ["HX-Target"])
    if live:
        response["Cache-Control"] = "no-store"
    return response
