"""Refusals under ``/api/`` from outside its views (unknown addresses, methods, forms, faults) in the API's one format.

It is the outermost layer, so that whatever answers with a page, Django itself in a fault included, answers programs as
the views do. It decides nothing but the words.
"""

from collections.abc import Callable
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation import get_language_from_request
from django.utils.translation import gettext as _

from players.api.problems import CONTENT_TYPE, send_problem

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
OF_THE_PAGE = {
    "content-type",
    "content-length",
    "content-encoding",
    "etag",
    "last-modified",
    "location",
    "cache-control",
}
CODES = {
    400: "bad_request",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_long",
    429: "throttled",
    500: "server_error",
    503: "busy",
}


def is_for_programs(path: str) -> bool:
    """Tell if an address is the API's."""
    return path == "/api" or path.startswith("/api/")


class ProblemMiddleware:
    """Middleware that answers programs by ``application/problem+json``, whatever refused them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not is_for_programs(request.path):
            return response
        if response.status_code < 400 and not _loses_its_body(request, response):
            return response
        if response.headers.get("Content-Type", "").startswith(CONTENT_TYPE):
            return response
        language = getattr(request, "LANGUAGE_CODE", "") or get_language_from_request(request)
        with translation.override(language):
            return _answer_instead(response)


def _loses_its_body(request: HttpRequest, response: HttpResponse) -> bool:
    """Tell if a write is led to its own address with a slash: whoever follows comes there with a read."""
    if response.status_code not in (301, 302) or request.method in SAFE_METHODS:
        return False
    return urlsplit(response.headers.get("Location", "")).path == f"{request.path}/"


def _answer_instead(response: HttpResponse) -> HttpResponse:
    status = response.status_code
    if status < 400:
        status, code, detail = 404, "slash_missing", _("Gli indirizzi finiscono con una barra: qui manca.")
    else:
        code, detail = CODES.get(status, "error"), _describe(status)
    kept = {name: value for name, value in response.headers.items() if name.lower() not in OF_THE_PAGE}
    answer = send_problem(status, code, detail, kept)
    answer.cookies = response.cookies
    answer._has_been_logged = getattr(response, "_has_been_logged", False)  # type: ignore[attr-defined]  # Django's mark
    return answer


def _describe(status: int) -> str:
    if status == 404:
        return _("Questo indirizzo non c'è.")
    if status == 405:
        return _("Qui questo metodo non c'è.")
    if status == 403:
        return _("Chi chiede non può farlo.")
    if status == 429:
        return _("Troppe richieste: riprova tra poco.")
    if status >= 500:
        return _("Qualcosa è andato storto da parte nostra: riprova tra un momento.")
    return _("Questa richiesta non si può leggere.")
