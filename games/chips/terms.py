"""The terms of a stake: what a match can cost whom at most, and what it moved in the end. Plain arithmetic.

A table plays either for the stakes of the record or for the points of the margin (V6). Whatever it is, nobody loses
more than ``CAP`` stakes in a match (Z2). It knows no player and no ledger.
"""

from collections.abc import Mapping, Sequence

from games.engine.game import Points, Setup
from games.engine.match import compute_margin, find_ruleset, find_terms

CAP = 40  # stakes that one person can lose in a match
MATCH, POINT = "match", "point"  # what a stake is paid for
THREE = 3
LONE = 0  # the seat of whoever plays alone where three play (M3)


def count_shares(seat: int, players: int) -> int:
    """Count the stakes of the player at a seat: one, or in three two for whoever plays alone (Z2)."""
    return 2 if players == THREE and seat == LONE else 1


def compute_most(setup: Setup, per: str) -> int:
    """Return the multiple of the stake that one share can lose at most, by the options of the match (T6, C6, M)."""
    bound = _bound_points(setup) if per == POINT else _bound_stakes(setup)
    return min(bound, CAP // max(count_shares(seat, setup.players) for seat in range(setup.players)))


def compute_multiple(
    setup: Setup, per: str, *, winner: int | None, score: Points, stakes: Points, most: int
) -> tuple[int, int]:
    """Return the line that wins chips and how many stakes a share: the ordinary difference, after forfeits too (V6).

    ``score``: the points made at the table, without a handicap's (L7). T6's extra stakes may be won by the line that
    loses the match.
    """
    if per == POINT:
        line, times = winner or 0, compute_margin(find_terms(setup), score, winner)
    else:
        line, times = int(stakes[1] > stakes[0]), abs(stakes[0] - stakes[1])
    return line, min(times, most)


def split(line: int, amount: int, seats: Sequence[int], players: int) -> Mapping[int, int]:
    """Return what each seat gets or gives: ``amount`` a share, the seats of ``line`` from the others. It sums to 0."""
    return {seat: (amount if seat % 2 == line else -amount) * count_shares(seat, players) for seat in seats}


def _bound_stakes(setup: Setup) -> int:
    """Bound the stakes of the record: those of the match's end, and one for each deal without a point (T6)."""
    terms = find_terms(setup)
    if not terms.extra_stake:
        return terms.most_stakes
    if setup.length.kind == "deals":
        return terms.most_stakes + setup.length.value
    rows = find_ruleset(setup).scores(setup).whole
    least = sum(min((ours for ours, theirs in choices if not theirs), default=0) for choices in rows)
    return terms.most_stakes + -(-setup.length.value // max(1, least))


def _bound_points(setup: Setup) -> int:
    """Bound the margin: what the best deals give one line while the other makes nothing."""
    scores = find_ruleset(setup).scores(setup)
    ways = (scores.whole, *(ending.choices for ending in scores.endings))
    best = max(sum(max(max(points) for points in choices) for choices in way) for way in ways)
    value = setup.length.value
    return best * value if setup.length.kind == "deals" else value - 1 + best
