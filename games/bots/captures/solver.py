"""Exact play of a Scopa deal with open cards: the points of line 0 less those of line 1 if everybody plays best.

Alpha-beta, the plays that seem best first. The stock, if there is one, is open too. It knows no hidden cards and plays
nothing by itself.
"""

from games.bots.captures.deal import CaptureDeal
from games.bots.captures.worth import Glances
from games.bots.effort import OutOfNodes

BOUND = 99  # beyond any score


class CaptureSolver:
    """Solver of a game's deals. ``nodes``: so many positions may still be looked at; OutOfNodes after that."""

    def __init__(self, glances: Glances, nodes: int = 1 << 60) -> None:
        self.glances, self.nodes = glances, nodes

    def solve(self, deal: CaptureDeal, low: int = -BOUND, high: int = BOUND) -> int:
        """Return the value of the deal, as far as it lies within these bounds."""
        if deal.is_over:
            return deal.count()
        self.nodes -= 1
        if self.nodes < 0:
            raise OutOfNodes
        plays = deal.list_legal()
        if len(plays) > 1:
            weigh, table = self.glances.weigh, deal.table
            plays.sort(key=lambda play: -weigh(table, *play).worth)
        most = deal.turn % 2 == 0
        best = low if most else high
        for card, takes in plays:
            after = deal.copy()
            after.play(card, takes)
            value = self.solve(after, low, high)
            if most and value > best:
                best = low = value
            elif not most and value < best:
                best = high = value
            if low >= high:
                break
        return best

    def evaluate_plays(self, deal: CaptureDeal) -> dict[tuple[int, int], int]:
        """Return the value of the deal after each play that may be made now."""
        values = {}
        for play in deal.list_legal():
            after = deal.copy()
            after.play(*play)
            values[play] = self.solve(after)
        return values
