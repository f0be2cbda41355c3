"""Effort of a player of the house: counts of samples and positions, never time: equal Views give equal choices."""

from typing import NamedTuple


class Effort(NamedTuple):
    """Measure of a decision. A *world* is one way in which the hidden cards may lie."""

    worlds: int  # in which the best cards are tried to the end
    first: int = 0  # worlds after which the worse half of the cards is left out, again and again; 0: never
    ways: int = 1  # of so many ways in which the cards may lie a likely one is taken for a world
    exact_cards: int = 0  # up to so many cards in a hand every line of play is looked at
    exact_worlds: int = 0  # in so many worlds
    nodes: int = 0  # and so many positions in all

    def halve(self, times: int, least: "Effort") -> "Effort":
        """Return half of it, so many times over; the samples of ``least`` at least, and exactness as long as it has
        worlds."""
        worlds = max(self.worlds >> times, min(self.worlds, least.worlds))
        exact_worlds = self.exact_worlds >> times
        return self._replace(
            worlds=worlds,
            first=max(self.first >> times, min(self.first, 4)),
            exact_cards=self.exact_cards if exact_worlds else 0,
            exact_worlds=exact_worlds,
            nodes=self.nodes >> times,
        )


class OutOfNodes(Exception):
    """A search was to look at no more positions than it has."""
