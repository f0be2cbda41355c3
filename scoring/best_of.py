"""Worth of a fixture of several games (*al meglio di*, EV1): VP of the games won, MP of their margins.

Plain: games in, numbers out. It knows no card game: whoever calls it says who won each game, and by how much.
"""

from collections.abc import Collection

from scoring.vp import BYE, EVEN, LEAST_FOR_THE_OFFENDED, WIN, MatchPoints

NUMBERS = (3, 5, 7)  # of games of which the better half decides; 1: a fixture is one match
Won = tuple[int, int]  # games won, by line


def count_needed(games: int) -> int:
    """Return how many games win a fixture of so many."""
    return games // 2 + 1


def is_decided(games: int, won: Won) -> bool:
    """Tell if somebody has won more than half: the rest isn't played."""
    return max(won) >= count_needed(games)


def compute_vp(games: int, lead: int) -> int:
    """Return the VP of whoever wins so many games more than the other (EV1): ``10 + 10·lead/needed``, half up.

    The other has the rest to 20. A fixture that the clock ended has a smaller lead, and the same formula.
    """
    needed = count_needed(games)
    return EVEN + (2 * EVEN * lead + needed) // (2 * needed)


def score_games(games: int, won: Won, mp: int) -> MatchPoints:
    """Return the MP and VP of a fixture in which the lines won so many games; ``mp``: line 0's."""
    lead = won[0] - won[1]
    best = compute_vp(games, abs(lead))
    return MatchPoints((mp, -mp), (WIN - best, best) if lead < 0 else (best, WIN - best))


def score_forfeit(games: int, won: Won, mp: int, forfeits: Collection[int]) -> MatchPoints:
    """Return the MP and VP of a fixture that one line forfeits, or both: whoever does has 0 VP.

    The other has the VP of winning all games that are left, and 14 at least. MP are those of what was played; none
    where both forfeit.
    """
    if len(forfeits) > 1:
        return MatchPoints((0, 0), (0, 0))
    (offender,) = forfeits
    needed = count_needed(games)
    best = max(LEAST_FOR_THE_OFFENDED, compute_vp(games, needed - min(won[offender], needed - 1)))
    return MatchPoints((mp, -mp), (best, 0) if offender else (0, best))


def compute_bye() -> tuple[int, int]:
    """Return the MP and VP of a bye (D1), whatever is played."""
    return 0, BYE
