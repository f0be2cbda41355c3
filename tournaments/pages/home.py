"""View of the front page: its lists, and who is here."""

from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from games.lobby.views import list_free_tables
from players import presence
from players.models import Player
from players.selectors import player_for
from players.web import render_live
from tournaments.core.permissions import make_run_condition
from tournaments.core.rows import Home
from tournaments.core.states import ENTERING
from tournaments.core.visibility import count_house, count_live, list_tournaments, make_listed_condition
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
    all_ = list_tournaments(player).filter(listed).annotate(live_count=count_live(), house_count=count_house())
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
    here = presence.find_here(timezone.now())
    context = {
        "lists": lists,
        "to_check_in": to_check_in,
        "here": None if here is None else len(here),
        "now": timezone.now(),
        **list_free_tables(request),
    }
    return render_live(request, "tournaments/pages/home.html", context)
