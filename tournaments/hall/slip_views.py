"""The desk's page of score slips (O4, O8): what is printed next, with codes that no page shows again."""

from collections.abc import Sequence
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players.models import Player
from players.web.qr import draw_qr
from tournaments.core.errors import TournamentError
from tournaments.core.game_terms import GamesTerms, find_fixture_terms
from tournaments.core.permissions import may_run
from tournaments.core.reads import group_line_ups, make_fixture_row, read_entries
from tournaments.core.rows import EntryRow, FixtureRow
from tournaments.core.web import (
    Notice,
    build_address,
    get_refereed_or_404,
    is_alone,
    run_and_report,
    show_refusal,
)
from tournaments.hall.phone_forms import ALL, NEW, MinutesForm, PrintForm
from tournaments.hall.slip_codes import PrintedSlip, is_printed, list_printable, print_slips, set_confirm_minutes
from tournaments.models import LineUp, Tournament


class PaperSlip(NamedTuple):
    """The slip of one side: whose it is, against whom, its code, and the QR code that leads there with it.

    ``games``: the numbers of those whose points are written, where there are several (EV1); ``counts_games``: only how
    many were won is.
    """

    row: FixtureRow
    own: EntryRow
    other: EntryRow
    code: str
    qr: SafeString
    games: Sequence[int] = ()
    counts_games: bool = False


@require_http_methods(["GET", "HEAD", "POST"])
def show_slips(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show what can be printed; print it, or set, as its organiser, the time to confirm a result."""
    tournament, player = get_refereed_or_404(request, public_id)
    if not tournament.venue.types_results or tournament.drawn_at is None:
        raise Http404
    fixtures, own = list_printable(tournament, player)
    runs = may_run(tournament, player)
    sent = request.POST if request.method == "POST" else None
    minutes = {"minutes": tournament.confirm_minutes}
    printing = PrintForm(sent if sent and "which" in sent else None, fixtures=fixtures)
    waiting = MinutesForm(sent if sent and "minutes" in sent else None, initial=minutes)
    if printing.is_bound and printing.is_valid():
        answer = _print(request, tournament, player, printing.cleaned_data["which"])
        return redirect("tournament-slips", public_id) if answer is None else answer
    if runs and waiting.is_bound and waiting.is_valid():
        about: dict[str, Any] = {"tournament_id": tournament.pk, "by": player, **waiting.cleaned_data}
        run_and_report(request, set_confirm_minutes, Notice("minutes_set", _("Fatto.")), **about)
        return redirect("tournament-slips", public_id)
    context = {
        "tournament": tournament,
        "fixtures": fixtures,
        "missing": sum(not is_printed(fixture) for fixture in fixtures),
        "own": own,
        "alone": is_alone(request, tournament),
        "printing": printing,
        "waiting": waiting if runs else None,
        "may_run": runs,
    }
    return render(request, "tournaments/hall/slips.html", context)


def _print(request: HttpRequest, tournament: Tournament, player: Player, which: str) -> HttpResponse | None:
    """Return the page for paper; None where nothing is to be printed, which is said."""
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": player, "now": timezone.now()}
    fixture_id = None if which in (NEW, ALL) else int(which)
    try:
        printed = print_slips(fixture_id=fixture_id, anew=which == ALL, **about)
    except TournamentError as error:
        show_refusal(request, error.code, error.values)
        return None
    address = build_address(request, "tournament-phone", tournament.public_id)
    context = {
        "tournament": tournament,
        "what": "segnapunti",
        "slips": _make_slips(tournament, printed, address),
        "url": address,
        "qr": draw_qr(address),
        "now": about["now"],
    }
    with timezone.override(ZoneInfo(tournament.time_zone)):
        response = render(request, "tournaments/hall/slips_print.html", context)
    response["Cache-Control"] = "no-store"
    return response


def _make_slips(tournament: Tournament, printed: Sequence[PrintedSlip], address: str) -> list[PaperSlip]:
    """Return the two slips of each fixture."""
    by_id = read_entries(tournament)
    line_ups = group_line_ups(LineUp.objects.filter(fixture__in=[one.fixture for one in printed]))
    rows = (make_fixture_row(one.fixture, by_id, line_ups, None) for one in printed)
    slips: list[PaperSlip] = []
    for one, row in zip(printed, rows, strict=True):
        terms = find_fixture_terms(tournament, one.fixture)
        pair = _make_pair(row, one.codes, address)
        if isinstance(terms, GamesTerms):
            games = () if terms.only_won else range(1, terms.games + 1)
            pair = [slip._replace(games=games, counts_games=terms.only_won) for slip in pair]
        slips += pair
    return slips


def _make_pair(row: FixtureRow, codes: tuple[str, str], address: str) -> list[PaperSlip]:
    """Return the two slips of a fixture. The code stands behind the ``#``: no browser sends it, no server logs it."""
    assert row.first is not None
    assert row.second is not None
    sides = ((row.first, row.second), (row.second, row.first))
    return [
        PaperSlip(row, *sides[side], f"{code[:4]} {code[4:]}", draw_qr(f"{address}#{code}"))
        for side, code in enumerate(codes)
    ]
