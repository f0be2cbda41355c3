"""What several tests of games share."""

from collections.abc import Iterator

import pytest

from games.engine.game import Ruleset
from tests.games.briscola.offer import on_offer


@pytest.fixture(scope="module")
def briscola() -> Iterator[Ruleset]:
    """Briscola is on offer, beside the house's own games."""
    with on_offer() as ruleset:
        yield ruleset
