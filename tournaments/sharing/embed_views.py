"""View of a tournament in a frame of any page."""

from zoneinfo import ZoneInfo

from csp.decorators import csp_replace
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone, translation
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from players.web.live import render_live
from tournaments.core import visibility
from tournaments.core.parts import page_request
from tournaments.core.web import get_address
from tournaments.pages import tournament_part
from tournaments.pages.public_pages import build_link_prefixes, read_page_parts

THEMES = {"chiaro": "light", "scuro": "dark"}


@require_safe
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})  # type: ignore[arg-type]
def show_embed(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the tournament in a frame of any page: no reader is asked for or shown, and there is nothing to press.

    ``tema``: chiaro or scuro, else the device's; ``lingua``: it or en, else the tournament's.
    """
    tournament = get_object_or_404(visibility.list_tournaments(None), public_id=public_id)
    language = "en" if request.GET.get("lingua") == "en" else "it"
    # The reader's zone isn't known in a frame: hours are the organiser's.
    with translation.override(language), timezone.override(ZoneInfo(tournament.time_zone)):
        shown = tournament_part.read_part(tournament, None, page_request(request))
        context = {
            "page": shown,
            "tournament": tournament,
            "now": timezone.now(),
            "url": get_address(request, tournament),
            **build_link_prefixes(request, shown),
            "theme": THEMES.get(request.GET.get("tema", ""), "auto"),
            "language": language,
            "current_round": next((row for row in shown.schedule.rounds if not row.finished), None),
            **read_page_parts(shown),
        }
        return render_live(request, "tournaments/sharing/embed.html", context)
