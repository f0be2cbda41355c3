"""Pages with a live region, drawn whole or that part alone."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers

PageContext = dict[str, Any]  # what a template is given: any value, by the name it has there


def is_live(request: HttpRequest) -> bool:
    """Return True if only the page's live region was asked for."""
    return request.headers.get("HX-Target") == "live"


def render_live(request: HttpRequest, template: str, context: PageContext) -> HttpResponse:
    """Render ``folder/name.html``, or only its live region ``folder/_name_live.html`` if that was asked for.

    Both share an address: no cache may give the one for the other (a browser's "back").
    """
    folder, _slash, name = template.rpartition("/")
    live = is_live(request)
    response = render(request, f"{folder}/_{name.removesuffix('.html')}_live.html" if live else template, context)
    patch_vary_headers(response, ["HX-Target"])
    if live:
        response["Cache-Control"] = "no-store"
    return response


def keep_from_search(response: HttpResponse) -> HttpResponse:
    """Have search engines forget what they are answered. Return the response."""
    response["X-Robots-Tag"] = "noindex"
    return response
