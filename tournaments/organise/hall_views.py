"""Views of a tournament's hall: the address that telephones reach, the address everybody comes from, passes of the
desk."""

from typing import Any

from allauth.core import ratelimit
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players import caps
from players.addresses import compute_address_digest
from players.models import Player
from players.services.halls import find_hall
from players.web.addresses import is_from_network, read_client_address
from players.web.qr import draw_qr
from players.web.requests import read_number
from tournaments.core import refusals
from tournaments.core.errors import TournamentError
from tournaments.core.states import UNDER_WAY, UNFINISHED
from tournaments.core.web import (
    Notice,
    build_address,
    find_network_address,
    get_managed_or_404,
    get_tournament_or_404,
    is_alone,
    run_and_report,
    show_notice,
    show_refusal,
)
from tournaments.models import Tournament
from tournaments.organise import hall, passes
from tournaments.organise.desk_middleware import KEPT_AS


@require_http_methods(["GET", "HEAD", "POST"])
def edit_hall(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the page of the tournament's hall, to whoever runs it; mark the reader's address (AT6), or take it back;
    make a pass of the desk (O9), whose link is in the answer alone, or end one."""
    tournament, player = get_managed_or_404(request, public_id)
    if tournament.state not in UNFINISHED:
        raise Http404
    now, address = timezone.now(), read_client_address(request)
    link = ""
    if request.method == "POST":
        if "accesso" in request.POST:
            link = _make_pass(request, tournament, player)
        else:
            _run_act(request, tournament, player)
        if not link:
            return redirect("tournament-hall", public_id)
    marked, network = find_hall(key=public_id, now=now), find_network_address(request, tournament)
    context = {
        "tournament": tournament,
        "today": hall.is_hall_day(tournament, now),
        "hall": marked,
        "here": marked is not None and marked.address == compute_address_digest(address),
        "guests": caps.GUESTS_AN_ADDRESS[0].most,
        "guests_in_hall": caps.GUESTS_AN_ADDRESS_IN_ALL[0].most,
        "signups_in_hall": caps.SIGNUPS_IN_A_HALL[0].most,
        "alone": is_alone(request, tournament),
        "network_address": network,
        "network_qr": network and draw_qr(network),
        "gives_passes": settings.PLAIN_NETWORK and tournament.state in UNDER_WAY,
        "passes": passes.list_passes(tournament, now),
        "pass_link": link,
        "pass_qr": link and draw_qr(link),
    }
    response = render(request, "tournaments/organise/hall.html", context)
    if link:
        response["Cache-Control"] = "no-store"
    return response


def _make_pass(request: HttpRequest, tournament: Tournament, player: Player) -> str:
    """Make a pass. Return its link, empty where that is refused."""
    if not settings.PLAIN_NETWORK:
        raise Http404
    try:
        token = passes.make_pass(tournament_id=tournament.pk, by=player, now=timezone.now())
    except TournamentError as error:
        show_refusal(request, error.code, error.values)
        return ""
    return build_address(request, "desk-pass", tournament.public_id, token)


def _run_act(request: HttpRequest, tournament: Tournament, player: Player) -> None:
    """Do what the pressed button says, and show on the next page how it went."""
    arguments: dict[str, Any] = {"tournament_id": tournament.pk, "by": player, "now": timezone.now()}
    if "chiudi" in request.POST:
        arguments["pass_id"] = read_number(request.POST.get("chiudi", ""), 0)
        run_and_report(
            request, passes.end_pass, Notice("desk_pass_ended", _("Quell'accesso non vale più.")), **arguments
        )
    elif "togli" in request.POST:
        run_and_report(request, hall.end_hall, Notice("hall_ended", _("L'indirizzo non è più segnato.")), **arguments)
    else:
        done = Notice("hall_marked", _("Segnato: da qui oggi si entra in molti."))
        run_and_report(request, hall.mark_hall, done, address=read_client_address(request), **arguments)


@require_http_methods(["GET", "HEAD", "POST"])
def open_desk(request: HttpRequest, public_id: str, token: str) -> HttpResponse:
    """Show what a pass of the desk is, and that the network reads along; a POST takes it for this browser."""
    tournament = get_tournament_or_404(request, public_id)
    away, refusal = is_from_network(request), ""
    if request.method == "POST" and away:
        if not ratelimit.consume(request, action="desk_pass"):
            refusal = "too_many_codes"
        else:
            refusal = _claim_pass(request, tournament, token)
        if not refusal:
            done = _("Sei al banco di questo torneo, fino a domattina o finché chi organizza non chiude l'accesso.")
            show_notice(request, Notice("desk_open", done))
            return redirect(find_desk(tournament), public_id)
    context = {
        "tournament": tournament,
        "away": away,
        "refusal": refusal,
        "refusal_text": refusal and refusals.describe_refusal(refusal),
    }
    return render(request, "tournaments/organise/desk_pass.html", context, status=403 if refusal else 200)


def _claim_pass(request: HttpRequest, tournament: Tournament, token: str) -> str:
    """Take a pass for the reader's browser. Return the code of the refusal, empty for none."""
    try:
        desk_pass = passes.claim_pass(tournament_id=tournament.pk, token=token, now=timezone.now())
    except TournamentError:  # on loan: there is nothing to do at its desk
        desk_pass = None
    if desk_pass is None:
        return "desk_pass_over"
    request.session.cycle_key()
    request.session[KEPT_AS] = desk_pass.digest
    return ""


def find_desk(tournament: Tournament) -> str:
    """Return the route at which who comes to the desk has most to do now."""
    if tournament.drawn_at is None:
        return "tournament-entries"
    return "tournament-results" if tournament.venue.types_results else "tournament-desk"
