"""The house's Scopa: each play weighed as in ``games.bots.quick.captures``."""

from games.bots.quick import captures
from games.engine.captures import list_captures as taking
from games.engine.game import GameMove, View

GAME = captures.CaptureStyle(taking, sweeps=lambda card, takes: True)


def choose(view: View) -> tuple[GameMove, ...]:
    """Return the play worth most."""
    return captures.choose(view, GAME)
