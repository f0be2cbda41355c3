"""Plackett-Luce for two lines, written down once more from its formulas; it knows no library."""

from math import exp, sqrt

BETA, TAU, KAPPA = 25 / 6, 25 / 300, 0.0001
Pair = tuple[float, float]  # mu and sigma


def rate_naively(lines: tuple[list[Pair], list[Pair]], share: float) -> tuple[list[Pair], list[Pair]]:
    """Return the ratings after a match of which line 0 has this share, to 9 decimals."""
    grown = [[(mu, sqrt(sigma**2 + TAU**2)) for mu, sigma in line] for line in lines]
    strength = [sum(mu for mu, _sigma in line) for line in grown]
    doubt = [sum(sigma**2 for _mu, sigma in line) for line in grown]
    scale = sqrt(doubt[0] + doubt[1] + 2 * BETA**2)
    expected = 1 / (1 + exp((strength[1] - strength[0]) / scale))
    surprise = share - expected  # 1 − e if it is won, −e if it is lost
    shrink = expected * (1 - expected) / scale**2
    first = [_move(player, surprise, shrink, scale) for player in grown[0]]
    second = [_move(player, -surprise, shrink, scale) for player in grown[1]]
    return first, second


def _move(player: Pair, surprise: float, shrink: float, scale: float) -> Pair:
    mu, sigma = player
    moved = mu + sigma**2 / scale * surprise
    return round(moved, 9), round(sigma * sqrt(max(1 - sigma**2 * shrink, KAPPA)), 9)
