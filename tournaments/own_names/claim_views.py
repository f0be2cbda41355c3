"""Views of claims (O2): the page on which an account says who it is, and the answers of whoever runs the tournament."""

from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players.clean_text import clean_line
from players.names import MAX_NAME_CHARACTERS
from players.selectors import player_for
from players.web.live import PageContext
from players.web.requests import read_number
from tournaments.core import refusals
from tournaments.core.errors import TournamentError
from tournaments.core.reasons import MAX_REASON_CHARACTERS
from tournaments.core.web import Notice, get_managed_or_404, get_tournament_or_404, show_notice, show_refusal
from tournaments.models import NameClaim
from tournaments.own_names import claims
from tournaments.querysets import match_name

State = NameClaim.State
MAX_NAMES = 200  # listed at once; the others are found by their name


@require_http_methods(["GET", "HEAD", "POST"])
def show_own_claim(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the names that a reader may claim, or their claim; a POST claims one, or takes the claim back."""
    tournament = get_tournament_or_404(request, public_id)
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(reverse("tournament-claim", args=[public_id]))
    if request.method == "POST":
        arguments: dict[str, Any] = {"tournament_id": tournament.pk, "player": player, "now": timezone.now()}
        try:
            if "ritira" in request.POST:
                claims.take_claim_back(**arguments)
                done = Notice("claim_taken_back", _("Fatto: il tuo account non ha più questo nome."))
            else:
                claims.claim_name(person_id=read_number(request.POST.get("person", ""), 0), **arguments)
                done = Notice("claim_asked", _("Chi organizza lo sa, e ti risponde."))
        except TournamentError as error:
            show_refusal(request, error.code, error.values)
        else:
            show_notice(request, done)
        return redirect("tournament-claim", public_id)
    typed = clean_line(request.GET.get("nome", ""))[:MAX_NAME_CHARACTERS]
    claim = tournament.name_claims.with_people().filter(player=player).first()
    refusal = claims.find_claim_refusal(tournament, player) if claim is None else ""
    people = claims.list_claimable(tournament)
    people = people.filter(match_name(typed)) if typed else people
    listed = list(people[: MAX_NAMES + 1]) if not refusal and claim is None else []
    context: PageContext = {
        "tournament": tournament,
        "claim": claim,
        "ends": claim is not None and claim.state in (State.WAITING, State.ACCEPTED),
        "refusal": refusal,
        "refused": refusals.describe_refusal(refusal) if refusal else "",
        "people": listed[:MAX_NAMES],
        "more": len(listed) > MAX_NAMES,
        "typed": typed,
    }
    return render(request, "tournaments/own_names/claim.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def show_claims(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show who says to be somebody of the tournament, to whoever runs it; a POST answers."""
    tournament, player = get_managed_or_404(request, public_id)
    refused: tuple[int, str, str] = (0, "", "")  # a claim, why its answer was refused, and the reason as it was typed
    if request.method == "POST":
        claim_id, reason = read_number(request.POST.get("claim", ""), 0), request.POST.get("reason", "")
        yes = "si" in request.POST
        try:
            claims.answer_claim(
                tournament_id=tournament.pk, by=player, claim_id=claim_id, yes=yes, reason=reason, now=timezone.now()
            )
        except TournamentError as error:
            if not tournament.name_claims.filter(pk=claim_id).exists():
                show_refusal(request, error.code, error.values)
                return redirect("tournament-claims", public_id)
            refused = (claim_id, refusals.describe_refusal(error.code, error.values), reason)
        else:
            accepted = Notice("claim_accepted", _("Riconosciuto: il torneo è anche sulla sua pagina."))
            show_notice(request, accepted if yes else Notice("claim_refused", _("Risposto di no, e lo sa.")))
            return redirect("tournament-claims", public_id)
    rows = list(tournament.name_claims.with_people())
    context: PageContext = {
        "tournament": tournament,
        "groups": (
            ("waiting", _("Senza risposta"), [row for row in rows if row.state == State.WAITING]),
            ("accepted", _("Riconosciuti"), [row for row in rows if row.state == State.ACCEPTED]),
            ("refused", _("Non riconosciuti"), [row for row in rows if row.state in (State.REFUSED, State.REVOKED)]),
        ),
        "nobody": not rows,
        "refused_id": refused[0],
        "why": refused[1],
        "typed": refused[2],
        "max_reason": MAX_REASON_CHARACTERS,
    }
    return render(request, "tournaments/own_names/claims.html", context, status=422 if refused[0] else 200)
