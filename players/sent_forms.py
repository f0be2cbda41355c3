"""Answers to forms that a browser keeps until it knows that they have arrived (static/js/kept_forms.js).

The script gives each form that leaves a page a name of its own, in the cookie ``sent``; what became of it is told in
the cookie ``answered``. No answer at all means a lost line. What was refused on the way to another page comes back
there too, where no page showed it with the refusal. Whether the reader is still the same is told by two marks,
cookies that the script makes: a visitor's ends when somebody comes in or goes out, an account's when it goes out. It
keeps nothing of what was typed.
"""

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

SENT, ANSWERED = "sent", "answered"
VISITOR_MARK, ACCOUNT_MARK = "kept_visitor", "kept_account"
NAME = re.compile(r"[0-9-]{5,40}")
ANSWER = re.compile(r"[0-9-]{5,40}\.[012]")
LOST, TAKEN, REFUSED = 0, 1, 2  # nobody read it; it is done, or the page that answers shows it; it was refused
GONE = (403, 404, 410)  # nothing can be done at that address, or not by whoever asks
ANSWERS_KEPT = 4  # several windows may wait for one
ANSWER_SECONDS = 3600
UNREAD, UNDONE, ENDED = "smazzata.form_unread", "smazzata.form_refused", "smazzata.marks_ended"  # in a request's META


class SentFormMiddleware:
    """Middleware that tells the page's script whether the form that it sent has arrived. It hasn't where nobody read
    it: it was too old, the session gone, too much was sent, or the site failed."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        sent = request.COOKIES.get(SENT, "")
        if request.method == "POST" and _opens_page(request) and NAME.fullmatch(sent):
            before = request.COOKIES.get(ANSWERED, "").split("~")
            answers = [*filter(ANSWER.fullmatch, before), f"{sent}.{_find_outcome(request, response)}"]
            response.set_cookie(
                ANSWERED,
                "~".join(answers[-ANSWERS_KEPT:]),
                max_age=ANSWER_SECONDS,
                secure=request.is_secure(),
                samesite="Lax",
            )
            response.delete_cookie(SENT, samesite="Lax")
        for mark in request.META.get(ENDED, ()):
            response.delete_cookie(mark, samesite="Lax")
        return response


def note_unread_form(request: HttpRequest) -> None:
    """Note that what this request sent was refused before anybody read it."""
    request.META[UNREAD] = True


def note_refused_form(request: HttpRequest) -> None:
    """Note that what this request sent was read, and refused."""
    request.META[UNDONE] = True


def forget_visitor(request: HttpRequest) -> None:
    """Have the browser forget what a visitor typed: somebody comes in."""
    request.META.setdefault(ENDED, set()).add(VISITOR_MARK)


def forget_reader(request: HttpRequest) -> None:
    """Have the browser forget what anybody typed: somebody goes out."""
    request.META[ENDED] = {VISITOR_MARK, ACCOUNT_MARK}


def _opens_page(request: HttpRequest) -> bool:
    """Tell if a form was sent to see the page that answers, not by a script. On plain http browsers name no mode."""
    if "HX-Request" in request.headers or request.headers.get("Sec-Fetch-Mode", "navigate") != "navigate":
        return False
    return "text/html" in request.headers.get("Accept", "text/html")


def _lost_session(request: HttpRequest) -> bool:
    """Tell if an account typed here that never went out, and nobody is in: many pages are there for their own alone."""
    user = getattr(request, "user", None)
    return ACCOUNT_MARK in request.COOKIES and not (user is not None and user.is_authenticated)


def _find_outcome(request: HttpRequest, response: HttpResponse) -> int:
    """Return what became of the form: refused is what another page tells, which doesn't know what was typed."""
    if not _has_arrived(request, response):
        return LOST
    elsewhere = UNDONE in request.META and "Location" in response.headers
    return REFUSED if elsewhere or response.status_code in GONE else TAKEN


def _has_arrived(request: HttpRequest, response: HttpResponse) -> bool:
    if UNREAD in request.META or response.status_code == 429 or response.status_code >= 500:
        return False
    if response.status_code in (403, 404) and _lost_session(request):
        return False
    to = urlsplit(response.headers.get("Location", ""))
    return to.path != reverse("account_login") or "next" not in parse_qs(to.query)
