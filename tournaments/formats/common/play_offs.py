"""A play-off (EV11): a small knock-out of entries that share a rank, in the order in which the lot drew them.

Its entries are their numbers in that lot: the first ones have the byes, for a bracket gives them to its best (K2).
"""

from collections.abc import Mapping

from tournaments.formats.common.brackets import NOBODY, BracketPlan, Side, order_bracket, seed_first_round
from tournaments.formats.protocol import Draw, Result, Slot


def play_out(size: int, results: Mapping[Slot, Result]) -> BracketPlan:
    """Return the bracket of so many after these results: one match for two. ValueError for a result out of place."""
    bracket = BracketPlan(results)
    at = seed_first_round(Draw(size))
    entries = (at[place] for place in order_bracket(len(at)))
    bracket.play([NOBODY if entry is None else Side(True, entry) for entry in entries])
    if results.keys() - {pairing.slot for pairing in bracket.pairings}:
        raise ValueError("a result for no match of this bracket")
    return bracket
