"""RULES: how fast the engine is: random plies through the validating API, and whole matches replayed from records."""

from functools import partial
from random import Random
from time import process_time
from typing import Any

from bench.mirrored import EVERY_GAMES_LENGTH
from bench.tables import Table
from bench.timing import REFERENCE_STEPS, Work, measure
from games.engine import match, record
from games.engine.game import GameMove, Setup
from games.engine.match import Progress
from games.rules import RULESETS

SEED = 20261121
GAMES = [(ruleset, players) for ruleset, rules in RULESETS.items() for players in rules.players]
MATCHES = 10  # a piece of work


def run() -> Table:
    contenders: dict[str, Work] = {}
    for ruleset, players in GAMES:
        setup = Setup(ruleset, players, EVERY_GAMES_LENGTH, "free", {}, 0)
        contenders[f"{ruleset} {players}: random plies"] = partial(_random_plies, setup)
        contenders[f"{ruleset} {players}: matches to 21 replayed"] = partial(_replays, _records(setup))
    rows = [
        [name, f"{speed.rate:,.0f}", f"{speed.ratio:.2f}", f"{speed.low:.2f} … {speed.high:.2f}"]
        for name, speed in measure(contenders, clock=process_time).items()
    ]
    return Table(
        title="RULES: the engine through its validating API, beside a fixed loop of plain Python in the same run",
        headings=("what", "a second", "in the time of 1,000 steps", "95 % interval"),
        rows=rows,
        notes=(
            f"The loop, {REFERENCE_STEPS:,} steps before every round, is in bench/timing.py.",
            "Random plies: legal() lists, the dice choose, play() checks. Replays read the record's text as well.",
        ),
    )


def _random_plies(setup: Setup) -> int:
    """Play matches at random; how many moves were made."""
    rng = Random(SEED)
    return sum(len(moves) for _ in range(MATCHES) for _, moves in _random_match(setup, rng))


def _replays(records: list[dict[str, Any]]) -> int:
    """Replay whole records; how many."""
    for written in records:
        record.replay(record.parse(written))
    return len(records)


def _records(setup: Setup) -> list[dict[str, Any]]:
    rng = Random(SEED)
    return [
        record.dump(setup, [(deck, map(record.write_move, moves)) for deck, moves in _random_match(setup, rng)])
        for _ in range(MATCHES)
    ]


def _random_match(setup: Setup, rng: Random) -> list[tuple[list[int], list[GameMove]]]:
    """The decks and moves of a match played at random through the validating API."""
    progress: Progress = match.start(setup)
    played: list[tuple[list[int], list[GameMove]]] = []
    while progress.needs_deck:
        deck = list(range(40))
        rng.shuffle(deck)
        progress = match.deal(progress, deck)
        moves: list[GameMove] = []
        while progress.deal is not None:
            legal = match.legal(progress)
            move = legal[int(rng.random() * len(legal))]
            progress = match.play(progress, move)
            moves.append(move)
        played.append((deck, moves))
    return played
