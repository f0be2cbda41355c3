"""HOUSE: how many points a deal the house's play is worth, against simpler players, over mirrored deals.

The promise is a difference above nothing with its whole 95 % interval, in every game and at every number of seats.
"""

from functools import partial
from random import Random

from games import bots
from tests.bench.mirrored import Score, compare
from tests.bench.rivals import rivals
from tests.bench.tables import Table

DEALS = 1000
SEED = 20261121
GAMES = (("scopa", 2), ("scopa", 4), ("tresette", 2), ("tresette", 4))


def run() -> Table:
    rows: list[list[str]] = []
    short: list[str] = []
    for ruleset, players in GAMES:
        for name, rival in rivals(ruleset, Random(SEED)).items():
            score = compare(ruleset, players, partial(bots.choose, ruleset), rival, DEALS, SEED)
            rows.append(_row(ruleset, players, name, score))
            if score.low <= 0:
                short.append(f"{ruleset}, {players} seats, against {name}: the interval reaches {score.low:+.2f}.")
    return Table(
        title=f"HOUSE: the house's play over {DEALS} mirrored deals (each deck played twice, seats exchanged)",
        headings=("game", "seats", "against", "points a deal", "95 % interval", "deals won"),
        rows=rows,
        notes=("Who the others are, and what a most valuable card is, stands in tests/bench/rivals.py.",),
        short=short,
    )


def _row(ruleset: str, players: int, rival: str, score: Score) -> list[str]:
    interval = f"{score.low:+.2f} … {score.high:+.2f}"
    return [ruleset, str(players), rival, f"{score.mean:+.2f}", interval, f"{score.won:.0%}"]
