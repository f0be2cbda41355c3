"""The pages where anybody checks a record, pasted or uploaded, and goes through its deals. Nothing is stored.

The record comes with every request: the page that goes through a deal holds it in a form, and each way on it that needs
the server sends it again.
"""

import json
from typing import Any

from allauth.core import ratelimit
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from games import decks, replays
from games.engine import record as verbale
from scoring import account, selectors, telling
from scoring.forms import RecordForm
from scoring.views.replay import beside, page

LIMIT = {"check_record": "30/m/ip"}
LIMIT_REPLAYED = {"replay_record": "120/m/ip"}  # without a script each step is a request


@never_cache
def check_record(request: HttpRequest) -> HttpResponse:
    """The form; with a record, its result and its account, or where it can't be replayed."""
    if request.method != "POST":
        return render(request, "scoring/records.html", {"form": RecordForm()})
    refused: HttpResponse | None = ratelimit.consume_or_429(request, action="check_record", config=LIMIT)
    return refused or _answered(request, RecordForm(request.POST, request.FILES))


@never_cache
@decks.called_as_drawn
def record_replay(request: HttpRequest, place: int) -> HttpResponse:
    """A deal of the record that was sent, the one at ``place``, from 1, as match_replay shows it.

    A record that can't be replayed, or has no such deal, is answered as where records are checked.
    """
    if request.method != "POST":
        return redirect("records")
    refused: HttpResponse | None = ratelimit.consume_or_429(request, action="replay_record", config=LIMIT_REPLAYED)
    if refused is not None:
        return refused
    form = RecordForm(request.POST)
    if not form.is_valid() or account.tell_text(form.cleaned_data["record"]).fault is not None:
        return _answered(request, form)
    record = selectors.decoded(form.cleaned_data["record"])
    replayed = replays.deal_of(record, place)
    if replayed is None:
        return _answered(request, form)
    parsed = verbale.parse(record)
    match, seats = replays.unknown_match(parsed.setup, telling.names_of(record, parsed.setup).seats)
    gone_through = page(request, match, seats, record, replayed)
    around = beside(gone_through["from_seat"], place, len(parsed.deals), "record-replay")
    return render(request, "scoring/replay.html", {**gone_through, **around, "record": _compact(record)})


def _answered(request: HttpRequest, form: RecordForm) -> HttpResponse:
    if not form.is_valid():
        return render(request, "scoring/records.html", {"form": form}, status=400)
    return render(request, "scoring/records.html", {"form": form, **_checked(form.cleaned_data["record"])})


def _checked(text: bytes) -> dict[str, Any]:
    told = account.tell_text(text)
    if told.fault is not None:
        return {"told": told, "syntax": selectors.syntax_fault(text)}
    return {"told": told, "result": selectors.answer(text), "record": _compact(selectors.decoded(text))}


def _compact(record: object) -> str:
    """The record as a form can hold it: on one line, so that no browser makes it longer."""
    return json.dumps(record, separators=(",", ":"))
