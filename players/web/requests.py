"""Requests: whole numbers that a browser sent, the reader, and refusals shown on the next page."""

from typing import Any, TypeVar

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest
from django.utils import translation
from django.utils.translation import get_language_from_request

from players.sent_forms import note_refused_form

MAX_KEY_DIGITS = 18  # of a row's key that every database takes

Default = TypeVar("Default", int, None)


def read_number(text: str, default: Default, *, digits: int = MAX_KEY_DIGITS) -> int | Default:
    """Return the whole number a browser sent, or ``default`` for anything else: signs, spaces, more digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else default


def show_error(request: HttpRequest, text: str, code: str) -> None:
    """Show on the next page why an act was refused; the form that asked for it isn't lost (players/sent_forms.py)."""
    messages.error(request, text, extra_tags=code)
    note_refused_form(request)


def find_reader(request: HttpRequest) -> Any:
    """Return the user whose page it is: nobody's where a desk's pass acts for somebody who is elsewhere (O9)."""
    return getattr(request, "reader", None) or getattr(request, "user", None)


def speak_to_reader(request: HttpRequest) -> None:
    """Speak from here on the language that the reader's pages have: the account's, else what the browser asks for."""
    chosen = getattr(request.user, "language", "")
    translation.activate(chosen if chosen in dict(settings.LANGUAGES) else get_language_from_request(request))
    request.LANGUAGE_CODE = translation.get_language()
