"""The house's Tresette: for points, each card weighed as in ``games.bots.quick.tricks``."""

from games.bots.quick import tricks
from games.engine.game import GameMove, View

AIM = tricks.Aim(keep=(1.5, 2.0, 2.6, 0.0, 0.0, 0.05, 0.1, 0.2, 0.3, 0.5))


def choose(view: View) -> tuple[GameMove, ...]:
    """Return its calls, then the card its line may expect most of."""
    return tricks.choose(view, AIM)
