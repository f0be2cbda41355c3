"""Addresses that browsers and crawlers ask for by themselves, and the answer to what doesn't exist."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django.views.defaults import page_not_found

from players.api.problems import send_problem

NOT_FOR_CRAWLERS = ("/account/", "/api/", "/profilo/", "/organizza/", "/inviti/", "/avvisi/", "/calendario/")
FORMS = ("tournament-new", "free-table-new", "club-new", "play-now")


@require_safe
def send_robots(request: HttpRequest) -> HttpResponse:
    """Send what crawlers are asked to leave alone: what is somebody's own, forms, and what programs read."""
    paths = [*NOT_FOR_CRAWLERS, *map(reverse, FORMS)]
    rules = "".join(f"Disallow: {path}\n" for path in paths)
    return HttpResponse(f"User-agent: *\n{rules}", content_type="text/plain")


@require_safe
def redirect_to_icon(request: HttpRequest) -> HttpResponse:
    """Lead browsers that know no other icon to the one every page names."""
    return HttpResponseRedirect(static("img/favicon.svg"), headers={"Cache-Control": "public, max-age=86400"})


def show_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 404: to a program in JSON, as the API does; to a person with a page."""
    if request.path.startswith("/api/"):
        return send_problem(404, "not_found", _("Questo indirizzo non c'è."))
    return page_not_found(request, exception)
