"""People of a walk: an organiser, two referees, players with accounts, and the way of each to the pages and the API.

They are made once, and every walk is rolled back to them.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from http.cookies import SimpleCookie
from typing import Any

from django.test import Client

from bench.stage import cookie, people
from players.models import Player
from players.services.tokens import create_token
from tournaments.models import Tournament

ACCOUNTS = 12  # that play
MEMBERS = 6  # of them, that are no guests
NAMES = (
    "Teresa Loi",
    "Rita Sechi",
    "Aldo Primo",
    "Bruna Zara",
    "Carlo Tedde",
    "Delia Pani",
    "Enzo Murru",
    "Flora Asoni",
)


@dataclass
class World:
    """``players``: those with accounts; of them the last is the second referee, who plays too."""

    organiser: Player
    referees: tuple[Player, Player]
    players: list[Player]
    cookies: dict[int, str]
    clients: dict[int, Client] = field(default_factory=dict)

    def list_staff(self) -> list[Player]:
        """Return those who may act at the desk."""
        return [self.organiser, *self.referees]

    def visit(self, player: Player | None) -> Client:
        """Return the browser of somebody, or of a stranger."""
        client = Client()
        if player is not None:
            client.cookies = SimpleCookie(self.cookies[player.pk])
        return client


def make_world() -> World:
    """Make the people."""
    organiser, referee, *players = people(ACCOUNTS + 2)
    for name, player in zip(NAMES, [organiser, referee, *players[-MEMBERS:]], strict=True):
        player.kind, player.name = Player.Kind.MEMBER, name
        player.save(update_fields=["kind", "name"])
    everybody = [organiser, referee, *players]
    return World(organiser, (referee, players[-1]), players, {player.pk: cookie(player) for player in everybody})


def make_program(tournament: Tournament, owner: Player, now: datetime) -> Client:
    """Return a program with a key of the owner's for the tournament."""
    targets = [f"tournament:{tournament.public_id}", "new"]
    _token, text = create_token(
        user=owner.user, name="camminatore", scopes=["read", "play", "organise"], targets=targets, days=30, now=now
    )
    return Client(headers={"authorization": f"Bearer {text}"})


Act = Callable[[], Any]
