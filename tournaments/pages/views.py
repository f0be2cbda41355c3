"""Views of a tournament's page and of its ranks."""

from datetime import datetime

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.models import Match
from players.clean_text import clean_line
from players.names import MAX_NAME_CHARACTERS
from players.selectors import player_for
from players.web.live import is_live, keep_from_search, render_live
from players.web.requests import read_number
from tournaments.core import permissions, refusals, rows, visibility
from tournaments.core.parts import page_request
from tournaments.core.permissions import may_referee
from tournaments.core.watched import TableToWatch, list_tables_of
from tournaments.core.web import JUST_CLICKED, get_tournament_or_404, read_key
from tournaments.desk import queries as desk_queries
from tournaments.desk.rulings import list_rulings
from tournaments.equal.views import build_mixing
from tournaments.models import Tournament
from tournaments.own_names.claims import ASKABLE
from tournaments.own_names.views import list_own_entries
from tournaments.pages import tournament_part
from tournaments.pages.actions import list_organiser_actions, list_viewer_actions, make_play_again
from tournaments.pages.after_match import read_after_match
from tournaments.pages.public_pages import build_link_prefixes, read_page_parts
from tournaments.pages.wording import describe_after_match
from tournaments.running import round_clocks
from tournaments.standings.podium import build_podium
from tournaments.standings.ranking_pages import read_ranking_page

State = Tournament.State


@require_safe
def show_tournament(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the tournament's page, or redirect a reader who has just clicked *Gioca subito* to their table."""
    player = player_for(request.user)
    tournament = get_tournament_or_404(request, public_id)
    page = tournament_part.read_part(tournament, player, page_request(request), read_key(request, tournament))
    entered_by_click = JUST_CLICKED in request.GET and page.viewer.entered
    if entered_by_click and page.viewer.my_table is not None and not is_live(request):
        return redirect("table", page.viewer.my_table)
    now = timezone.now()
    context = {
        "page": page,
        "tournament": tournament,
        "now": now,
        "clocks": round_clocks.read_clocks(tournament, now),
        "goes_to_table": entered_by_click,
        "join_refusal": "" if page.viewer.join_refusal is None else refusals.describe_refusal(page.viewer.join_refusal),
        "current_round": next((row.number for row in page.schedule.rounds if not row.finished), None),
        "link": _build_partner_link(request, page),
        **read_page_parts(page),
        **build_link_prefixes(request, page),
        "reports": desk_queries.list_reports(tournament, page, staff=request.user.is_staff),
        "rulings": list_rulings(tournament, page.entries.rows),
        "may_referee": tournament.drawn_at is not None and may_referee(tournament, player),
        "viewer_actions": list_viewer_actions(page),
        "own_entries": list_own_entries(request, tournament) if tournament.venue.enters_names else (),
        "claimable": player is not None and may_look_for_own_name(page),
        "organiser_actions": list_organiser_actions(page),
        "unlisted": page.viewer.is_organiser and page.header.takes_entries and not visibility.is_listed(tournament),
        "referees": permissions.list_referees(tournament),
        "watched": _list_watched(page, now),
        **build_mixing(request, tournament),
        "podium": build_podium(page.standings.rows) if tournament.state == State.FINISHED else None,
    }
    response = render_live(request, "tournaments/pages/tournament.html", context)
    return response if visibility.is_indexed(tournament) else keep_from_search(response)


def _list_watched(page: rows.TournamentPage, now: datetime) -> list[TableToWatch]:
    """List the best running tables for a reader who may watch them (N4) and sits at none."""
    watches = page.viewer.watches and page.viewer.my_table is None and page.header.tables_open > 0
    return list_tables_of(page.header.tournament, now) if watches else []


def may_look_for_own_name(page: rows.TournamentPage) -> bool:
    """Return whether to lead a reader with an account to the page on which they claim a name (O2)."""
    tournament, viewer = page.header.tournament, page.viewer
    typed = tournament.venue.enters_names or bool(tournament.imported_from)
    return typed and tournament.state in ASKABLE and not viewer.entered and not viewer.is_organiser


def _build_partner_link(request: HttpRequest, page: rows.TournamentPage) -> str:
    """Return the address that the reader may send to a partner; empty if they wait for none."""
    if page.viewer.waiting is None or not page.viewer.waiting.token:
        return ""
    return request.build_absolute_uri(
        reverse("pair-link", args=[page.header.tournament.public_id, page.viewer.waiting.token])
    )


@require_safe
def show_ranks(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a page of the ranks: ``pagina`` its number; ``nome``: only entries with that in their name."""
    tournament = get_tournament_or_404(request, public_id)
    if tournament.drawn_at is None:
        raise Http404
    number = read_number(request.GET.get("pagina", ""), 1, digits=5)
    name = clean_line(request.GET.get("nome", ""))[:MAX_NAME_CHARACTERS]
    shown = read_ranking_page(tournament, player_for(request.user), number=number, name=name)
    context = {"tournament": tournament, "page": shown, "name": name}
    return render_live(request, "tournaments/standings/ranks.html", context)


@never_cache
@require_safe
def show_after_match(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show what comes after a tournament match for the reader, for the end of its table and its result's page; 404
    while it is played."""
    match = get_object_or_404(Match, public_id=public_id, status=Match.Status.FINISHED)
    after = read_after_match(match.pk, player_for(request.user), timezone.now())
    if after is None:
        raise Http404
    context = {
        "after": after,
        "said": describe_after_match(after),
        "play_again": make_play_again(after.tournament) if after.plays_again else None,
        "now": timezone.now(),
    }
    return render(request, "tournaments/pages/_after_match.html", context)
