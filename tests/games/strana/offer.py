"""Putting La Strana on offer, with the verbs that no real game has."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

from games import match_cache, table_views, wording
from games.engine import record
from games.engine.game import GO_WITH_CARD, GameMove, Ruleset
from games.rules import RULESETS
from games.services import playing
from tests.games.strana.rules import WORTH, StranaRules

RULES = StranaRules()
_parse = record.parse_move


def parse_move(text: str) -> GameMove:
    """Parse a move as ever, and the odd verbs too."""
    seat, _, call = text.partition(" ")
    verb, _, arg = call.partition(" ")
    return GameMove(int(seat), verb, arg=arg) if call in WORTH else _parse(text)


@contextmanager
def on_offer() -> Iterator[Ruleset]:
    """The page gets no word of its calls, its rows nor its refusals."""
    with ExitStack() as stack:
        stack.enter_context(patch.dict(RULESETS, {RULES.id: RULES}))
        stack.enter_context(patch.dict(wording.RULESET_NAMES, {RULES.id: "La Strana"}))
        for module in (record, match_cache, playing):
            stack.enter_context(patch.object(module, "parse_move", parse_move))
        for module in (table_views, playing):
            stack.enter_context(patch.object(module, "GO_WITH_CARD", GO_WITH_CARD | {"fischia"}))
        yield RULES
