"""Views of the front page: its lists, and *Gioca subito*."""

from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from games.lobby.views import list_free_tables
from players.models import Player
from players.selectors import player_for
from players.views import let_in, show_crowd
from players.web import read_client_address, render_live
from tournaments import standing_offers
from tournaments.core.errors import TournamentError
from tournaments.core.permissions import make_run_condition
from tournaments.core.rows import Home
from tournaments.core.states import ENTERING
from tournaments.core.visibility import count_live, list_tournaments, make_listed_condition
from tournaments.core.web import JUST_CLICKED, show_refusal
from tournaments.entries import queries as entries_queries
from tournaments.models import Tournament

State = Tournament.State


def read_home(player: Player | None = None, *, finished: int = 10) -> Home:
    """Return the front page's lists: open (soonest start first, sit and gos on top), running, the last ``finished``
    ones.

    What a new account has opened isn't there before somebody else has entered, but for who runs it (AT6).
    """
    listed = make_listed_condition()
    if player is not None:
        listed |= make_run_condition(player)
    all_ = list_tournaments(player).filter(listed).annotate(live_count=count_live())
    return Home(
        open=tuple(all_.filter(state__in=ENTERING).order_by(F("starts_at").asc(nulls_first=True), "-created_at")),
        running=tuple(all_.filter(state=State.RUNNING).order_by("-drawn_at")),
        finished=tuple(all_.filter(state=State.FINISHED).order_by("-finished_at")[:finished]),
    )


@require_safe
def show_home(request: HttpRequest) -> HttpResponse:
    """Show the front page."""
    player = player_for(request.user)
    lists = read_home(player)
    to_check_in = () if player is None else entries_queries.list_awaiting_checkin(player)
    context = {"lists": lists, "to_check_in": to_check_in, "now": timezone.now(), **list_free_tables(request)}
    return render_live(request, "tournaments/pages/home.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def play_now(request: HttpRequest) -> HttpResponse:
    """Seat the reader in the house's standing offer (*Gioca subito*): one click, no account; in a pair if the form says
    so.

    A GET seats nobody: after a reload, or a login that leads back here, the button is on the home page.
    """
    if request.method != "POST":
        return redirect("home")
    if player_for(request.user) is None:
        refused = let_in(request)
        if refused is not None:
            show_crowd(request, refused)
            return redirect("home")
    player = player_for(request.user)
    assert player is not None
    try:
        tournament = standing_offers.enter_now(
            player=player,
            now=timezone.now(),
            seats=2 if "coppia" in request.POST else 1,
            address=read_client_address(request),
        )
    except TournamentError as error:
        show_refusal(request, error.code, error.values)
        return redirect("home")
    return redirect(f"{reverse('tournament', args=[tournament.public_id])}?{JUST_CLICKED}=1")
