"""Match of two teams at two tables with equal deals and exchanged seats (*squadre di quattro*, J11): what each deal
swings, and the MP and VP of the sum. Plain: points in, numbers out.

Team 0 is side 0 at the first table and side 1 at the second.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from games.engine.game import Length, Points
from scoring import vp
from scoring.vp import MatchPoints


@dataclass(frozen=True, slots=True)
class Swing:
    """A deal that both tables finished: its points at each, by side, and what team 0 is ahead by at both together."""

    number: int
    first: Points
    second: Points
    ahead: int


@dataclass(frozen=True, slots=True)
class TeamScore:
    """Score of a match of teams, team 0 first. ``winner`` is None where they are level, and where both forfeited."""

    winner: int | None
    worth: MatchPoints


def compute_swings(
    first: Mapping[int, Points], second: Mapping[int, Points], *, fewest_wins: bool = False
) -> tuple[Swing, ...]:
    """Return what each deal swings that both tables have points of, by its number. ``fewest_wins``: fewer points are
    the better ones (A1)."""
    return tuple(
        Swing(number, first[number], second[number], _add_differences(first[number], second[number], fewest_wins))
        for number in sorted(first.keys() & second.keys())
    )


def _add_differences(first: Points, second: Points, fewest_wins: bool) -> int:
    """Return what team 0 is ahead by at both tables together."""
    ahead = first[0] - first[1] + second[1] - second[0]
    return -ahead if fewest_wins else ahead


def score_match(ruleset: str, length: Length, ahead: int, forfeits: Collection[int] = ()) -> TeamScore | None:
    """Return the score of a match in which team 0 is ahead by so much; None for a length without VP (V4).

    The sum is the margin of V2, and the MP. Who forfeits has 0 VP, the other side by V5 on what it is ahead by; of both
    it is a double forfeit (R4).
    """
    if len(forfeits) > 1:
        worth = vp.compute_double_forfeit(ruleset, length)
        return None if worth is None else TeamScore(None, worth)
    winner = None if ahead == 0 else int(ahead < 0)
    margin, offender = abs(ahead), None
    for offender in forfeits:
        winner, margin = 1 - offender, max(0, ahead if offender else -ahead)
    worth = vp.compute_points(ruleset, length, winner, margin, offender)
    return None if worth is None else TeamScore(winner, worth)
