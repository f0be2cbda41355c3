"""Answers to forms that a browser keeps until it knows that they have arrived (static/js/kept_forms.js).

The script gives each form that leaves a page a name of its own, in the cookie ``sent``; what became of it is told in
the cookie ``answered``. No answer at all means a lost line. It keeps nothing of what was typed.
"""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

SENT, ANSWERED = "sent", "answered"
NAME = re.compile(r"[0-9-]{5,40}")
ANSWER = re.compile(r"[0-9-]{5,40}\.[01]")
ANSWERS_KEPT = 4  # several windows may wait for one
ANSWER_SECONDS = 3600


class SentFormMiddleware:
    """Middleware that tells the page's script whether the form that it sent has arrived: it hasn't where the answer is
    a refusal (403, 404, 429, 503 …), or leads to the log-in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        sent = request.COOKIES.get(SENT, "")
        opens_page = request.headers.get("Sec-Fetch-Mode", "navigate") == "navigate"
        if request.method == "POST" and opens_page and NAME.fullmatch(sent):
            before = request.COOKIES.get(ANSWERED, "").split("~")
            answers = [*filter(ANSWER.fullmatch, before), f"{sent}.{int(_has_arrived(response))}"]
            response.set_cookie(
                ANSWERED,
                "~".join(answers[-ANSWERS_KEPT:]),
                max_age=ANSWER_SECONDS,
                secure=request.is_secure(),
                samesite="Lax",
            )
            response.delete_cookie(SENT, samesite="Lax")
        return response


def _has_arrived(response: HttpResponse) -> bool:
    if response.status_code >= 400:
        return False
    return urlsplit(response.headers.get("Location", "")).path != reverse("account_login")
