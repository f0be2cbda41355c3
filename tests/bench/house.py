"""HOUSE: how many points a deal the house's play is worth, against simpler players, over mirrored deals.

The promise is a difference above nothing with its whole 95 % interval against chance and against greed, in every game
and at every number of seats; and where partners may speak, that a pair which does is not clearly worse off than the
same pair in silence (a perdere the house says nothing).
"""

from functools import partial
from random import Random

from games import bots
from games.engine.game import GO_WITH_CARD, GameMove, View
from games.rules import RULESETS
from tests.bench.mirrored import Score, compare, single_deal
from tests.bench.rivals import Player, rivals
from tests.bench.tables import Table

DEALS = 1000
SEED = 20261121
GAMES = [(ruleset, players) for ruleset, rules in RULESETS.items() for players in rules.players]
SPOKEN: tuple[tuple[str, dict[str, bool | str]], ...] = (
    ("tresette", {"dichiarazioni": True}),
    ("tresette", {"dichiarazioni": True, "carte_viste": True}),
    ("tressette-classico", {"segnali": "due"}),
    ("tressette-classico", {"segnali": "tre"}),
)


def run() -> Table:
    rows: list[list[str]] = []
    short: list[str] = []
    for ruleset, players in GAMES:
        setup = single_deal(ruleset, players)
        for name, rival in rivals(ruleset, Random(SEED)).items():
            score = compare(setup, house(ruleset), rival, DEALS, SEED)
            rows.append(_row(ruleset, players, name, score))
            if score.low <= 0:
                short.append(f"{ruleset}, {players} players, against {name}: the interval reaches {score.low:+.2f}.")
    for ruleset, options in SPOKEN:
        score = compare(single_deal(ruleset, 4, **options), house(ruleset), silent(ruleset), DEALS, SEED)
        chosen = ", ".join(name if value is True else f"{name} {value}" for name, value in options.items())
        name = f"itself in silence ({chosen})"
        rows.append(_row(ruleset, 4, name, score))
        if score.high <= 0:
            short.append(f"{ruleset}, against {name}: the interval reaches {score.high:+.2f} only.")
    return Table(
        title=f"HOUSE: the house's play over {DEALS} mirrored deals (each deck played twice, seats exchanged)",
        headings=("game", "players", "against", "points a deal", "95 % interval", "deals won"),
        rows=rows,
        notes=(
            "Who the others are, and what a most valuable card is, stands in tests/bench/rivals.py.",
            "A perdere a point less counts as a point ahead.",
        ),
        short=short,
    )


def house(ruleset: str) -> Player:
    return partial(bots.choose, ruleset)


def silent(ruleset: str) -> Player:
    """The house without what it would say to its partner; it understands what is said all the same."""

    def play(view: View) -> tuple[GameMove, ...]:
        return tuple(move for move in bots.choose(ruleset, view) if move.verb not in GO_WITH_CARD)

    return play


def _row(ruleset: str, players: int, rival: str, score: Score) -> list[str]:
    interval = f"{score.low:+.2f} … {score.high:+.2f}"
    return [ruleset, str(players), rival, f"{score.mean:+.2f}", interval, f"{score.won:.0%}"]
