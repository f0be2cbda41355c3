"""View of whoever comes late to a danese (D2): they ask, and see that they wait for an answer."""

from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players.selectors import player_for
from players.web.addresses import read_client_address
from tournaments.core.errors import TournamentError
from tournaments.core.web import Notice, get_tournament_or_404, read_key, run_and_report, show_notice, show_refusal
from tournaments.own_names.forms import OwnNamesForm
from tournaments.own_names.views import lead_to_own_entry, read_own_keys, require_few_of_browser
from tournaments.rounds import late_entries, late_requests


@require_http_methods(["GET", "HEAD", "POST"])
def ask_to_come_late(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the form by which one asks to come in late, or that the request waits; a POST asks, or asks no more."""
    tournament = get_tournament_or_404(request, public_id)
    player, join_key = player_for(request.user), read_key(request, tournament)
    arguments: dict[str, Any] = {"tournament_id": tournament.pk, "player": player, "now": timezone.now()}
    if request.method == "POST" and player is not None and "ritira" in request.POST:
        done = Notice("late_taken_back", _("Richiesta ritirata."))
        run_and_report(request, late_requests.take_late_request_back, done, **arguments)
        return redirect("tournament", public_id)
    refusal = late_requests.find_late_refusal(tournament, player, join_key)
    if player is None and refusal in ("not_signed_in", "account_needed"):
        return redirect_to_login(reverse("tournament-late", args=[public_id]))
    if refusal not in (None, "late_asked_already") and request.method != "POST":
        show_refusal(request, refusal)
        return redirect("tournament", public_id)
    form = OwnNamesForm(tournament, player, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        own_key, made = form.make_own_key(), read_own_keys(request, tournament)
        try:
            if player is None:
                require_few_of_browser(made, own_key)
            late_requests.ask_to_enter_late(
                people=form.list_people(),
                own_key=own_key,
                address=read_client_address(request),
                join_key=join_key,
                another=form.cleaned_data["another"],
                **arguments,
            )
        except TournamentError as error:
            form.refuse(error)
        else:
            if player is None:
                return lead_to_own_entry(request, tournament, own_key)
            show_notice(request, Notice("late_asked", _("Chi organizza lo sa, e ti risponde su ogni pagina.")))
            return redirect("tournament-late", public_id)
    form.mark_errors()
    context = {
        "tournament": tournament,
        "form": form,
        "asked": refusal == "late_asked_already",
        "round": late_entries.find_late_round(tournament),
    }
    return render(request, "tournaments/rounds/late.html", context, status=422 if form.errors else 200)
