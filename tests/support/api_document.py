"""The document of the API, as the site serves it: made once in a process, for it takes long."""

from functools import cache
from typing import Any

from django.test import Client

ADDRESS = "/api/schema/"


@cache
def read_document() -> dict[str, Any]:
    document: dict[str, Any] = Client().get(ADDRESS, headers={"accept": "application/vnd.oai.openapi+json"}).json()
    return document


def list_operations() -> list[tuple[str, str]]:
    """Return every method at every path."""
    return [(method, path) for path, methods in read_document()["paths"].items() for method in methods]
