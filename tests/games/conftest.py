"""Fixtures that several tests of games share."""

from collections.abc import Iterator
from unittest.mock import patch

import pytest

from games.engine.game import Ruleset
from tests.games import naive, naive_replay
from tests.games.trionfo.naive import Trionfo
from tests.games.trionfo.offer import on_offer


@pytest.fixture(scope="module")
def trionfo() -> Iterator[Ruleset]:
    """Trionfo is on offer, beside the house's own games, and has its naive double beside theirs."""
    with (
        on_offer() as ruleset,
        patch.dict(naive.GAMES, {ruleset.id: Trionfo}),
        patch.dict(naive_replay.OPTIONS, {ruleset.id: {}}),
        patch.dict(naive_replay.VP, {ruleset.id: {}}),
    ):
        yield ruleset
