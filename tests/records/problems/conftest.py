"""A finished match that has a problem, played by rules of thumb with known cards."""

from datetime import datetime
from typing import Any

import pytest

from games.models import Match
from players.models import Player
from records.models import CardProblem
from tests.support.arrangements import arrange_once
from tests.support.problems import DECK, FinishedMatch, plant_problem, play_by_thumb
from tests.support.tables import again, play_out, seated


@pytest.fixture
def finished(anna: Player, bruno: Player, now: datetime) -> FinishedMatch:
    """Make a finished match of Anna and Bruno, with the problem in it."""

    def finish(**changed: Any) -> Match:
        return play_by_thumb(seated([anna, bruno], now, DECK, **{"context": "free", **changed}), now)

    return finish


@arrange_once
def problem(anna: Player, bruno: Player, now: datetime) -> CardProblem:
    """A problem with made-up worths, in a match of Anna and Bruno."""
    match = seated([anna, bruno], now, context="free")
    play_out(match, now)
    return plant_problem(again(match))
