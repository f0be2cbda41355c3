"""A player's pages about their next table: leave the tournament for good (R5), sit a round out (D3), or play before its
hour."""

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from players.selectors import player_for
from players.web import read_number
from tournaments.core import reads
from tournaments.core.errors import TournamentError
from tournaments.core.web import Notice, get_tournament_or_404, run_act, show_notice, show_refusal
from tournaments.models import RoundBye
from tournaments.running import early_play, round_wishes
from tournaments.running.withdraw import withdraw_entry


@require_http_methods(["GET", "HEAD", "POST"])
def withdraw(request: HttpRequest, public_id: str) -> HttpResponse:
    """Explain a withdrawal first, and withdraw by the second click."""
    tournament = get_tournament_or_404(request, public_id)
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(reverse("tournament", args=[public_id]))
    own = reads.read_own_entry(tournament, player)
    if own is None or own.withdrawn or tournament.state != tournament.State.RUNNING:
        show_refusal(request, "not_entered" if own is None else "over")
        return redirect("tournament", public_id)
    if request.method != "POST":
        return render(request, "tournaments/running/withdraw.html", {"tournament": tournament, "own": own})
    done = Notice("withdrawn", _("Ti sei ritirato dal torneo."))
    reason = request.POST.get("reason", "")
    return run_act(request, public_id, withdraw_entry, done, actor="by", entry_id=own.entry_id, reason=reason)


@require_http_methods(["GET", "HEAD", "POST"])
def ask_for_bye(request: HttpRequest, public_id: str) -> HttpResponse:
    """Ask for a bye in a round that isn't published (D3), or take it back."""
    tournament = get_tournament_or_404(request, public_id)
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(reverse("tournament-bye", args=[public_id]))
    own = reads.read_own_entry(tournament, player)
    if own is None or own.withdrawn or not round_wishes.takes_wishes(tournament):
        show_refusal(request, "not_entered" if own is None else "wishes_elsewhere")
        return redirect("tournament", public_id)
    if request.method == "POST" and "bye" in request.POST:
        done = Notice("bye_taken_back", _("In quel turno giochi."))
        bye_id = read_number(request.POST["bye"], 0)
        return run_act(request, public_id, round_wishes.take_bye_back, done, actor="by", bye_id=bye_id)
    if request.method == "POST":
        done = Notice("bye_asked", _("In quel turno riposi."))
        about = {"entry_id": own.entry_id, "number": read_number(request.POST.get("number", ""), 0)}
        return run_act(request, public_id, round_wishes.leave_out, done, actor="by", kind=RoundBye.Kind.ASKED, **about)
    rounds = round_wishes.list_open_rounds(tournament)
    byes = RoundBye.objects.filter(entry=own.entry_id, kind=RoundBye.Kind.ASKED)
    context = {"tournament": tournament, "rounds": rounds[:-1], "bye": byes.first(), "open": rounds}
    return render(request, "tournaments/running/bye.html", context)


@require_POST
def agree_to_play_early(request: HttpRequest, public_id: str) -> HttpResponse:
    """Agree to play the form's fixture before its hour; it opens if the other entry agrees too (R6)."""
    tournament = get_tournament_or_404(request, public_id)
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(reverse("tournament", args=[public_id]))
    typed = request.POST.get("fixture", "")
    fixture_id = read_number(typed, 0)
    try:
        both = early_play.play_ahead(tournament_id=tournament.pk, fixture_id=fixture_id, by=player, now=timezone.now())
    except TournamentError as error:
        show_refusal(request, error.code, error.values)
    else:
        asked = _("Se anche chi ti gioca contro vuole anticipare, il tavolo si apre.")
        notice = Notice("opens_now", _("Il tavolo si apre subito.")) if both else Notice("asked_ahead", asked)
        show_notice(request, notice)
    return redirect("tournament", public_id)
