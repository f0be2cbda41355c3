"""Keys of programs, and clients that come by one."""

from collections.abc import Collection

from django.test import Client
from django.utils import timezone

from players.models import Player
from players.services.tokens import create_token

ALL = ("read", "play", "organise")


def make_key(player: Player, *, scopes: Collection[str] = ALL, targets: Collection[str] = ("new",)) -> str:
    """Return the text of a new key of the player's."""
    values = {"name": "prova", "scopes": scopes, "targets": targets, "days": 30}
    return create_token(user=player.user, now=timezone.now(), **values)[1]  # type: ignore[arg-type]


def by_key(text: str) -> Client:
    """Return a client that shows this key."""
    return Client(headers={"authorization": f"Bearer {text}"})
