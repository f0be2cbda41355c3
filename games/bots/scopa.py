"""How the house plays Scopa: each play weighed as in ``games.bots.captures``."""

from games.bots import captures
from games.engine.captures import captures as taking
from games.engine.game import Move, View

GAME = captures.Game(taking, sweeps=lambda card, takes: True)


def choose(view: View) -> tuple[Move, ...]:
    """The play worth most."""
    return captures.choose(view, GAME)
