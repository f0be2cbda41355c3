"""Addresses that browsers and crawlers ask for by themselves, and the answer to what doesn't exist."""

from functools import cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django.views.defaults import page_not_found

from players.api.problems import send_problem


@cache
def read_icon() -> bytes:
    """Return the drawing of static/img/favicon.svg for whoever knows no other format."""
    return (settings.BASE_DIR / "static/img/favicon.ico").read_bytes()


@require_safe
def send_icon(request: HttpRequest) -> HttpResponse:
    """Send the icon that browsers and others ask for without having read a page."""
    headers = {"Cache-Control": "public, max-age=86400"}
    return HttpResponse(read_icon(), content_type="image/x-icon", headers=headers)


def show_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 404: to a program in JSON, as the API does; to a person with a page."""
    if request.path.startswith("/api/"):
        return send_problem(404, "not_found", _("Questo indirizzo non c'è."))
    return page_not_found(request, exception)
