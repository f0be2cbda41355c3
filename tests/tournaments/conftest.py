"""Tournaments on real tables: people are accounts with a player, matches are played by the tables' own services."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from players.models import Player
from tests.conftest import person
from tournaments.models import Tournament
from tournaments.organise import lifecycle
from tournaments.organise.settings import Settings

KO = Settings(
    name="Coppa del giovedì", format="ko", ruleset="scopa", length_kind="deals", length_value=1, pause=3, max_entries=4
)
GIRONE = Settings(
    name="Girone del circolo",
    format="girone",
    ruleset="tresette",
    length_kind="deals",
    length_value=1,
    pause=3,
    max_entries=4,
)

PAIRS = Settings(
    name="Torneo a coppie",
    format="girone",
    ruleset="tresette",
    seats_an_entry=2,
    length_kind="deals",
    length_value=1,
    pause=3,
    max_entries=4,
)

Opened = Callable[..., Tournament]


@pytest.fixture
def organiser(db: None, now: datetime) -> Player:
    return person("Teresa", now)


@pytest.fixture
def opened(organiser: Player, now: datetime) -> Opened:
    """A tournament whose registration is open; keywords change its settings."""

    def make(base: Settings = KO, **changed: Any) -> Tournament:
        settings = Settings(**{name: changed.get(name, getattr(base, name)) for name in Settings.__slots__})
        made = lifecycle.create_tournament(organiser=organiser, settings=settings, now=now)
        return lifecycle.publish_tournament(tournament_id=made.pk, by=organiser, now=now)

    return make


@pytest.fixture
def four(anna: Player, bruno: Player, carla: Player, dino: Player) -> list[Player]:
    return [anna, bruno, carla, dino]
