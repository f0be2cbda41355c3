"""Questions to the process that thinks for the house's players (``process``), and its answers, as they are pickled."""

from typing import NamedTuple

from games.bots.memory import Memory
from games.engine.game import GameMove, View


class HouseQuestion(NamedTuple):
    """A turn of a house player. ``seed``: the dice it thinks with, drawn without a look at anything hidden."""

    ruleset: str
    view: View
    memory: Memory
    strength: str
    seed: int
    halvings: int

    def __repr__(self) -> str:
        """Return a summary for logs, without a card (N2)."""
        return f"<HouseQuestion: {self.ruleset}, {self.strength}>"


class Answer(NamedTuple):
    """Moves in order, and the seconds of processor they took. ``fault``: what went wrong, and then no moves."""

    moves: tuple[GameMove, ...]
    seconds: float
    fault: str = ""

    def __repr__(self) -> str:
        """Return a summary for logs, without a card (N2)."""
        return f"<Answer: after {self.seconds:.3f} s>"
