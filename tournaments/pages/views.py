"""The page of a tournament, and one's own."""

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET

from games import selectors as tables
from players.clean_text import clean_line
from players.names import LONGEST_NAME
from players.selectors import player_for
from players.web import is_live, read_number, render_live
from tournaments.core import permissions, refusals, rows, visibility
from tournaments.core.parts import page_request
from tournaments.core.permissions import may_referee
from tournaments.core.web import JUST_CLICKED, get_tournament_or_404, shown_key
from tournaments.desk import queries as desk_queries
from tournaments.desk.queries import list_rulings
from tournaments.models import Tournament
from tournaments.pages import tournament_part
from tournaments.pages.actions import list_organiser_actions, list_viewer_actions
from tournaments.pages.public_pages import link_prefixes, page_parts
from tournaments.standings.ranking_pages import read_ranking_page


@require_GET
def tournament(request: HttpRequest, public_id: str) -> HttpResponse:
    player = player_for(request.user)
    found = get_tournament_or_404(request, public_id)
    page = tournament_part.read_part(found, player, page_request(request), shown_key(request, found))
    entered_by_click = JUST_CLICKED in request.GET and page.viewer.entered
    if entered_by_click and page.viewer.my_table is not None and not is_live(request):
        return redirect("table", page.viewer.my_table)
    context = {
        "page": page,
        "tournament": found,
        "now": timezone.now(),
        "goes_to_table": entered_by_click,
        "join_refusal": "" if page.viewer.join_refusal is None else refusals.describe_refusal(page.viewer.join_refusal),
        "current_round": next((row.number for row in page.schedule.rounds if not row.finished), None),
        "link": _link(request, page),
        **page_parts(page),
        **link_prefixes(request, page),
        "reports": desk_queries.list_reports(found, page, staff=request.user.is_staff),
        "rulings": list_rulings(found, page.entries.rows),
        "may_referee": found.drawn_at is not None and may_referee(found, player),
        "viewer_actions": list_viewer_actions(page),
        "organiser_actions": list_organiser_actions(page),
        "referees": permissions.list_referees(found),
    }
    return render_live(request, "tournaments/pages/tournament.html", context)


def _link(request: HttpRequest, page: rows.TournamentPage) -> str:
    """The address the reader may send to whom he wants as his partner; empty where he waits for none."""
    if page.viewer.waiting is None or not page.viewer.waiting.token:
        return ""
    return request.build_absolute_uri(
        reverse("pair-link", args=[page.header.tournament.public_id, page.viewer.waiting.token])
    )


@require_GET
def profile(request: HttpRequest) -> HttpResponse:
    """One's own page: who one is, what one has played."""
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(request.get_full_path())
    context = {
        "person": player,
        "played": tables.list_played(player, latest=20),
        "played_count": tables.count_played(player),
        "entered": visibility.list_current(player)[:20],
        "organised": Tournament.objects.filter(organiser=player).order_by("-created_at")[:20],
    }
    return render(request, "players/profile.html", context)


@require_GET
def ranks_page(request: HttpRequest, public_id: str) -> HttpResponse:
    """``pagina``: its number; ``nome``: only who is called about so."""
    found = get_tournament_or_404(request, public_id)
    if found.drawn_at is None:
        raise Http404
    number = read_number(request.GET.get("pagina", ""), 1, digits=5)
    name = clean_line(request.GET.get("nome", ""))[:LONGEST_NAME]
    shown = read_ranking_page(found, player_for(request.user), number=number, name=name)
    context = {"tournament": found, "page": shown, "name": name}
    return render_live(request, "tournaments/standings/ranks.html", context)
