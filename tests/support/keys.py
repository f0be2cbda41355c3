"""Keys of programs, clients that come by one, and what they send."""

import json
from collections.abc import Collection
from typing import Any

from django.test import Client
from django.utils import timezone

from players.models import Player
from players.services.tokens import create_token
from tournaments.models import Tournament

ALL = ("read", "play", "organise")


def make_key(player: Player, *, scopes: Collection[str] = ALL, targets: Collection[str] = ("new",)) -> str:
    """Return the text of a new key of the player's."""
    values = {"name": "prova", "scopes": scopes, "targets": targets, "days": 30}
    return create_token(user=player.user, now=timezone.now(), **values)[1]  # type: ignore[arg-type]


def by_key(text: str) -> Client:
    """Return a client that shows this key."""
    return Client(headers={"authorization": f"Bearer {text}"})


def key_for(tournament: Tournament, player: Player | None = None) -> Client:
    """Return a client whose key is for this tournament: its organiser's, unless said otherwise."""
    return by_key(make_key(player or tournament.organiser, targets=[f"tournament:{tournament.public_id}"]))


def address_of(tournament: Tournament) -> str:
    return f"/api/v1/tournaments/{tournament.public_id}/"


def send(client: Client, address: str, body: Any = None, method: str = "post", **headers: str) -> Any:
    """Send a write as JSON; return the answer."""
    return client.generic(method.upper(), address, json.dumps(body or {}), "application/json", headers=headers)


def code(answer: Any) -> tuple[int, str]:
    """Return the status and the code of a refusal."""
    return answer.status_code, answer.json()["code"]
