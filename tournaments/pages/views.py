"""Views of a tournament's page and of its ranks."""

from datetime import datetime

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.levels import ShownLevel, read_shown_levels
from games.models import Match
from games.selectors import find_open_table
from players.clean_text import clean_line
from players.models import Player
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
from tournaments.pages.own_table import read_own_table
from tournaments.pages.public_pages import build_link_prefixes, read_page_parts
from tournaments.pages.tabs import list_tabs
from tournaments.pages.wording import describe_after_match
from tournaments.running import round_clocks
from tournaments.standings.ending import read_ending
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
    open_table = None if player is None else find_open_table(player.pk)
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
        "open_table": open_table,
        "levels": _read_levels(page, player),
        "invite_url": _build_invite_address(page, player),
        "own_table": read_own_table(page, open_table),
        "ending": read_ending(page) if tournament.state == State.FINISHED and page.schedule.rounds else None,
    }
    context["tabs"] = list_tabs(page, context)
    response = render_live(request, "tournaments/pages/tournament.html", context)
    return response if visibility.is_indexed(tournament) else keep_from_search(response)


def _list_watched(page: rows.TournamentPage, now: datetime) -> list[TableToWatch]:
    """List the best running tables for a reader who may watch them (N4) and sits at none."""
    watches = page.viewer.watches and page.viewer.my_table is None and page.header.tables_open > 0
    return list_tables_of(page.header.tournament, now) if watches else []


def _read_levels(page: rows.TournamentPage, player: Player | None) -> dict[int, ShownLevel]:
    """Return the levels of those who are entered, of whom a reader who thinks of entering would like to know them."""
    tournament = page.header.tournament
    if not page.header.takes_entries or not tournament.entry_kind.enters_alone:
        return {}
    ids = [player_id for entry in page.entries.rows if not entry.house for player_id in entry.player_ids]
    people = list(Player.objects.filter(pk__in=ids))
    return read_shown_levels(people, player, tournament.ruleset, tournament.entry_kind.players)


def _build_invite_address(page: rows.TournamentPage, player: Player | None) -> str:
    """Return where a reader calls somebody to a free place: their friends, or the link to send on."""
    if page.header.tournament.registration == Tournament.Registration.LIST:
        return ""
    return "#share" if player is None else f"{reverse('friends')}?torneo={page.header.tournament.public_id}"


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
