"""Putting Trionfo on offer, and taking it away again: the lines that docs/adding-a-game.md asks for."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from games import wording
from games.engine.game import Ruleset
from games.rules import RULESETS
from tests.games.trionfo.rules import Trionfo

RULES = Trionfo()


@contextmanager
def on_offer() -> Iterator[Ruleset]:
    """Its line in ``games/rules/__init__.py`` and its words in ``games/wording.py``; no table of VP."""
    with (
        patch.dict(RULESETS, {RULES.id: RULES}),
        patch.dict(wording.RULESET_NAMES, {RULES.id: "Trionfo"}),
        patch.dict(wording.RULESET_LINES, {RULES.id: "Cinque carte e un seme che comanda."}),
        patch.dict(wording.TALLY_ROWS, {"tricks": "Prese"}),
    ):
        yield RULES
