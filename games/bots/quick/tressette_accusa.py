"""The house's tressette with accusa: as Tresette, and no line stays without a point lightly (M5, M6).

Of three, the lone player at seat 0 also plays the morto and sees both hands (M3).
"""

from games.bots.quick import tresette, tricks
from games.engine.game import GameMove, View

AIM = tresette.AIM._replace(first=3.0)


def choose(view: View) -> tuple[GameMove, ...]:
    """Return the calls it has to make, then the card its line may expect most of."""
    return tricks.choose(view, AIM)
