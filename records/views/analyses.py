"""Pages of analyses (HP6): asked for, waited for, read. They are the asker's alone.

Without JavaScript the page of one that is being made loads itself again; with it a piece of it does.
"""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from games import decks, study
from games import selectors as tables
from games import wording as game_wording
from games.engine import record as verbale
from players.selectors import player_for
from players.web.live import PageContext
from players.web.requests import read_number, show_error
from records import deal_narrative
from records.analysis import actions, panels, queries, wording
from records.analysis.actions import AnalysisRefused
from records.forms import RecordForm
from records.models import Analysis
from records.views.matches import get_match_or_404

MAX_SEAT_DIGITS = 1


@never_cache
@decks.name_cards_as_drawn
def show_analysis(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the reader's analysis of their finished match; with POST, ask for it. 404 for whoever didn't sit there."""
    match = get_match_or_404(request, public_id)
    player = player_for(request.user)
    if player is None or match.status != match.Status.FINISHED or tables.find_seat(match, player) is None:
        raise Http404
    now = timezone.now()
    if request.method == "POST":
        try:
            actions.ask_about_match(match=match, player=player, now=now)
        except AnalysisRefused as error:
            show_error(request, wording.describe_refusal(error.code, error.wait), error.code)
        return redirect("match-analysis", public_id)
    analysis = queries.find_of_match(match, player)
    refusal = study.find_match_refusal(match) or study.find_refusal(player, now)
    context = {
        "match": match,
        "title": match.shown_title or game_wording.name_ruleset(match.ruleset),
        "game": game_wording.name_ruleset(match.ruleset),
        "refusal": "" if refusal is None else wording.describe_refusal(refusal),
        **_build_state(analysis, refusal),
    }
    return render(request, "records/analysis.html", context)


@never_cache
@decks.name_cards_as_drawn
def show_record_analysis(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the analysis of a record that the reader sent; 404 for anybody else."""
    analysis = queries.find_own(public_id, player_for(request.user))
    if analysis is None:
        raise Http404
    if analysis.match is not None:
        return redirect("match-analysis", analysis.match.public_id)
    refusal = study.find_refusal(analysis.player, timezone.now())
    parsed = verbale.parse(analysis.record).setup
    names = deal_narrative.read_names(analysis.record, parsed)
    context = {
        "title": names.seats[analysis.seat],
        "game": game_wording.name_ruleset(parsed.ruleset),
        "refusal": "" if refusal is None else wording.describe_refusal(refusal),
        **_build_state(analysis, refusal),
    }
    return render(request, "records/analysis.html", context)


@require_POST
def ask_about_record(request: HttpRequest) -> HttpResponse:
    """Ask for the analysis of a record that is sent along, of whoever sits at ``posto``."""
    player = player_for(request.user)
    form = RecordForm(request.POST)
    seat = read_number(request.POST.get("posto", ""), None, digits=MAX_SEAT_DIGITS)
    try:
        if player is None:
            raise AnalysisRefused("members_only")
        if not form.is_valid():
            raise AnalysisRefused("unreadable")
        if seat is None:
            raise AnalysisRefused("no_such_seat")
        text = form.cleaned_data["record"]
        analysis = actions.ask_about_record(text=text, seat=seat, player=player, now=timezone.now())
    except AnalysisRefused as error:
        show_error(request, wording.describe_refusal(error.code, error.wait), error.code)
        return redirect("records")
    return redirect("record-analysis", analysis.public_id)


def _build_state(analysis: Analysis | None, refusal: str | None) -> PageContext:
    if analysis is None or refusal is not None:
        return {"analysis": analysis, "state": "refused" if refusal is not None else "none"}
    if analysis.state == Analysis.State.DONE:
        return {"analysis": analysis, "state": "done", "page": panels.build_page(analysis)}
    waiting = 0 if analysis.is_over else queries.count_before(analysis)
    return {"analysis": analysis, "state": "failed" if analysis.is_over else "running", "before": waiting}
