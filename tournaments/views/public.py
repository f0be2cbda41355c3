"""A tournament for everybody to see: its standings explained, on paper, in a frame, as a code to photograph.

Read-only, and nothing here needs an account.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import segno
from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import ngettext
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_GET

from players.names import LONGEST_NAME
from players.selectors import player_for
from players.text import clean_line
from tournaments import selectors, words
from tournaments.models import Tournament
from tournaments.selectors import bracket as brackets
from tournaments.selectors import explained, part, projected
from tournaments.selectors.rights import may_run
from tournaments.selectors.shown import Part, TournamentPage, Wanted
from tournaments.views.acts import found_for

State = Tournament.State
LINES = 100  # explained on one page
NUMBER = re.compile(r"[0-9]{1,5}")


def _is_live(request: HttpRequest) -> bool:
    return request.headers.get("HX-Target") == "live"


def _live(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The page and its live region share an address: no cache may give the one for the other."""
    patch_vary_headers(response, ["HX-Target"])
    if _is_live(request):
        response["Cache-Control"] = "no-store"
    return response


def address(request: HttpRequest, found: Tournament) -> str:
    """Where everybody finds the tournament."""
    return _absolute(request, "tournament", found.public_id)


def _absolute(request: HttpRequest, name: str, *args: str) -> str:
    return request.build_absolute_uri(reverse(name, args=args))


def qr(url: str) -> SafeString:
    """The code of an address, drawn in the page: dark on light in every theme, or no camera reads it."""
    drawn = segno.make_qr(url, error="m").svg_inline(border=4, omitsize=True, dark="#000", light="#fff", svgclass="qr")
    return mark_safe(drawn)  # noqa: S308 (made of squares alone: the address is nowhere in it as text)


def social_about(shown: TournamentPage) -> str:
    """What other sites show beside the tournament's address."""
    tournament = shown.tournament
    told = [
        words.ruleset_name(tournament.ruleset),
        words.format_name(tournament.format),
        words.length(tournament.length_kind, tournament.length_value),
        ngettext("%(n)d iscritto", "%(n)d iscritti", shown.total) % {"n": shown.total},
        str(tournament.get_state_display()),
    ]
    return " · ".join(told)


def _drawn(row: selectors.RoundRow) -> selectors.RoundRow:
    """A round without the boards that nobody has been drawn to (D1)."""
    return replace(row, fixtures=tuple(f for f in row.fixtures if f.first or f.second))


def wanted(request: HttpRequest) -> Wanted:
    """Which part of a big tournament: ``turno``, ``pagina`` of its fixtures (of who is entered, before the draw),
    ``nome``: only who is called about so."""
    asked = {name: request.GET.get(name, "") for name in ("turno", "pagina")}
    numbers = {name: int(text) if NUMBER.fullmatch(text) else None for name, text in asked.items()}
    name = clean_line(request.GET.get("nome", ""))[:LONGEST_NAME]
    return Wanted(numbers["turno"], numbers["pagina"] or 1, name)


def addresses(request: HttpRequest, shown: TournamentPage) -> dict[str, Any]:
    """What the links of a part begin with: whatever else the address of this page says stays in it."""
    sheet = shown.entries_sheet if shown.part is None else shown.part.sheet
    kept = [(name, request.GET[name]) for name in ("tema", "lingua") if name in request.GET]
    turn = [] if shown.part is None else [("turno", str(shown.part.turn.number))]
    name = [("nome", sheet.name)] if sheet is not None and sheet.name else []
    return {"kept": kept, "turn_address": _begun(kept), "address": _begun([*kept, *turn, *name])}


def _begun(pairs: list[tuple[str, str]]) -> str:
    return f"?{urlencode(pairs)}&" if pairs else "?"


def parts(shown: TournamentPage) -> dict[str, Any]:
    """What templates draw of a tournament beside its page: tables of standings, bracket, what is certain already."""
    if shown.part is not None:
        return _parts_of_big(shown, shown.part)
    tables = explained.tables(shown)
    in_bracket = {row.number for row in brackets.bracket_rounds(shown)}
    listed = tuple(_drawn(row) for row in shown.rounds if row.number not in in_bracket)
    return {
        "social_about": social_about(shown),
        "tables": tables,
        "final": explained.final_table(shown) if shown.tournament.state == State.FINISHED else None,
        "bracket": brackets.bracket(shown),
        "bracket_first": bool(in_bracket) and all(row.finished for row in listed),
        "listed_rounds": listed,
        "crosses": crosses(shown),
        "projection": projected.projected(shown),
    }


def _parts_of_big(shown: TournamentPage, of: Part) -> dict[str, Any]:
    """A big bracket is drawn from a late round on; after groups, whole."""
    later = tuple(row for row in shown.rounds if row.number >= of.turn.number)
    in_bracket = of.to_the_end or of.turn.number in {row.number for row in brackets.bracket_rounds(shown)}
    drawn = in_bracket and not of.sheet.name and (of.to_the_end or not shown.is_bracket)
    return {
        "social_about": social_about(shown),
        "tables": explained.tables(shown),
        "final": explained.final_table(shown) if shown.tournament.state == State.FINISHED else None,
        "bracket": brackets.bracket(replace(shown, rounds=later) if shown.is_bracket else shown) if drawn else None,
        "projection": projected.projected(shown),
    }


# --- Standings explained (R3) --------------------------------------------------------------------------------------


@require_GET
def standings(request: HttpRequest, public_id: str, seed: int | None = None) -> HttpResponse:
    """Why each rank is what it is, of every line or of one."""
    found = found_for(request, public_id)
    shown = selectors.page(found, player_for(request.user))
    tables = explained.tables(shown)
    final = explained.final_table(shown)
    told = [(table, explained.explained(shown, table, seed)) for table in (*tables, *((final,) if final else ()))]
    number, pages = 1, 1
    if len(told) == 1 and seed is None:
        number, pages = _page_wanted(request, len(told[0][1]))
        told = [(told[0][0], told[0][1][(number - 1) * LINES : number * LINES])]
    told = [(table, lines) for table, lines in told if lines]
    if found.drawn_at is None or (seed is not None and not told):
        raise Http404
    context = {
        "page": shown,
        "tournament": found,
        "told": told,
        "number": number,
        "pages": range(1, pages + 1),
        "only": told[0][1][0].row.line if seed is not None else None,
        "projection": projected.projected(shown),
        "social_about": social_about(shown),
    }
    name = "tournaments/_explained_live.html" if _is_live(request) else "tournaments/explained.html"
    return _live(request, render(request, name, context))


def _page_wanted(request: HttpRequest, lines: int) -> tuple[int, int]:
    """The page of lines that was asked for, and how many there are."""
    pages = max(1, -(-lines // LINES))
    asked = request.GET.get("pagina", "1")
    number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 6 else 1
    return min(max(number, 1), pages), pages


# --- On paper ------------------------------------------------------------------------------------------------------


def _round_wanted(request: HttpRequest, shown: TournamentPage) -> dict[str, Any]:
    """The round asked for, else the one that is being played, else the last."""
    asked = request.GET.get("turno", "")
    wanted = next((r for r in shown.rounds if str(r.number) == asked), None)
    current = wanted or next((r for r in shown.rounds if not r.finished), None)
    if not shown.rounds:
        raise Http404
    return {"round": _drawn(current or shown.rounds[-1])}


def _cross(request: HttpRequest, shown: TournamentPage) -> dict[str, Any]:
    found = crosses(shown)
    if not found:
        raise Http404
    return {"crosses": found}


def crosses(shown: TournamentPage) -> list[tuple[explained.Table, tuple[selectors.CrossRow, ...]]]:
    """Everybody against everybody, a table a group."""
    if shown.is_bracket or not shown.standings:
        return []
    return [(table, selectors.cross_table(table.rows, _of_table(shown, table))) for table in explained.tables(shown)]


def _of_table(shown: TournamentPage, table: explained.Table) -> list[selectors.RoundRow]:
    lines = {row.line.entry_id for row in table.rows}
    return [
        selectors.RoundRow(
            r.number,
            r.name,
            r.finished,
            tuple(
                f
                for f in r.fixtures
                if f.group == table.group
                and f.first is not None
                and {side.entry_id for side in (f.first, f.second) if side is not None} <= lines
            ),
        )
        for r in shown.rounds
    ]


def _bracket(request: HttpRequest, shown: TournamentPage) -> dict[str, Any]:
    found = brackets.bracket(shown)
    if found is None:
        raise Http404
    return {"bracket": found, "sheets": brackets.sheets(found)}


def _ranks(request: HttpRequest, shown: TournamentPage) -> dict[str, Any]:
    if not shown.standings:
        raise Http404
    return {"tables": explained.tables(shown), "final": explained.final_table(shown)}


PRINTS: dict[str, Callable[[HttpRequest, TournamentPage], dict[str, Any]]] = {
    "iscritti": lambda request, shown: {},
    "turno": _round_wanted,
    "incrociata": _cross,
    "tabellone": _bracket,
    "classifica": _ranks,
}


@require_GET
def printed(request: HttpRequest, public_id: str, what: str) -> HttpResponse:
    """One thing of the tournament as it goes on paper."""
    found = found_for(request, public_id)
    if what not in PRINTS:
        raise Http404
    shown = selectors.page(found, None)
    url = address(request, found)
    context = {
        "page": shown,
        "tournament": found,
        "what": what,
        "now": timezone.now(),
        "url": url,
        "qr": qr(url),
        **PRINTS[what](request, shown),
    }
    return render(request, f"tournaments/print/{what}.html", context)


# --- The code to photograph ----------------------------------------------------------------------------------------


@require_GET
def code(request: HttpRequest, public_id: str) -> HttpResponse:
    """Big enough for a wall: to enter, and during the check-in to be there. Who runs the tournament gets the link of a
    registration by link (E3); everybody else, and every other registration, the public page."""
    found = found_for(request, public_id)
    url = address(request, found)
    player = player_for(request.user)
    runs = may_run(found, player)
    by_link = found.registration == Tournament.Registration.LINK and found.join_token and found.state == State.OPEN
    join = _absolute(request, "tournament-invite", public_id, found.join_token) if runs and by_link else url
    if found.state == State.CHECKIN:
        join = f"{url}#adesso"  # where the button is (E4)
    context = {
        "tournament": found,
        "url": url,
        "join": join,
        "qr": qr(join),
        "secret": bool(runs and by_link),
    }
    if runs:
        context["embed"] = _absolute(request, "tournament-embed", public_id)
        context["snippet"] = _snippet(str(context["embed"]), found.name)
    return render(request, "tournaments/qr.html", context)


def _snippet(url: str, title: str) -> str:
    """The lines to copy: text to show, and markup where they are pasted, so what stands in them is escaped for that."""
    attributes = f'src="{escape(url)}" title="{escape(title)}" width="100%" height="600" loading="lazy"'
    return f"<iframe {attributes}></iframe>"


# --- In somebody else's page ---------------------------------------------------------------------------------------

THEMES = {"chiaro": "light", "scuro": "dark"}


@require_GET
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})  # type: ignore[arg-type]
def embed(request: HttpRequest, public_id: str) -> HttpResponse:
    """The tournament in a frame of any page: who the reader is, is neither asked nor shown, and there is nothing to
    press. ``tema``: chiaro or scuro, else as the device says; ``lingua``: it or en, else the tournament's."""
    found = get_object_or_404(selectors.listed(None), public_id=public_id)
    language = "en" if request.GET.get("lingua") == "en" else "it"
    with translation.override(language):
        shown = part.page(found, None, wanted(request))
        context = {
            "page": shown,
            "tournament": found,
            "now": timezone.now(),
            "url": address(request, found),
            **addresses(request, shown),
            "theme": THEMES.get(request.GET.get("tema", ""), "auto"),
            "language": language,
            "current_round": next((row for row in shown.rounds if not row.finished), None),
            **parts(shown),
        }
        name = "tournaments/_embed_live.html" if _is_live(request) else "tournaments/embed.html"
        return _live(request, render(request, name, context))
