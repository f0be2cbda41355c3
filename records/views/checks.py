"""The pages where anybody checks a record, pasted or uploaded, and replays its deals. Nothing is stored.

The record comes with every request: the page of a replayed deal holds it in a form, and each button that needs the
server sends it again.
"""

import json
from typing import Any

from allauth.core import ratelimit
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from games import decks, replays
from games.engine import record as verbale
from games.engine.game import list_seats
from players import caps
from players.selectors import player_for
from players.web.live import PageContext
from records import deal_narrative, match_narrative, results
from records.analysis import actions, queries
from records.forms import RecordForm
from records.views.deck_check import build_deck_check
from records.views.replay import build_page, build_study, link_neighbours

LIMIT = {"check_record": caps.RECORD_CHECK_RATE}
REPLAY_LIMIT = {"replay_record": caps.RECORD_STEP_RATE}


@never_cache
def check_record(request: HttpRequest) -> HttpResponse:
    """Show the form; with a record, its result and its narrative, or the place where it can't be replayed."""
    if request.method != "POST":
        return render(request, "records/records.html", {"form": RecordForm()})
    refused: HttpResponse | None = ratelimit.consume_or_429(request, action="check_record", config=LIMIT)
    return refused or _answer(request, RecordForm(request.POST, request.FILES))


@never_cache
@decks.name_cards_as_drawn
def show_replay(request: HttpRequest, place: int) -> HttpResponse:
    """Replay a deal of the record that was sent, the one at ``place``, from 1, as match_replay does.

    A record that can't be replayed, or has no such deal, gets the answer of ``check_record``.
    """
    if request.method != "POST":
        return redirect("records")
    refused: HttpResponse | None = ratelimit.consume_or_429(request, action="replay_record", config=REPLAY_LIMIT)
    if refused is not None:
        return refused
    form = RecordForm(request.POST)
    if not form.is_valid() or match_narrative.narrate_text(form.cleaned_data["record"]).fault is not None:
        return _answer(request, form)
    record = results.decode(form.cleaned_data["record"])
    replayed = replays.replay_deal(record, place)
    if replayed is None:
        return _answer(request, form)
    parsed = verbale.parse(record)
    match, seats = replays.build_unknown_match(parsed.setup, deal_narrative.read_names(record, parsed.setup).seats)
    context = build_page(request, match, seats, record, replayed)
    analysis = queries.find_of_record(actions.digest_record(record), context["seat"], player_for(request.user))
    neighbours = link_neighbours(context["from_seat"], place, len(parsed.deals), "record-replay")
    return render(
        request,
        "records/replay.html",
        {**context, **build_study(analysis, place, context["at"]), **neighbours, "record": _write_compact(record)},
    )


def _answer(request: HttpRequest, form: RecordForm) -> HttpResponse:
    if not form.is_valid():
        return render(request, "records/records.html", {"form": form}, status=400)
    return render(request, "records/records.html", {"form": form, **_check(form.cleaned_data["record"])})


def _check(text: bytes) -> PageContext:
    narrative = match_narrative.narrate_text(text)
    if narrative.fault is not None:
        return {"narrative": narrative, "syntax": results.locate_syntax_fault(text)}
    record: Any = results.decode(text)
    return {
        "narrative": narrative,
        "result": results.replay_text(text),
        "record": _write_compact(record),
        "places": _list_places(record),
        **build_deck_check(record),
    }


def _list_places(record: object) -> list[tuple[int, str]]:
    """List the seats whose decisions can be analysed (HP6), with their names."""
    setup = verbale.parse(record).setup
    names = deal_narrative.read_names(record, setup).seats
    return [(seat, names[seat]) for seat in list_seats(setup.players)]


def _write_compact(record: object) -> str:
    """Write the record on one line, so that no browser makes it longer in a form."""
    return json.dumps(record, separators=(",", ":"))
