"""Settings of tournaments in tests, how they are opened, and the code a refused call gives."""

from datetime import datetime
from typing import Any

import pytest

from players.models import Player
from tournaments.core.errors import TournamentError
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


class Opened:
    """Opens tournaments of an organiser's to entries; keywords change their settings."""

    def __init__(self, organiser: Player, now: datetime) -> None:
        self.organiser = organiser
        self.now = now

    def __call__(self, base: Settings = KO, **changed: Any) -> Tournament:
        settings = Settings(**{name: changed.get(name, getattr(base, name)) for name in Settings.__slots__})
        made = lifecycle.create_tournament(organiser=self.organiser, settings=settings, now=self.now)
        return lifecycle.publish_tournament(tournament_id=made.pk, by=self.organiser, now=self.now)


def make_opened(organiser: Player, now: datetime) -> Opened:
    return Opened(organiser, now)


def catch_code(call: Any, **arguments: Any) -> str:
    with pytest.raises(TournamentError) as refused:
        call(**arguments)
    return refused.value.code
