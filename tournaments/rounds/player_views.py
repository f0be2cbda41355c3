"""A player's pages about their next table: leave the tournament for good (R5), sit a round out (D3), or play before its
hour."""

from contextlib import suppress
from functools import partial
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from players.models import Player
from players.selectors import player_for
from players.web.live import PageContext
from players.web.requests import read_number
from tournaments.core import reads
from tournaments.core.errors import TournamentError
from tournaments.core.web import (
    Notice,
    get_tournament_or_404,
    run_act,
    run_and_report,
    show_notice,
    show_refusal,
)
from tournaments.models import Entry, RoundBye, Tournament
from tournaments.own_names import self_entry
from tournaments.rounds import wishes as round_wishes
from tournaments.running import dead_ends, early_play
from tournaments.running.withdraw import withdraw_entry

Kind = RoundBye.Kind


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
        dead_end = dead_ends.foresee_leaving(tournament, own.entry_id)
        context = {"tournament": tournament, "own": own, "dead_end": dead_end}
        return render(request, "tournaments/rounds/withdraw.html", context)
    done = Notice("withdrawn", _("Ti sei ritirato dal torneo."))
    reason = request.POST.get("reason", "")
    return run_act(request, public_id, withdraw_entry, done, actor="by", entry_id=own.entry_id, reason=reason)


@require_http_methods(["GET", "HEAD", "POST"])
def ask_for_bye(request: HttpRequest, public_id: str) -> HttpResponse:
    """Say that one's own entry doesn't play a round that isn't published (D3), or take it back."""
    tournament = get_tournament_or_404(request, public_id)
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(reverse("tournament-bye", args=[public_id]))
    own = tournament.entries.of_player(player).first()
    return _serve_byes(request, tournament, own, by=player, back=reverse("tournament", args=[public_id]))


@require_http_methods(["GET", "HEAD", "POST"])
def ask_for_bye_by_key(request: HttpRequest, public_id: str, token: str) -> HttpResponse:
    """The same for whoever has entered without an account (O2), at their own address."""
    tournament = get_tournament_or_404(request, public_id)
    own, back = self_entry.find_entry(tournament, token), reverse("own-entry", args=[public_id, token])
    return _serve_byes(request, tournament, own, own_key=token, back=back)


def _serve_byes(
    request: HttpRequest,
    tournament: Tournament,
    own: Entry | None,
    *,
    back: str,
    by: Player | None = None,
    own_key: str = "",
) -> HttpResponse:
    """Show what an entry sits out, with the form for more of it, and take what is said; ``back``: where it leads."""
    if own is None or own.withdrawn_at is not None or not round_wishes.takes_wishes(tournament):
        show_refusal(request, "not_entered" if own is None else "wishes_elsewhere")
        return redirect(back)
    arguments: dict[str, Any] = {"tournament_id": tournament.pk, "by": by, "own_key": own_key, "now": timezone.now()}
    if request.method == "POST" and "bye" in request.POST:
        done = Notice("bye_taken_back", _("In quel turno giochi."))
        bye_id = read_number(request.POST["bye"], 0)
        run_and_report(request, round_wishes.take_bye_back, done, bye_id=bye_id, **arguments)
        return redirect(request.path)
    kind = request.POST.get("kind", Kind.ASKED)
    dead_end = None
    if request.method == "POST":
        absent = Notice("bye_absent", _("In quel turno non ci sei."))
        done = absent if kind == Kind.ABSENT else Notice("bye_asked", _("In quel turno riposi."))
        about: dict[str, Any] = {"entry_id": own.pk, "number": read_number(request.POST.get("number", ""), 0)}
        with suppress(TournamentError):  # it is said where it is asked for in earnest
            leave_out = partial(round_wishes.leave_out, kind=kind, **about, **arguments)
            dead_end = None if "sure" in request.POST else dead_ends.foresee_wish(tournament, leave_out)
        if dead_end is None:
            try:
                round_wishes.leave_out(kind=kind, **about, **arguments)
            except TournamentError as error:
                show_refusal(request, error.code, error.values)
            else:
                show_notice(request, done)
                return redirect(request.path)
    rounds = round_wishes.list_open_rounds(tournament)
    byes = list(RoundBye.objects.filter(entry=own).exclude(kind=Kind.MISSED).order_by("number"))
    taken = {bye.number for bye in byes}
    context: PageContext = {
        "tournament": tournament,
        "rounds": [number for number in rounds if number not in taken],
        "byes": [(bye, bye.number in rounds and (bye.by_player or bye.kind == Kind.ASKED)) for bye in byes],
        "may_ask": not any(bye.kind == Kind.ASKED for bye in byes) and any(n not in taken for n in rounds[:-1]),
        "back": back,
        "dead_end": dead_end,
        "asked": (request.POST.get("number", ""), kind),
    }
    refused = request.method == "POST" and dead_end is None
    return render(request, "tournaments/rounds/bye.html", context, status=422 if refused else 200)


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
