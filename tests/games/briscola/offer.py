"""Putting Briscola on offer, and taking it away again: the lines that docs/adding-a-game.md asks for."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from games import wording
from games.engine.game import Ruleset
from games.rules import RULESETS
from tests.games.briscola.rules import BriscolaRules

RULES = BriscolaRules()


@contextmanager
def on_offer() -> Iterator[Ruleset]:
    """Its line in ``games/rules/__init__.py`` and its words in ``games/wording.py``; no table of VP."""
    with (
        patch.dict(RULESETS, {RULES.id: RULES}),
        patch.dict(wording.RULESET_NAMES, {RULES.id: "Briscola"}),
        patch.dict(wording.TALLY_ROWS, {"card_points": "Punti delle carte"}),
    ):
        yield RULES
