"""The organiser's page of score slips (O4, O8): what is printed next, with codes that no page shows again."""

from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players.models import Player
from tournaments.core.errors import TournamentError
from tournaments.core.reads import read_fixture_row
from tournaments.core.rows import FixtureRow
from tournaments.core.web import Notice, build_address, draw_qr, get_managed_or_404, show_notice, show_refusal
from tournaments.desk.phone_forms import ALL, NEW, MinutesForm, PrintForm
from tournaments.desk.slip_codes import PrintedSlip, list_printable, print_slips, set_confirm_minutes
from tournaments.models import Tournament


class PaperSlip(NamedTuple):
    """The slip of one side: whose it is, against whom, its code, and the QR code that leads there with it."""

    row: FixtureRow
    own: str
    other: str
    code: str
    qr: SafeString


@require_http_methods(["GET", "HEAD", "POST"])
def show_slips(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show what can be printed; print it, or set the time to confirm a result."""
    tournament, player = get_managed_or_404(request, public_id)
    if not tournament.is_real or tournament.drawn_at is None:
        raise Http404
    fixtures = list_printable(tournament)
    sent = request.POST if request.method == "POST" else None
    minutes = {"minutes": tournament.confirm_minutes}
    printing = PrintForm(sent if sent and "which" in sent else None, fixtures=fixtures)
    waiting = MinutesForm(sent if sent and "minutes" in sent else None, initial=minutes)
    if printing.is_bound and printing.is_valid():
        answer = _print(request, tournament, player, printing.cleaned_data["which"])
        return redirect("tournament-slips", public_id) if answer is None else answer
    if waiting.is_bound and waiting.is_valid():
        set_confirm_minutes(tournament_id=tournament.pk, by=player, minutes=waiting.cleaned_data["minutes"])
        show_notice(request, Notice("minutes_set", _("Fatto.")))
        return redirect("tournament-slips", public_id)
    context = {
        "tournament": tournament,
        "fixtures": fixtures,
        "missing": sum(not hasattr(fixture, "slip") for fixture in fixtures),
        "printing": printing,
        "waiting": waiting,
    }
    return render(request, "tournaments/desk/slips.html", context)


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
    slips = [slip for one in printed for slip in _make_slips(one, address)]
    context = {
        "tournament": tournament,
        "what": "segnapunti",
        "slips": slips,
        "url": address,
        "qr": draw_qr(address),
        "now": about["now"],
    }
    response = render(request, "tournaments/desk/slips_print.html", context)
    response["Cache-Control"] = "no-store"
    return response


def _make_slips(printed: PrintedSlip, address: str) -> list[PaperSlip]:
    """Return the two slips of a fixture. The code stands behind the ``#``: no browser sends it, no server logs it."""
    row = read_fixture_row(printed.fixture, None)
    first, second = ("" if side is None else side.name for side in (row.first, row.second))
    names = ((first, second), (second, first))
    return [
        PaperSlip(row, *names[side], f"{code[:4]} {code[4:]}", draw_qr(f"{address}#{code}"))
        for side, code in enumerate(printed.codes)
    ]
