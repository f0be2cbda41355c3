"""The ways to set a match up, from the documents: every option, length, context and number of players that go together.

``every`` lists them all, ``chosen`` a few that between them hold every pair of values, for tests that play matches.
"""

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, product

from games.engine.game import Length, Setup
from games.rules import RULESETS
from tests.games import naive_replay
from tests.support.thorough import tries

CONTEXTS = ("free", "ko", "round_robin")
LENGTHS = {
    "tressette-accusa": [("points", 11), ("points", 21), ("points", 31), ("points", 41)],
    "tressette-classico": [("points", 21), ("points", 31), ("points", 51)],
    "scopone": [("deals", 1), ("deals", 2), ("points", 6), ("points", 11), ("points", 21)],
}
OTHER_LENGTHS = [("deals", 1), ("deals", 2), ("points", 6), ("points", 11)]
TRIONFO = ("trionfo", 2)

TABLES = [(ruleset, players) for ruleset in RULESETS for players in naive_replay.players_of(ruleset)]
# Captures, a card with no calls, calls that go with a card, calls alone, three with the morto: each way there is to
# move, for what is the same code whatever the rules.
KINDS = tries(
    [("scopa", 2), ("briscola", 4), ("tresette", 4), ("tressette-classico", 4), ("tressette-accusa", 3)], TABLES
)


def lengths_of(ruleset: str) -> list[tuple[str, int]]:
    return LENGTHS.get(ruleset, OTHER_LENGTHS)


def every_combination(ruleset: str, players: int) -> Iterator[Setup]:
    """Every combination of values there is, the forbidden ones with the others."""
    options = naive_replay.OPTIONS.get(ruleset, {})
    for values in product(*options.values()):
        for context in CONTEXTS:
            for kind, amount in lengths_of(ruleset):
                of_match = dict(zip(options, values, strict=True))
                yield Setup(ruleset, players, Length(kind, amount), context, of_match, 0)  # type: ignore[arg-type]


def allowed(setup: Setup) -> bool:
    """Return whether the documents let a match be played so."""
    return naive_replay.may_be_played_so(setup.ruleset, setup.players, *setup.length, setup.context, setup.options)


def every(ruleset: str, players: int) -> list[Setup]:
    """Every way to play a ruleset with so many."""
    return [setup for setup in every_combination(ruleset, players) if allowed(setup)]


def _pairs(setup: Setup) -> set[tuple[object, ...]]:
    values = [("context", setup.context), ("length", setup.length), *setup.options.items()]
    return set(combinations(values, 2)) | {(value,) for value in values}


@cache
def chosen(ruleset: str, players: int, seed: int = 4) -> tuple[Setup, ...]:
    """Ways to play in which every two values that go together stand together at least once; drawn by the seed."""
    rng = random.Random(seed)
    left = every(ruleset, players)
    rng.shuffle(left)
    missing = set().union(*map(_pairs, left))
    setups = []
    while missing:
        best = max(rng.sample(left, min(len(left), 200)), key=lambda setup: len(_pairs(setup) & missing))
        if gained := _pairs(best) & missing:
            missing -= gained
            setups.append(replace(best, first_dealer=rng.randrange(4 if players == 3 else players)))
    return tuple(setups)
