"""Pages of finished matches: the result deal by deal, and the record to download. A running match has neither.

``scoring`` gives MP and VP. Tournaments are not known here.
"""

from dataclasses import dataclass
from typing import cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from games import decks
from games import selectors as tables
from games import wording as game_wording
from games.chips.queries import list_winnings
from games.chips.wording import describe_moved_chips
from games.engine.game import Length, LengthKind, Points, TallyRow
from games.lobby import rematches
from games.models import Match
from players.selectors import player_for
from players.web.live import PageContext
from records import match_narrative, results, wording
from records.views.deck_check import build_deck_check
from scoring.match_points import compute_match_points


@dataclass(frozen=True, slots=True)
class DealRow:
    """A deal of a finished match as its page draws it: the count by line, its reasons, and the story of its cards."""

    number: int | None  # from 1; None for a void deal (G5)
    dealer: str
    void: bool
    points: Points
    score: Points
    rows: list[tuple[str, list[tuple[int, int]]]]
    why: list[str]
    narrative: match_narrative.DealNarrative


def get_match_or_404(request: HttpRequest, public_id: str) -> Match:
    """Return the match; 404 where there is none, or it is hidden (B7, J12)."""
    match = get_object_or_404(Match, public_id=public_id)
    if tables.is_hidden(match, player_for(request.user)):
        raise Http404
    return match


@decks.name_cards_as_drawn
def show_result(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the result of a finished match. While it runs: redirect to its table who may see it, 404 for the others;
    while it is withheld (J12): to the page it belongs to."""
    table = tables.find_match(public_id)
    if table is not None and table.status == Match.Status.FINISHED and not table.is_shown:
        words = _("Punti e carte si vedono quando il turno è finito a tutti i tavoli.")
        messages.info(request, words, extra_tags="withheld")
        return redirect(table.about_url)
    match = get_match_or_404(request, public_id)
    if match.status != Match.Status.FINISHED:
        if tables.find_viewpoint(match, player_for(request.user), timezone.now()).is_refused:
            raise Http404
        return redirect("table", public_id=public_id)
    player = player_for(request.user)
    context = {
        **_build_page(match),
        "analysable": tables.find_seat(match, player) is not None,
        "rematch": rematches.read_stand(match, player, timezone.now()),
        "winnings": [(won.name, describe_moved_chips(won.amount), won.amount) for won in list_winnings(match, player)],
    }
    return render(request, "records/match_result.html", context)


def send_record(request: HttpRequest, public_id: str) -> HttpResponse:
    """Send the record of a finished match (record-format.md) as a file; 404 while it runs."""
    match = get_match_or_404(request, public_id)
    record = tables.build_record(match)
    if record is None:
        raise Http404
    response = JsonResponse(record, json_dumps_params={"ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="verbale-{match.public_id}.json"'
    return response


def _build_page(match: Match) -> PageContext:
    points = compute_match_points(match)
    deciding = tables.read_deciding_deal(match)
    record = tables.build_record(match)
    narrative = match_narrative.narrate_record(record)
    score = (match.score_0, match.score_1)
    cards = tables.read_card_points(match)
    seats = list(match.seats.select_related("player"))
    players = [[seat.player for seat in seats if seat.number % 2 == line] for line in (0, 1)]
    lines = [
        {
            "names": players[line],
            "score": score[line],
            "cards": None if cards is None else cards[line],
            "won": match.winner == line,
            "offender": match.offender == line or match.both_forfeited,
            "mp": points.mp[line] if points else None,
            "vp": points.vp[line] if points else None,
        }
        for line in (0, 1)
    ]
    named = [wording.join_list(player.name for player in line) for line in players]
    return {
        "match": match,
        "lines": lines,
        "match_points": points,
        "game": game_wording.name_ruleset(match.ruleset),
        "length": name_length(match),
        "pictured": may_be_pictured(match),
        "how": game_wording.describe_decision(match.decided_by)
        if match.decided_by and match.winner is not None
        else "",
        "stakes": _describe_uncommon_stakes(match, named),
        "handicap": wording.describe_handicap((match.handicap[0], match.handicap[1]), named) if match.handicap else "",
        "forfeit": narrative.forfeit,
        "deals": _build_deals(match, narrative),
        "deciding": deciding,
        "decided": "" if deciding is None else wording.describe_deciding_deal(deciding),
        **build_deck_check(record or {}),
        "social_about": describe_match(match),
    }


def name_length(match: Match) -> str:
    """Return how long a match was to be, in words."""
    return wording.describe_length(Length(cast(LengthKind, match.length_kind), match.length_value))


def may_be_pictured(match: Match) -> bool:
    """Tell if a finished match has a result to send on as a picture: training is private (B7)."""
    return match.stopped_at is None and not match.both_forfeited and not match.training


def describe_match(match: Match) -> str:
    """Describe a match for other sites, in a line: players, score, game."""
    seats = list(match.seats.select_related("player"))
    names = [wording.join_list(seat.player.name for seat in seats if seat.number % 2 == line) for line in (0, 1)]
    cards = tables.read_card_points(match)
    points = "" if cards is None else f" ({cards[0]}–{cards[1]})"
    return " · ".join(
        (f"{names[0]} {match.score_0}–{match.score_1}{points} {names[1]}", game_wording.name_ruleset(match.ruleset))
    )


def _describe_uncommon_stakes(match: Match, names: list[str]) -> str:
    """Describe the stakes, where they are anything but the one of a match (T6, C5, C6)."""
    won = (match.stakes_0, match.stakes_1)
    usual = (0, 0) if match.winner is None else ((1, 0), (0, 1))[match.winner]
    return wording.describe_stakes(won, names) if won != usual and any(won) else ""


def _build_deals(match: Match, narrative: match_narrative.MatchNarrative) -> list[DealRow]:
    names = {seat.number: seat.player.name for seat in match.seats.select_related("player")}
    record = tables.build_record(match)
    return [
        DealRow(
            number=count.number,
            dealer=names.get(count.dealer) or _("il morto"),  # M3: nobody sits there
            void=count.void,
            points=count.points,
            score=count.score,
            rows=[
                (game_wording.name_tally_row(row.code), list(zip(row.values, row.points, strict=True)))
                for row in _list_tally_rows(deal)
            ],
            why=[sentence.text for sentence in deal.sentences if sentence.kind == "why"],
            narrative=deal,
        )
        for count, deal in zip(results.list_deal_summaries(record), narrative.deals, strict=False)
    ]


def _list_tally_rows(deal: match_narrative.DealNarrative) -> tuple[TallyRow, ...]:
    return deal.tally.rows if deal.tally is not None else ()
