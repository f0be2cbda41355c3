"""Public pages beside the tournament's own: explained standings, tables, brackets. It never writes."""

from dataclasses import replace
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from players.selectors import player_for
from players.web.live import PageContext, keep_from_search, render_live
from players.web.requests import read_number
from tournaments.core import reads, rows
from tournaments.core.rows import Part, TournamentPage
from tournaments.core.visibility import is_indexed
from tournaments.core.web import describe_for_social, get_tournament_or_404
from tournaments.models import Tournament
from tournaments.pages import tournament_page
from tournaments.standings import bracket_view, explained, projections

State = Tournament.State
MAX_EXPLAINED_ROWS = 100  # explained on one page


def _drop_empty_boards(row: rows.RoundRow) -> rows.RoundRow:
    """Return a round without the boards that nobody has been drawn to (D1)."""
    return replace(row, fixtures=tuple(f for f in row.fixtures if f.first or f.second))


def build_link_prefixes(request: HttpRequest, shown: TournamentPage) -> PageContext:
    """Return the beginnings of a part's links, with the rest of this page's address in them."""
    sheet = shown.entries.sheet if shown.schedule.part is None else shown.schedule.part.sheet
    kept = [(name, request.GET[name]) for name in ("tema", "lingua") if name in request.GET]
    turn = [] if shown.schedule.part is None else [("turno", str(shown.schedule.part.turn.number))]
    name = [("nome", sheet.name)] if sheet is not None and sheet.name else []
    return {"kept": kept, "turn_address": _build_prefix(kept), "address": _build_prefix([*kept, *turn, *name])}


def _build_prefix(pairs: list[tuple[str, str]]) -> str:
    return f"?{urlencode(pairs)}&" if pairs else "?"


def read_page_parts(shown: TournamentPage) -> PageContext:
    """Return the parts that templates draw beside the tournament's page: tables of standings, bracket, projections."""
    if shown.schedule.part is not None:
        return _read_parts_of_big_page(shown, shown.schedule.part)
    tables = explained.read_standings_tables(shown)
    in_bracket = {row.number for row in bracket_view.list_bracket_rounds(shown)}
    listed = tuple(_drop_empty_boards(row) for row in shown.schedule.rounds if row.number not in in_bracket)
    return {
        "social_about": describe_for_social(shown),
        "tables": tables,
        "final": explained.read_final_table(shown) if shown.header.tournament.state == State.FINISHED else None,
        "bracket": bracket_view.read_bracket(shown),
        "bracket_first": bool(in_bracket) and all(row.finished for row in listed),
        "listed_rounds": listed,
        "crosses": build_crosses(shown),
        "projection": projections.project_standings(shown),
    }


def _read_parts_of_big_page(shown: TournamentPage, of: Part) -> PageContext:
    """Return the parts of a big tournament's page: its bracket from a late round on; after groups, whole."""
    in_bracket = of.to_the_end or of.turn.number in {row.number for row in bracket_view.list_bracket_rounds(shown)}
    drawn = in_bracket and not of.sheet.name and (of.to_the_end or not shown.header.is_bracket)
    since = of.turn.number if shown.header.is_bracket else 1
    return {
        "social_about": describe_for_social(shown),
        "tables": explained.read_standings_tables(shown),
        "final": explained.read_final_table(shown) if shown.header.tournament.state == State.FINISHED else None,
        "bracket": bracket_view.read_bracket(shown, since) if drawn else None,
        "projection": projections.project_standings(shown),
    }


@require_safe
def show_standings(request: HttpRequest, public_id: str, seed: int | None = None) -> HttpResponse:
    """Show the reason of each rank, of every entry or of one (R3)."""
    tournament = get_tournament_or_404(request, public_id)
    shown = tournament_page.read_page(tournament, player_for(request.user))
    tables = explained.read_standings_tables(shown)
    final = explained.read_final_table(shown)
    sections = [
        (table, explained.explain_standings(shown, table, seed)) for table in (*tables, *((final,) if final else ()))
    ]
    number, pages = 1, 1
    if len(sections) == 1 and seed is None:
        number, pages = _read_requested_page(request, len(sections[0][1]))
        sections = [(sections[0][0], sections[0][1][(number - 1) * MAX_EXPLAINED_ROWS : number * MAX_EXPLAINED_ROWS])]
    sections = [(table, rows_) for table, rows_ in sections if rows_]
    if tournament.drawn_at is None or (seed is not None and not sections):
        raise Http404
    context = {
        "page": shown,
        "tournament": tournament,
        "sections": sections,
        "number": number,
        "pages": range(1, pages + 1),
        "only": sections[0][1][0].row.entry if seed is not None else None,
        "projection": projections.project_standings(shown),
        "social_about": describe_for_social(shown),
    }
    response = render_live(request, "tournaments/standings/explained.html", context)
    return response if is_indexed(tournament) else keep_from_search(response)


def _read_requested_page(request: HttpRequest, total: int) -> tuple[int, int]:
    """Return the page of entries that the address asks for, and how many pages there are."""
    pages = max(1, -(-total // MAX_EXPLAINED_ROWS))
    number = read_number(request.GET.get("pagina", ""), 1, digits=5)
    return min(max(number, 1), pages), pages


def read_requested_round(request: HttpRequest, shown: TournamentPage) -> PageContext:
    """Return the round that the address asks for, else the one being played, else the last; 404 before the draw."""
    asked = request.GET.get("turno", "")
    wanted = next((r for r in shown.schedule.rounds if str(r.number) == asked), None)
    current = wanted or next((r for r in shown.schedule.rounds if not r.finished), None)
    if not shown.schedule.rounds:
        raise Http404
    return {"round": _drop_empty_boards(current or shown.schedule.rounds[-1])}


def read_crosses(request: HttpRequest, shown: TournamentPage) -> PageContext:
    crosses = build_crosses(shown)
    if not crosses:
        raise Http404
    return {"crosses": crosses}


def build_crosses(shown: TournamentPage) -> list[tuple[explained.StandingsTable, tuple[rows.CrossRow, ...]]]:
    """Return the cross tables, one a group."""
    if shown.header.is_bracket or not shown.standings.rows:
        return []
    return [
        (table, reads.build_cross_table(table.rows, _list_table_rounds(shown, table)))
        for table in explained.read_standings_tables(shown)
    ]


def _list_table_rounds(shown: TournamentPage, table: explained.StandingsTable) -> list[rows.RoundRow]:
    entries = {row.entry.entry_id for row in table.rows}
    return [
        rows.RoundRow(
            r.number,
            r.name,
            r.finished,
            tuple(
                f
                for f in r.fixtures
                if f.group == table.group
                and f.first is not None
                and {side.entry_id for side in (f.first, f.second) if side is not None} <= entries
            ),
        )
        for r in shown.schedule.rounds
    ]


def read_bracket_sheets(request: HttpRequest, shown: TournamentPage) -> PageContext:
    bracket = bracket_view.read_bracket(shown)
    if bracket is None:
        raise Http404
    return {"bracket": bracket, "sheets": bracket_view.split_for_paper(bracket)}


def read_ranks_tables(request: HttpRequest, shown: TournamentPage) -> PageContext:
    if not shown.standings.rows:
        raise Http404
    return {"tables": explained.read_standings_tables(shown), "final": explained.read_final_table(shown)}
