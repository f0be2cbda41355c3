"""Converters of addresses: what may stand for an id or a token there. Anything else is no address of the site.

Registered once (players/apps.py), for pages and sockets; a database is never asked for a text that can't be an id.
"""

from django.urls import register_converter

PUBLIC_ID = "[0-9a-z]{1,12}"  # what models.make_public_id makes, and no longer than its column


class PublicIdConverter:
    """Public id of anything."""

    regex = PUBLIC_ID

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class TokenConverter(PublicIdConverter):
    """Secret or signed token of a link."""

    regex = "[-_.:=0-9A-Za-z]{1,200}"


def register_converters() -> None:
    """Make ``<id:…>`` and ``<token:…>`` known to routes. Called once, before any of them is read."""
    register_converter(PublicIdConverter, "id")
    register_converter(TokenConverter, "token")
