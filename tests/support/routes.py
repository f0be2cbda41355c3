"""Routes of the site and addresses of its API, as tests walk them."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import yaml
from django.conf import settings
from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.resolvers import RoutePattern

FORMERLY = "^$(\\"  # signs of regular expressions, which some packages' routes are


def walk_routes(resolver: URLResolver | None = None, before: str = "") -> Iterator[tuple[str, URLPattern]]:
    """Yield every route of paths with its pattern; those that are regular expressions are left out."""
    for pattern in (resolver or get_resolver()).url_patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from walk_routes(pattern, route)
        elif isinstance(pattern.pattern, RoutePattern) and not any(sign in route for sign in FORMERLY):
            yield route, pattern


def fill_route(route: str, values: Mapping[str, str], other: str = "1") -> str:
    """Return an address of a route: for each name in it its value, or ``other``."""
    address = f"/{route}"
    while "<" in address:
        start, end = address.index("<"), address.index(">")
        name = address[start + 1 : end].rpartition(":")[2]
        address = address[:start] + values.get(name, other) + address[end + 1 :]
    return address


@cache
def read_api_document() -> dict[str, Any]:
    """Return ``docs/api.yaml``, read once in a process; that the site serves the same is a test of its own."""
    text = (settings.BASE_DIR / "docs/api.yaml").read_bytes()
    return yaml.load(text, Loader=yaml.CSafeLoader)  # type: ignore[no-any-return]


def list_api_operations() -> list[tuple[str, str]]:
    """Return method and path of every operation of the API."""
    return [(method, path) for path, methods in read_api_document()["paths"].items() for method in methods]
