"""The page where anybody checks a record: pasted or uploaded, replayed, told, and forgotten. Nothing is stored."""

from typing import Any

from allauth.core import ratelimit
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from scoring import account, selectors
from scoring.forms import RecordForm

LIMIT = {"check_record": "30/m/ip"}


@never_cache
def check_record(request: HttpRequest) -> HttpResponse:
    """The form; with a record, its result and its account, or where it can't be replayed."""
    if request.method != "POST":
        return render(request, "scoring/records.html", {"form": RecordForm()})
    refused: HttpResponse | None = ratelimit.consume_or_429(request, action="check_record", config=LIMIT)
    if refused is not None:
        return refused
    form = RecordForm(request.POST, request.FILES)
    if not form.is_valid():
        return render(request, "scoring/records.html", {"form": form}, status=400)
    return render(request, "scoring/records.html", {"form": form, **_checked(form.cleaned_data["record"])})


def _checked(text: bytes) -> dict[str, Any]:
    told = account.tell_text(text)
    if told.fault is not None:
        return {"told": told, "syntax": selectors.syntax_fault(text)}
    return {"told": told, "result": selectors.answer(text)}
