"""The house's traditional tressette: as Tresette, with an eye on the first trick of a line that has none (C6).

It asks for a new deal with a worthless hand (C2), says *buon gioco* (C4) and signals what is true (C3).
"""

from games.bots.quick import tresette, tricks
from games.engine.game import GameMove, View

AIM = tresette.AIM._replace(first=3.0)


def choose(view: View) -> tuple[GameMove, ...]:
    """Return its calls, in turn or not, then on its turn the card its line may expect most of."""
    return tricks.choose(view, AIM)
