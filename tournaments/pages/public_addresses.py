"""Addresses of a tournament's pages that are the same for every reader without an account (config/page_cache.py keeps
them). A page that isn't listed here, or that is asked for with a name, is made anew each time."""

import re
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode

from players.converters import PUBLIC_ID

ADDRESS = re.compile(rf"/tornei/({PUBLIC_ID})/(?:classifica/|posti/)?\Z")
NUMBERS = ("pagina", "turno")  # what these pages read of their address, as numbers
WORDS = ("lingua", "nome", "tema")  # and as words: endlessly many pages
MAX_DIGITS = 5


class PublicPage(NamedTuple):
    """Page that many read alike; ``query`` has only what it reads, in one order."""

    public_id: str
    query: str


def find_public_page(path: str, query: str) -> PublicPage | None:
    """Return the page of an address, or None if it isn't one that many read alike.

    Parameters that no page reads are left out: a link that is passed on gets some on its way.
    """
    parts = ADDRESS.match(path)
    if parts is None:
        return None
    read = sorted((name, value) for name, value in parse_qsl(query, keep_blank_values=True) if name in NUMBERS + WORDS)
    for name, value in read:
        if name in WORDS or not (value.isascii() and value.isdigit() and len(value) <= MAX_DIGITS):
            return None
    return PublicPage(parts[1], urlencode(dict(read)))
