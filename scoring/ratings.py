"""Skill levels as numbers: what a result is worth (L3), how two lines are rated (L4), what is shown (L5).

Plain: it knows no people, no rows and no clock. Two lines are rated by openskill's PlackettLuce, once as if line 0 had
won and once as if it had lost; the result stands between the two by the share of the line. Days are whole ones.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from openskill.models import PlackettLuce

from games.engine.game import Length
from scoring import vp

DECIMALS = 9  # of what is stored (L4)
LEVEL_BEFORE_EXTRA = ("last_trick", "tie_break_1", "tie_break_2", "tie_break_3", "tie_break_last_trick")
CENTRE, STRETCH = 1500, 60  # of the shown number (L5)
UNCERTAIN_ABOVE = 4.0  # sigma
GROWTH_A_DAY = 0.02  # of sigma squared (L5): from 3 to 4, where the question mark comes, in about a year


class Rating(NamedTuple):
    """Skill of one person as a number: its mean, and how far it may be off."""

    mu: float
    sigma: float


Line = Sequence[Rating]
NEW = Rating(25.0, 25.0 / 3.0)


def _leave_unscaled(*_args: object) -> float:
    """Return gamma (L4): 1, whatever the match."""
    return 1.0


_MODEL = PlackettLuce(mu=NEW.mu, sigma=NEW.sigma, gamma=_leave_unscaled)


def compute_share(
    ruleset: str,
    length: Length,
    winner: int | None,
    margin: int,
    decided_by: str,
    offender: int | None = None,
) -> float:
    """Return line 0's share of a match that counts (L3): VP of the line by VP of both, by the length's column.

    A forfeit is 1 and 0; a match that was level at its regular end is a half, whoever won it afterwards.
    """
    if offender is not None:
        return float(offender)
    if winner is None or decided_by in LEVEL_BEFORE_EXTRA:
        return 0.5
    points = vp.compute_points(ruleset, length, winner, margin)
    if points is None:
        return float(1 - winner)
    return points.vp[0] / sum(points.vp)


def rate(lines: tuple[Line, Line], share: float) -> tuple[list[Rating], list[Rating]]:
    """Return the ratings of both lines after a match of which line 0 has this share (L4)."""
    won, lost = _rate_once(lines, 0), _rate_once(lines, 1)
    first, second = [
        [_mix(as_won, as_lost, share) for as_won, as_lost in zip(won[line], lost[line], strict=True)] for line in (0, 1)
    ]
    return first, second


def _rate_once(lines: tuple[Line, Line], winner: int) -> list[list[Rating]]:
    teams = [[_MODEL.rating(mu=rating.mu, sigma=rating.sigma) for rating in line] for line in lines]
    ranks = [0.0, 1.0] if winner == 0 else [1.0, 0.0]
    return [[Rating(player.mu, player.sigma) for player in team] for team in _MODEL.rate(teams, ranks=ranks)]


def _mix(as_won: Rating, as_lost: Rating, share: float) -> Rating:
    """Return what stands between line 0's victory and its defeat, by its share; sigma is the same in both."""
    mu = share * as_won.mu + (1 - share) * as_lost.mu
    return Rating(round(mu, DECIMALS), round(as_won.sigma, DECIMALS))


def grow_sigma(sigma: float, days: int) -> float:
    """Return sigma after so many whole days away (L5): its square grows by a constant, up to its value at the start."""
    if days <= 0:
        return sigma
    grown = math.sqrt(sigma * sigma + GROWTH_A_DAY * days)
    return max(sigma, min(NEW.sigma, round(grown, DECIMALS)))


def scale(mu: float) -> int:
    """Return the level that is shown (L5), a whole number, a half upwards."""
    return math.floor(CENTRE + STRETCH * (mu - NEW.mu) + 0.5)


def is_uncertain(sigma: float) -> bool:
    """Tell if a level is shown with a question mark (L5)."""
    return sigma > UNCERTAIN_ABOVE
