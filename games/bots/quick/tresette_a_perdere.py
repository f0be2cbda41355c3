"""The house's Tresette a perdere (A1): points hurt, the lead is a burden, high cards are to be got rid of.

It declares nothing: measured, what the opponents learn of it is worth more than what the partner does.
"""

from games.bots.quick import tricks
from games.engine.game import GameMove, View

AIM = tricks.Aim(
    keep=(-1.0, -0.7, -0.9, 0.5, 0.4, 0.3, 0.2, -0.2, -0.3, -0.4),
    points=-1,
    coming=0.9,
    lead=-0.6,
    guard=0.0,
    long=-0.15,
    ask=0.0,
    speaks=False,
)


def choose(view: View) -> tuple[GameMove, ...]:
    """Return the card that costs its line least."""
    return tricks.choose(view, AIM)
