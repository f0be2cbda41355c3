"""Settings of tournaments in tests, and the code a refused call gives."""

from collections.abc import Callable
from typing import Any

import pytest

from tournaments.core.errors import TournamentError
from tournaments.models import Tournament
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


def catch_code(call: Any, **arguments: Any) -> str:
    with pytest.raises(TournamentError) as refused:
        call(**arguments)
    return refused.value.code
