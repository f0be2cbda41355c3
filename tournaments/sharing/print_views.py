"""View of the pages for paper."""

from collections.abc import Callable
from dataclasses import replace
from zoneinfo import ZoneInfo

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from games.models import Match
from players.web.live import PageContext
from players.web.qr import draw_qr
from tournaments.core.rows import TournamentPage
from tournaments.core.web import count_files, get_address, get_tournament_or_404
from tournaments.desk.wording import SHOWN_DIGITS
from tournaments.fees.queries import list_shared, read_shares
from tournaments.models import EntryMember
from tournaments.pages import tournament_page
from tournaments.pages.public_pages import read_bracket_sheets, read_crosses, read_ranks_tables, read_requested_round
from tournaments.play_offs.queries import read_shown_play_offs
from tournaments.sharing.wall import sort_by_table

PRINTS: dict[str, Callable[[HttpRequest, TournamentPage], PageContext]] = {
    "iscritti": lambda request, shown: {},
    "turno": lambda request, shown: _read_pairings(request, shown),
    "incrociata": read_crosses,
    "posti": lambda request, shown: _read_places(request, shown),
    "tabellone": read_bracket_sheets,
    "classifica": lambda request, shown: _read_ranks(request, shown),
    "premi": lambda request, shown: _read_prizes(shown),
}


def _read_ranks(request: HttpRequest, shown: TournamentPage) -> PageContext:
    """Return the standings with what was played for a shared rank (EV11)."""
    play_offs = read_shown_play_offs(shown.header.tournament)
    return {**read_ranks_tables(request, shown), "play_offs": [one for one in play_offs if one.counts]}


def _read_prizes(shown: TournamentPage) -> PageContext:
    """Return who gets which prize (O10), and what was decided where something can't be divided."""
    tournament = shown.header.tournament
    prizes = read_shares(tournament, {entry.entry_id: entry for entry in shown.entries.rows})
    return {"prizes": prizes, "shared": list_shared(tournament, prizes)}


def _read_pairings(request: HttpRequest, shown: TournamentPage) -> PageContext:
    """Return the round that the address asks for, in the order of its real tables, each fixture with the first digits
    of the commitment to its cards, if it is played on the site (J1)."""
    asked = read_requested_round(request, shown)["round"]
    fixtures = tuple(sort_by_table(asked.fixtures))
    tables = [fixture.table for fixture in fixtures if fixture.table is not None]
    digests = dict(Match.objects.filter(public_id__in=tables).values_list("public_id", "commitment__digest"))
    digits = [(digests.get(fixture.table or "") or "")[:SHOWN_DIGITS] for fixture in fixtures]
    return {
        "round": replace(asked, fixtures=fixtures),
        "pairings": list(zip(fixtures, digits, strict=True)),
        "committed": any(digits),
    }


def _read_places(request: HttpRequest, shown: TournamentPage) -> PageContext:
    """Return the round that the address asks for, and in alphabetical order who sits at which real table (O8)."""
    context = read_requested_round(request, shown)
    seated = [row for row in context["round"].fixtures if row.hall_table is not None]
    sides = [(side, row) for row in seated for side in (row.first, row.second) if side is not None]
    if shown.header.tournament.entry_kind.has_line_ups:  # who is in the line-up, of each table (O12)
        places = [
            (f"{name} · {side.team}" if side.team else name, row) for side, row in sides for name, _page in side.linked
        ]
    else:
        by_entry = {side.entry_id: row for side, row in sides}
        members = EntryMember.objects.filter(entry__in=by_entry).select_related("person__player")
        places = [(member.person.public_name, by_entry[member.entry_id]) for member in members]
    return {**context, "places": sorted(places, key=lambda place: place[0].casefold())}


@require_safe
@count_files
def print_page(request: HttpRequest, public_id: str, what: str) -> HttpResponse:
    """Show one part of the tournament as it goes on paper; ``what`` is one of ``PRINTS``."""
    tournament = get_tournament_or_404(request, public_id)
    if what not in PRINTS:
        raise Http404
    shown = tournament_page.read_page(tournament, None)
    url = get_address(request, tournament)
    context = {
        "page": shown,
        "tournament": tournament,
        "what": what,
        "now": timezone.now(),
        "url": url,
        "qr": draw_qr(url),
        **PRINTS[what](request, shown),
    }
    with timezone.override(ZoneInfo(tournament.time_zone)):  # it hangs where that is the hour (E7)
        return render(request, f"tournaments/sharing/print/{what}.html", context)
