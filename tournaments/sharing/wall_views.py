"""View of the wall screen (O7)."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from players.web.live import render_live
from players.web.qr import draw_qr
from tournaments.core.web import build_address, get_tournament_or_404
from tournaments.entries.queries import find_self_refusal
from tournaments.hall.slip_codes import has_slips
from tournaments.pages import tournament_page
from tournaments.running import round_clocks
from tournaments.sharing import wall


@require_safe
def show_wall(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the tournament to a whole room: as everybody sees it, in sheets that turn by themselves."""
    tournament = get_tournament_or_404(request, public_id)
    page = tournament_page.read_page(tournament, None)
    shown_round = wall.find_shown_round(page)
    beside = wall.list_rounds_beside(page, shown_round)
    now = timezone.now()
    codes = [
        has_slips(tournament, row.number) for row in (shown_round, *beside) if row is not None and not row.finished
    ]
    takes_codes = any(codes)
    enters = find_self_refusal(tournament, None, "") is None
    leads_to = "tournament-phone" if takes_codes else "self-entry" if enters else "tournament"
    url = build_address(request, leads_to, tournament.public_id)
    context = {
        "page": page,
        "tournament": tournament,
        "now": now,
        "clocks": round_clocks.read_clocks(tournament, now),
        "round": shown_round,
        "beside": beside,
        "sheets": wall.build_sheets(page, shown_round, beside),
        "url": url,
        "takes_codes": takes_codes,
        "enters": enters,
        "qr": draw_qr(url),
    }
    return render_live(request, "tournaments/sharing/wall.html", context)
