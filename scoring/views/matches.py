"""Pages of finished matches: the result deal by deal, and the record to download. A running match has neither.

What a match is worth is read from ``scoring``; who plays it where is not known here.
"""

from typing import Any, cast

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from games import decks, words
from games import selectors as tables
from games.engine.game import Length, LengthKind, TallyRow
from games.models import Match
from players.selectors import player_for
from scoring import account, selectors, sentences


@decks.called_as_drawn
def match_result(request: HttpRequest, public_id: str) -> HttpResponse:
    """The result of a finished match. Who may see its table is led there while it runs; 404 for everybody else."""
    match = get_object_or_404(Match, public_id=public_id)
    if match.status != Match.Status.FINISHED:
        player = player_for(request.user)
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
    told = account.tell(tables.record(match))
    score = (match.score_0, match.score_1)
    seats = list(match.seats.select_related("player"))
    players = [[seat.player for seat in seats if seat.number % 2 == line] for line in (0, 1)]
    lines = [
        {
            "names": players[line],
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
        "length": sentences.length(Length(cast(LengthKind, match.length_kind), match.length_value)),
        "how": words.decided_by(match.decided_by) if match.decided_by and match.winner is not None else "",
        "stakes": _stakes(match, [sentences.listed(player.name for player in line) for line in players]),
        "forfeit": told.forfeit,
        "deals": _deals(match, told),
        "social_about": about(match),
    }


def about(match: Match) -> str:
    """What other sites show beside the address: who played, the score, the game."""
    seats = list(match.seats.select_related("player"))
    names = [sentences.listed(seat.player.name for seat in seats if seat.number % 2 == line) for line in (0, 1)]
    return " · ".join((f"{names[0]} {match.score_0}–{match.score_1} {names[1]}", words.ruleset_name(match.ruleset)))


def _stakes(match: Match, names: list[str]) -> str:
    """The stakes in words, where they are anything but the one of a match (T6, C5, C6)."""
    won = (match.stakes_0, match.stakes_1)
    usual = (0, 0) if match.winner is None else ((1, 0), (0, 1))[match.winner]
    return sentences.stakes(won, names) if won != usual and any(won) else ""


def _deals(match: Match, told: account.Account) -> list[dict[str, Any]]:
    names = {seat.number: seat.player.name for seat in match.seats.select_related("player")}
    record = tables.record(match)
    return [
        {
            "number": deal.number,
            "dealer": names.get(deal.dealer) or _("il morto"),  # M3: nobody sits there
            "void": deal.void,
            "points": deal.points,
            "score": deal.score,
            "rows": [
                (words.tally_row(row.code), list(zip(row.values, row.points, strict=True))) for row in _rows(each)
            ],
            "why": [entry.text for entry in each.entries if entry.kind == "why"],
            "told": each,
        }
        for deal, each in zip(selectors.deal_counts(record), told.deals, strict=False)
    ]


def _rows(deal: account.DealAccount) -> tuple[TallyRow, ...]:
    return deal.tally.rows if deal.tally is not None else ()
