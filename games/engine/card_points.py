"""Points of the cards that both lines took, of matches whose score only counts deals won (BR4)."""

from collections.abc import Iterable

from games.engine.game import Points, Tally

ROW = "card_points"  # of a deal's count


def add_card_points(tallies: Iterable[Tally | None]) -> Points:
    """Return the card points of these deals. One that was broken off has none: it isn't counted."""
    rows = [row for tally in tallies if tally is not None for row in tally.rows if row.code == ROW]
    return sum(row.values[0] for row in rows), sum(row.values[1] for row in rows)
