"""TEAMS: how the VP of squadre di quattro spread by the sum of the swings, and by half of it (J11).

*Circolo* plays at both tables for both teams, so nobody is better: what swings is what two tables make of the same
cards. Each deal is played twice with the same deck and dealer, by dice of its own; matches are so many of them, one
after the other. GAMES="scopa 2, tresette 4" measures some, SEED and SHARE (of the matches) change a run.
"""

import os
import sys
from collections import Counter
from random import Random

from bench.house import SEED, choose_sizes, house
from bench.mirrored import decks, play_deal, single_deal
from bench.tables import Table
from games.bots.strengths import CLUB
from games.engine.game import Length
from scoring.team_match import compute_swings, score_match

MEASURED = "scopa 2, scopa 4, tresette 4"
MATCHES, DEALS = 300, 4  # matches of so many deals; shorter ones are made of the same deals
LENGTHS = (2, DEALS)
BANDS = ((10, 12), (13, 15), (16, 18), (19, 20))  # VP of the better team


def run(share: float | None = None) -> Table:
    share = float(os.environ.get("SHARE", "1")) if share is None else share
    seed = int(os.environ.get("SEED", SEED))
    count = max(1, round(MATCHES * share)) * DEALS
    rows: list[list[str]] = []
    for ruleset, players in choose_sizes(os.environ.get("GAMES", MEASURED)):
        swings = list_swings(ruleset, players, count, seed)
        for deals in LENGTHS:
            sums = [sum(swings[first : first + deals]) for first in range(0, count - deals + 1, deals)]
            for name, halved in (("the sum", False), ("half of it", True)):
                rows.append([ruleset, str(players), str(deals), name, str(len(sums))])
                rows[-1] += describe_spread(ruleset, Length("deals", deals), sums, halved=halved)
                print(" ".join(rows[-1]), file=sys.stderr, flush=True)  # noqa: T201 a program of the terminal
    return Table(
        title="TEAMS: VP of the better of two equal teams at two tables with the same decks (Circolo against Circolo)",
        headings=(
            *("game", "players", "deals", "VP by", "matches"),
            *(f"{low}-{20 - low} to {high}-{20 - high}" for low, high in BANDS),
        ),
        rows=rows,
        notes=(f"Seed {seed}. Half of an odd sum is rounded away from zero.",),
    )


def list_swings(ruleset: str, players: int, count: int, seed: int) -> list[int]:
    """Return what so many deals swing between two teams of the house."""
    setup, one = single_deal(ruleset, players), house(ruleset, CLUB)
    swings = []
    for number, (deck, dealer) in zip(range(count), decks(setup, seed), strict=False):
        first, second = (play_deal(setup, deck, dealer, (one, one), Random(f"{seed} {number} {n}")) for n in (0, 1))
        swings.append(compute_swings({number: first}, {number: second})[0].ahead)
    return swings


def describe_spread(ruleset: str, length: Length, sums: list[int], *, halved: bool) -> list[str]:
    """Return the share of the matches in each band of VP."""
    bands: Counter[tuple[int, int]] = Counter()
    for ahead in sums:
        score = score_match(ruleset, length, (abs(ahead) + 1) // 2 if halved else abs(ahead))
        assert score is not None, f"a length without VP: {ruleset} {length}"
        bands[next(band for band in BANDS if band[0] <= max(score.worth.vp) <= band[1])] += 1
    return [f"{bands[band] / len(sums):.0%}" for band in BANDS]
