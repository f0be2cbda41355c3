"""Pages of finished matches: the result deal by deal, and the record to download. A running match has neither.

What a match is worth is read from ``scoring``; who plays it where is not known here.
"""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import ngettext

from games import selectors as tables
from games import words
from games.models import Match
from players.selectors import player_of
from scoring import selectors


def match_result(request: HttpRequest, public_id: str) -> HttpResponse:
    """The result of a finished match. Who may see its table is led there while it runs; 404 for everybody else."""
    match = get_object_or_404(Match, public_id=public_id)
    if match.status != Match.Status.FINISHED:
        player = player_of(request.user)
        if tables.seat_of(match, player) is None and not tables.may_watch(match, player):
            raise Http404
        return redirect("table", public_id=public_id)
    return render(request, "scoring/match_result.html", _page(match))


def match_record(request: HttpRequest, public_id: str) -> HttpResponse:
    """The record of a finished match (record-format.md), as a file; 404 while it runs."""
    match = get_object_or_404(Match, public_id=public_id)
    record = tables.record(match)
    if record is None:
        raise Http404
    response = JsonResponse(record, json_dumps_params={"ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="verbale-{match.public_id}.json"'
    return response


def _page(match: Match) -> dict[str, Any]:
    worth = selectors.worth_of(match)
    score = (match.score_0, match.score_1)
    lines = [
        {
            "names": [seat.player for seat in match.seats.select_related("player") if seat.number % 2 == line],
            "score": score[line],
            "won": match.winner == line,
            "offender": match.offender == line or match.both_forfeited,
            "mp": worth.mp[line] if worth else None,
            "vp": worth.vp[line] if worth else None,
        }
        for line in (0, 1)
    ]
    return {
        "match": match,
        "lines": lines,
        "worth": worth,
        "game": words.ruleset_name(match.ruleset),
        "length": _length(match),
        "how": words.decided_by(match.decided_by) if match.decided_by and match.winner is not None else "",
        "deals": _deals(match),
    }


def _deals(match: Match) -> list[dict[str, Any]]:
    names = {seat.number: seat.player.name for seat in match.seats.select_related("player")}
    return [
        {
            "number": deal.number,
            "dealer": names[deal.dealer],
            "void": deal.void,
            "points": deal.points,
            "score": deal.score,
            "rows": [(words.tally_row(row.code), list(zip(row.values, row.points, strict=True))) for row in deal.rows],
        }
        for deal in selectors.deal_counts(tables.record(match))
    ]


def _length(match: Match) -> str:
    if match.length_kind == "points":
        return ngettext("a %(n)d punto", "a %(n)d punti", match.length_value) % {"n": match.length_value}
    return ngettext("%(n)d smazzata", "%(n)d smazzate", match.length_value) % {"n": match.length_value}
