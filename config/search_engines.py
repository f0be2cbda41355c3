"""Search engines: which pages they may keep, what they are asked to leave alone, and the map of the public tournaments.

A page is kept out unless its route is on the list: whatever is added is nobody's find. Of the listed ones the views of
tournaments keep out what isn't for everybody (``tournaments.core.visibility``).
"""

from collections.abc import Callable
from html import escape

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from players import caps
from players.web.live import keep_from_search
from tournaments.core.visibility import list_mapped_tournaments

NOT_FOR_CRAWLERS = ("/account/", "/api/", "/profilo/", "/organizza/", "/inviti/", "/avvisi/", "/calendario/")
FORMS = ("tournament-new", "free-table-new", "club-new", "play-now")
PLAIN = ("home", "rules", "lessons", "problems", "clubs", "decks", "records", "privacy")  # pages of which there is one
INDEXED = frozenset({*PLAIN, "rules-of", "club", "tournament", "standings", "person"})
MAP_KEY = "sitemap"


class SearchMiddleware:
    """Middleware that keeps every answer out of search engines but those of the listed routes."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        route = None if request.resolver_match is None else request.resolver_match.url_name
        return response if route in INDEXED else keep_from_search(response)


@require_safe
def send_robots(request: HttpRequest) -> HttpResponse:
    """Send what crawlers are asked to leave alone: what is somebody's own, forms, and what programs read."""
    paths = [*NOT_FOR_CRAWLERS, *map(reverse, FORMS)]
    rules = "".join(f"Disallow: {path}\n" for path in paths)
    sitemap = f"{settings.SITE_URL}{reverse('sitemap')}"
    return HttpResponse(f"User-agent: *\n{rules}\nSitemap: {sitemap}\n", content_type="text/plain")


@require_safe
def send_sitemap(request: HttpRequest) -> HttpResponse:
    """Send the latest public tournaments that run or are over, and the pages of which there is one; made once an
    hour."""
    text = cache.get_or_set(MAP_KEY, _write_sitemap, caps.SITEMAP_KEPT.total_seconds())
    return HttpResponse(text, content_type="application/xml")


def _write_sitemap() -> str:
    rows = [f"<url><loc>{_build_address(name)}</loc></url>" for name in PLAIN]
    for tournament in list_mapped_tournaments()[: caps.SITEMAP_TOURNAMENTS]:
        changed = tournament.finished_at or tournament.drawn_at
        day = "" if changed is None else f"<lastmod>{changed.date().isoformat()}</lastmod>"
        rows.append(f"<url><loc>{_build_address('tournament', tournament.public_id)}</loc>{day}</url>")
    return "\n".join(
        (
            '<?xml version="1.0" encoding="UTF-8"?>',
            '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
            *rows,
            "</urlset>\n",
        )
    )


def _build_address(name: str, *args: str) -> str:
    return escape(f"{settings.SITE_URL}{reverse(name, args=args)}")
