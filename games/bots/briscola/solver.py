"""Exact play of the end of a Briscola deal with open cards and an open stock: alpha-beta over single cards.

It knows no hidden cards and plays nothing by itself.
"""

from games.bots.briscola.deal import ALL_POINTS, BriscolaDeal
from games.bots.effort import OutOfNodes


class BriscolaSolver:
    """Solver of deals. ``nodes``: so many positions may still be looked at; OutOfNodes after that."""

    def __init__(self, nodes: int = 1 << 60) -> None:
        self.nodes = nodes

    def solve(self, deal: BriscolaDeal, low: int = 0, high: int = ALL_POINTS) -> int:
        """Return the points of line 0 if everybody plays best, as far as they lie within these bounds."""
        if deal.is_over:
            return deal.value
        self.nodes -= 1
        if self.nodes < 0:
            raise OutOfNodes
        most = deal.turn % 2 == 0
        best = low if most else high
        for card in sorted(deal.hands[deal.turn], reverse=True):
            after = deal.copy()
            after.play(card)
            value = self.solve(after, low, high)
            if most and value > best:
                best = low = value
            elif not most and value < best:
                best = high = value
            if low >= high:
                break
        return best

    def evaluate_plays(self, deal: BriscolaDeal) -> dict[int, int]:
        """Return the points of line 0 after each card that may be played now."""
        values = {}
        for card in deal.hands[deal.turn]:
            after = deal.copy()
            after.play(card)
            values[card] = self.solve(after)
        return values
