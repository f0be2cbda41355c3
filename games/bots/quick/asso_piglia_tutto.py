"""The house's Scopa d'assi: as Scopa, and an ace, which takes everything, isn't spent on little (P3)."""

from games.bots.quick import captures
from games.engine.game import GameMove, View
from games.rules.asso_piglia_tutto import list_captures, makes_scopa

GAME = captures.CaptureStyle(list_captures, makes_scopa, ace=0.3)


def choose(view: View) -> tuple[GameMove, ...]:
    """Return the play worth most."""
    return captures.choose(view, GAME)
