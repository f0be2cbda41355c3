"""Trial of the ways to rate people (L4): simulated ones play, and what each way makes of their results is compared.

Everybody has a true strength; what a match shows of it is dimmed by the cards. The results are those of Tresette to 21
points, by V1's margin. Each way rates them in order and says before each how likely the first line is to win: the log
loss is that of the last third. The table is that of docs/decisions.
"""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from openskill.models import PlackettLuce

from bench.tables import Table
from games.engine.game import Length
from scoring import ratings
from scoring.ratings import NEW, Rating

LENGTH = Length("points", 21)
STRENGTH, CARDS, POINTS = 1.0, 4.2, 2.0  # deviations of strength and of luck, and points for each unit of both
SEED = 14
Pair = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class SimulatedMatch:
    """Match of two lines of people, with the share of the first and who won; None: nobody."""

    lines: Pair
    share: float
    winner: int | None


@dataclass(slots=True)
class Way:
    """A way to rate: ``rate`` takes a match in, ``expect`` says how likely line 0 is to win, ``order`` how good one
    is."""

    name: str
    expect: Callable[[Pair], float]
    rate: Callable[[SimulatedMatch], None]
    value: Callable[[int], float]
    losses: list[float] = field(default_factory=list)


def simulate(people: int, matches: int, size: int, dice: random.Random) -> tuple[list[float], list[SimulatedMatch]]:
    """Return true strengths, and matches so that everybody plays so many, with partners and opponents by chance."""
    strengths = [dice.gauss(0, STRENGTH) for _person in range(people)]
    played: list[SimulatedMatch] = []
    for _round in range(matches):
        order = dice.sample(range(people), people)
        for first in range(0, people - 2 * size + 1, 2 * size):
            lines = tuple(order[first : first + size]), tuple(order[first + size : first + 2 * size])
            ahead = sum(strengths[one] for one in lines[0]) - sum(strengths[one] for one in lines[1])
            shown = ahead + dice.gauss(0, CARDS * math.sqrt(size))
            points = round(POINTS * shown / math.sqrt(size))
            winner = None if points == 0 else int(points < 0)
            share = ratings.compute_share("tresette", LENGTH, winner, min(abs(points), 60), "points")
            played.append(SimulatedMatch(lines, share, winner))
    return strengths, played


def make_ways(people: int) -> list[Way]:
    """Return the ways that are compared, each new."""
    return [
        _rate_by_share("openskill, share between won and lost (L4)", people),
        _rate_by_ranks("openskill, won or lost, draws as ranks", people, gamma_one=True),
        _rate_by_ranks("openskill as it comes, won or lost", people, gamma_one=False),
        _rate_by_ranks("openskill, winning margin", people, gamma_one=True, margin=True),
        _rate_by_elo("Elo, won or lost", people, by_share=False),
        _rate_by_elo("Elo, by share", people, by_share=True),
    ]


def _rate_by_share(name: str, people: int) -> Way:
    guesses = [NEW] * people

    def rate(match: SimulatedMatch) -> None:
        lines = tuple([guesses[one] for one in line] for line in match.lines)
        for line, after in zip(match.lines, ratings.rate((lines[0], lines[1]), match.share), strict=True):
            for one, new in zip(line, after, strict=True):
                guesses[one] = new

    return Way(name, lambda pair: _expect(guesses, pair), rate, lambda one: guesses[one].mu)


def _rate_by_ranks(name: str, people: int, *, gamma_one: bool, margin: bool = False) -> Way:
    more: dict[str, Any] = {"gamma": lambda *_: 1.0} if gamma_one else {}
    model, ratings = PlackettLuce(**more), [NEW] * people

    def rate(match: SimulatedMatch) -> None:
        teams = [[model.rating(mu=ratings[one].mu, sigma=ratings[one].sigma) for one in line] for line in match.lines]
        if margin:
            after = model.rate(teams, scores=[20 * match.share, 20 * (1 - match.share)])
        else:
            ranks = {None: [0.0, 0.0], 0: [0.0, 1.0], 1: [1.0, 0.0]}[match.winner]
            after = model.rate(teams, ranks=ranks)
        for line, team in zip(match.lines, after, strict=True):
            for one, new in zip(line, team, strict=True):
                ratings[one] = Rating(new.mu, new.sigma)

    return Way(name, lambda pair: _expect(ratings, pair), rate, lambda one: ratings[one].mu)


def _expect(ratings: Sequence[Rating], pair: Pair) -> float:
    first, second = (sum(ratings[one].mu for one in line) for line in pair)
    doubt = sum(ratings[one].sigma ** 2 for line in pair for one in line)
    return 1 / (1 + math.exp((second - first) / math.sqrt(doubt + 2 * (25 / 6) ** 2)))


def _rate_by_elo(name: str, people: int, *, by_share: bool) -> Way:
    ratings = [1500.0] * people

    def expect(pair: Pair) -> float:
        first, second = (sum(ratings[one] for one in line) / len(line) for line in pair)
        return 1 / (1 + 10 ** ((second - first) / 400))

    def rate(match: SimulatedMatch) -> None:
        got = match.share if by_share else 0.5 if match.winner is None else float(1 - match.winner)
        change = 24 * (got - expect(match.lines))
        for line, sign in zip(match.lines, (1, -1), strict=True):
            for one in line:
                ratings[one] += sign * change

    return Way(name, expect, rate, lambda one: ratings[one])


def try_ways(people: int, matches: int, size: int, seed: int) -> list[tuple[str, float, float]]:
    """Return the name of each way, its log loss in the last third, and the rank correlation with true strength."""
    strengths, played = simulate(people, matches, size, random.Random(seed))
    ways = make_ways(people)
    for number, match in enumerate(played):
        for way in ways:
            if 3 * number >= 2 * len(played):
                way.losses.append(_compute_loss(way.expect(match.lines), match.winner))
            way.rate(match)
    values = [[way.value(one) for one in range(people)] for way in ways]
    return [
        (way.name, sum(way.losses) / len(way.losses), correlate_ranks(own, strengths))
        for way, own in zip(ways, values, strict=True)
    ]


def _compute_loss(expected: float, winner: int | None) -> float:
    got = 0.5 if winner is None else 1.0 - winner
    return -(got * math.log(expected) + (1 - got) * math.log(1 - expected))


def correlate_ranks(one: Sequence[float], other: Sequence[float]) -> float:
    """Return Spearman's correlation; values are taken to be all different."""
    first, second = _rank(one), _rank(other)
    size = len(first)
    return 1 - 6 * sum((a - b) ** 2 for a, b in zip(first, second, strict=True)) / (size * (size**2 - 1))


def _rank(values: Sequence[float]) -> list[int]:
    order = sorted(range(len(values)), key=lambda place: values[place])
    ranks = [0] * len(values)
    for rank, place in enumerate(order):
        ranks[place] = rank
    return ranks


def run(people: int = 500, matches: int = 30, worlds: int = 5) -> Table:
    """Try every way in some worlds of simulated people; the figures are the means."""
    tried = [[try_ways(people, matches, size, SEED + world) for world in range(worlds)] for size in (1, 2)]
    rows = []
    for place, (name, _loss, _rank) in enumerate(tried[0][0]):
        figures = [sum(world[place][column] for world in of_size) / worlds for of_size in tried for column in (1, 2)]
        rows.append((name, *(f"{figure:.3f}" for figure in figures)))
    return Table(
        title=f"LEVELS: ways to rate {people} simulated people after {matches} matches each, {worlds} times",
        headings=("way", "log loss alone", "ranks alone", "log loss in pairs", "ranks in pairs"),
        rows=rows,
        notes=["Ranks: correlation with true strength. In pairs partners are drawn anew for each match."],
        short=[f"{column}: another way is better" for column in _find_beaten(rows)],
    )


def _find_beaten(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the log losses in which the first way isn't the best."""
    return [
        name for column, name in ((1, "alone"), (3, "in pairs")) if rows[0][column] != min(row[column] for row in rows)
    ]
