"""The page of a tournament's play-offs (EV11): for everybody what was played, for its referees what they may do."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players.models import Player
from players.selectors import player_for
from players.web.live import render_live
from tournaments.core import refusals
from tournaments.core.errors import TournamentError
from tournaments.core.permissions import may_referee, may_run
from tournaments.core.web import Notice, get_tournament_or_404, run_and_report, show_notice, show_refusal
from tournaments.desk.acts import apply_sent
from tournaments.desk.forms import ActForm
from tournaments.models import Tournament
from tournaments.play_offs import actions
from tournaments.play_offs.forms import build_forms
from tournaments.play_offs.queries import count_crowds, read_shown_play_offs

CLOSE, REOPEN = "chiudi", "riapri"  # what the organiser's buttons send


@require_http_methods(["GET", "HEAD", "POST"])
def show_play_offs(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the play-offs of a tournament that was drawn, and to its referees the forms of what they may do."""
    tournament = get_tournament_or_404(request, public_id)
    player = player_for(request.user)
    referee = player if player is not None and may_referee(tournament, player) else None
    if tournament.drawn_at is None or (request.method == "POST" and referee is None):
        raise Http404
    runs = may_run(tournament, player)
    if request.method == "POST" and "segno" in request.POST:
        _mark(request, tournament, player)
        return redirect("play-offs", public_id)
    shown = read_shown_play_offs(tournament)
    data = request.POST if request.method == "POST" else None
    acts = [] if referee is None else build_forms(data, tournament, referee, shown)
    now = timezone.now()

    def apply(form: ActForm) -> None:
        assert referee is not None
        form.apply({"tournament_id": tournament.pk, "act": form.make_act(referee, now)})  # type: ignore[attr-defined]

    if referee is not None and apply_sent(acts, tournament, referee, apply):
        show_notice(request, Notice("logged", _("Fatto: è nel diario.")))
        return redirect("play-offs", public_id)
    if request.method == "POST" and not any(form.is_bound for form in acts):
        show_refusal(request, "act_gone")
        return redirect("play-offs", public_id)
    context = {
        "tournament": tournament,
        "play_offs": shown,
        "crowds": count_crowds(tournament) if referee is not None and acts else 0,
        "refusal": None if referee is None else _find_refusal(tournament),
        "acts": acts,
        "may_referee": referee is not None,
        "may_run": runs,
        "marks": runs and tournament.venue.plays_off and tournament.state == Tournament.State.FINISHED,
    }
    response = render_live(request, "tournaments/play_offs/play_offs.html", context)
    response["Cache-Control"] = "no-store"
    return response


def _mark(request: HttpRequest, tournament: Tournament, player: Player | None) -> None:
    """Close the tournament, or open it again, as the organiser's button says."""
    about = {"tournament_id": tournament.pk, "by": player, "now": timezone.now()}
    if request.POST["segno"] == CLOSE:
        closed = Notice("closed", _("Torneo chiuso: i posti pari restano come sono."))
        run_and_report(request, actions.close_tournament, closed, **about)
    else:
        opened = Notice("opened_again", _("Il torneo è di nuovo aperto agli spareggi."))
        run_and_report(request, actions.reopen_tournament, opened, **about)


def _find_refusal(tournament: Tournament) -> tuple[str, str] | None:
    """Return the code and the sentence of why nothing can be played for now, None where it can."""
    try:
        actions.require_open(tournament)
    except TournamentError as error:
        return error.code, refusals.describe_refusal(error.code, error.values)
    return None
