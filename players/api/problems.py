"""The API's one format of errors, ``application/problem+json`` (RFC 9457): what is wrong is said by codes.

``code`` names the refusal and ``errors`` the fields and filters that won't do; programs read these. ``detail`` is a
sentence for people, in the language they ask for; ``values`` has what it names.
"""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, JsonResponse
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.settings import api_settings
from rest_framework.views import exception_handler

from players.wording import describe_throttling

CONTENT_TYPE = "application/problem+json"
ProblemBody = dict[str, Any]  # the answer, by its keys


class ApiRefusal(exceptions.APIException):
    """Refusal with a status, a code and a sentence; ``values``: what the sentence names, by codes and numbers."""

    def __init__(self, status: int, code: str, detail: str, wait: timedelta | None = None, **values: Any) -> None:
        super().__init__(detail, code)
        self.status_code = status
        self.values = values
        if wait is not None:
            self.wait = max(1, round(wait.total_seconds()))


def build_problem(status: int, code: str, detail: str, **more: Any) -> ProblemBody:
    """Return the body of an error."""
    title = HTTPStatus(status).phrase
    return {"type": "about:blank", "title": title, "status": status, "code": code, "detail": detail, **more}


def send_problem(status: int, code: str, detail: str, headers: Mapping[str, str] | None = None) -> JsonResponse:
    """Return an error from outside the API's own views."""
    body = build_problem(status, code, detail)
    kept = {"Cache-Control": "no-store", **(headers or {})}
    return JsonResponse(body, status=status, content_type=CONTENT_TYPE, headers=kept)


def answer_problem(error: Exception, context: ProblemBody) -> Response | None:
    """Answer an exception of a view in the one format: Django REST framework's handler of exceptions."""
    answer = exception_handler(error, context)
    if answer is None:
        return None
    if isinstance(error, Http404):
        error = exceptions.NotFound(_("Questo indirizzo non c'è."))
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    assert isinstance(error, exceptions.APIException)
    status, more = answer.status_code, dict(getattr(error, "values", {}))
    more = {"values": more} if more else {}
    if isinstance(error, exceptions.ValidationError):
        more["errors"] = list(_list_faults(error.get_full_details(), ""))
        code, detail = "invalid", _("Qualcosa non va in quello che hai mandato.")
    else:
        code = str(error.get_codes()) if isinstance(error.detail, str) else "error"
        detail = str(error.detail)
    wait = getattr(error, "wait", None)
    if isinstance(error, exceptions.Throttled) and wait is not None:
        detail = describe_throttling(timedelta(seconds=wait))
    answer.data = build_problem(status, code, detail, **more)
    answer.content_type = CONTENT_TYPE
    return answer


def _list_faults(details: Any, place: str) -> Iterator[ProblemBody]:
    """Yield the faults of a body or a query, each with the name of its field, in the order they were found."""
    if isinstance(details, list):
        for number, row in enumerate(details):
            yield from _list_faults(row, place if _is_fault(row) else f"{place}[{number}]")
    elif _is_fault(details):
        yield {"field": place, "code": str(details["code"]), "detail": str(details["message"])}
    else:
        for name, row in details.items():
            inner = place if name == api_settings.NON_FIELD_ERRORS_KEY else f"{place}.{name}" if place else str(name)
            yield from _list_faults(row, inner)


def _is_fault(details: Any) -> bool:
    return isinstance(details, dict) and set(details) == {"message", "code"} and isinstance(details["message"], str)
