"""The deal that decided a match: one plain definition for the table, the result's page and the API.

A match won on points was decided by the deal with which its winner went ahead for good: the last one before which they
weren't ahead. Any other victory (called out, the special ones, the last trick of a level match) was made in the last
deal, which is the one. No deal decides a draw, a forfeit, or a head start that was never lost. It plays no card.
"""

from collections.abc import Sequence
from typing import NamedTuple

from games.engine.game import Setup
from games.engine.match import FORFEITS, MOST_TIE_BREAKS, DealPoints, find_leader, find_terms

ON_POINTS = frozenset({"points", *(f"tie_break_{number}" for number in range(1, MOST_TIE_BREAKS + 1))})


class DecidingDeal(NamedTuple):
    """The deal that decided a match.

    ``place`` is its place in the record, from 1, void deals counted; ``number`` that in the match, without them;
    ``gain`` how many points the winner scored more in it than the other (a perdere: fewer); ``of`` how many deals of
    the match were counted.
    """

    place: int
    number: int
    gain: int
    of: int


def find_deciding_deal(
    setup: Setup, deals: Sequence[DealPoints], winner: int | None, decided_by: str
) -> DecidingDeal | None:
    """Return the deal that decided a finished match; None where none did. ``deals``: all of it, void ones included."""
    if winner is None or decided_by in FORFEITS:
        return None
    terms = find_terms(setup)
    score, number, deciding = setup.handicap, 0, None
    for place, deal in enumerate(deals, start=1):
        if deal.void:
            continue
        number += 1
        if decided_by not in ON_POINTS or find_leader(terms, score) != winner:
            gain = deal.points[winner] - deal.points[1 - winner]
            deciding = DecidingDeal(place, number, -gain if terms.fewest_wins else gain, 0)
        score = (score[0] + deal.points[0], score[1] + deal.points[1])
    return None if deciding is None else deciding._replace(of=number)
