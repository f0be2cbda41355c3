"""HOUSE: how many points a deal the house's strengths are worth against each other, over mirrored deals.

The promise is an order: in every game, at every number of seats, *Maestro* ahead of *Circolo* ahead of *Principiante*
ahead of whoever plays by rules of thumb, each difference above nothing with its whole 95 % interval; *Circolo* not
clearly behind the plain sampler; and where partners may speak, a pair which does not clearly worse off than the same
pair in silence. A player that sees all cards is the ceiling. GAMES="scopa 2, tresette 4" measures some, SEED and
SHARE (of the deals) change a run.
"""

import os
import sys
from collections.abc import Callable, Sequence
from random import Random
from time import process_time
from typing import Any, NamedTuple

from bench.mirrored import Score, compare, single_deal
from bench.rivals import Player
from bench.samplers import look_at_all_cards, sample_plainly
from bench.tables import Table
from games import bots
from games.bots.strengths import BEGINNER, CLUB, MASTER
from games.engine.game import GO_WITH_CARD, GameMove, View
from games.rules import RULESETS

SEED = 20261121
SIZES = [(ruleset, players) for ruleset, rules in RULESETS.items() for players in rules.players]
SPOKEN: tuple[tuple[str, dict[str, bool | str]], ...] = (
    ("tresette", {"dichiarazioni": True}),
    ("tresette", {"dichiarazioni": True, "carte_viste": True}),
    ("tressette-classico", {"segnali": "due"}),
    ("tressette-classico", {"segnali": "tre"}),
)


class Pairing(NamedTuple):
    """Two players of a game, the better one first; over so many mirrored deals. ``ahead``: by how much at least."""

    one: str
    other: str
    deals: int
    ahead: float | None = None  # None: for orientation
    loose: bool = False  # only not clearly below it


PAIRINGS = (
    Pairing("Maestro", "Circolo", 400, 0.0),
    Pairing("Circolo", "Principiante", 600, 0.0),
    Pairing("Principiante", "rules of thumb", 1000, 0.0),
    Pairing("Circolo", "plain sampler", 100, 0.0, loose=True),
    Pairing("Maestro", "rules of thumb", 200),
    Pairing("open cards", "Maestro", 100),
)


def run(share: float | None = None) -> Table:
    share = float(os.environ.get("SHARE", "1")) if share is None else share
    seed = int(os.environ.get("SEED", SEED))
    rows: list[list[str]] = []
    short: list[str] = []
    for ruleset, players in choose_sizes(os.environ.get("GAMES", "")):
        for pairing in PAIRINGS:
            one, other = find_player(ruleset, pairing.one), find_player(ruleset, pairing.other)
            seconds: list[float] = []
            if pairing == PAIRINGS[0]:
                one = measure(one, seconds)
            score = compare(single_deal(ruleset, players), one, other, max(2, round(pairing.deals * share)), seed)
            add_row(rows, [ruleset, str(players), f"{pairing.one} / {pairing.other}"], score, seconds)
            if pairing.ahead is not None and (score.high if pairing.loose else score.low) <= pairing.ahead:
                reached = f"the interval is {score.low:+.2f} … {score.high:+.2f}"
                short.append(f"{ruleset}, {players} players, {pairing.one} / {pairing.other}: {reached}.")
        for options in [spoken for of, spoken in SPOKEN if of == ruleset and players == 4]:
            setup = single_deal(ruleset, 4, **options)
            score = compare(setup, house(ruleset, CLUB), silent(ruleset, CLUB), max(2, round(300 * share)), seed)
            chosen = ", ".join(name if value is True else f"{name} {value}" for name, value in options.items())
            add_row(rows, [ruleset, "4", f"Circolo / itself in silence ({chosen})"], score)
            if score.high <= 0:
                short.append(f"{ruleset}, against itself in silence: the interval reaches {score.high:+.2f} only.")
    return Table(
        title="HOUSE: the house's strengths over mirrored deals (each deck played twice, seats exchanged)",
        headings=(
            "game",
            "players",
            "who / against whom",
            "mirrored deals",
            "points a deal",
            "95 % interval",
            "won",
            "p50 / p99",
        ),
        rows=rows,
        notes=(
            f"Seed {seed}. A perdere a point less counts as a point ahead. The first of two is expected ahead.",
            "p50 / p99: processor that a decision of the Maestro takes where there is a choice (p99 ≤ 150 ms, HP2).",
            "Rules of thumb: what the house played by before it had strengths, and still does where there is no time.",
            "Plain sampler and open cards: bench/samplers.py; they say nothing to a partner.",
        ),
        short=short,
    )


def choose_sizes(chosen: str) -> list[tuple[str, int]]:
    """Return the games and numbers of players that are named ("scopa 2, tresette 4"); all of them for none."""
    named = [tuple(part.split()) for part in chosen.split(",") if part.strip()]
    return [size for size in SIZES if not named or (size[0], str(size[1])) in named or (size[0],) in named]


def add_row(rows: list[list[str]], cells: list[str], score: Score, seconds: Sequence[float] = ()) -> None:
    """Add a row, and say it at once: a run takes hours."""
    interval = f"{score.low:+.2f} … {score.high:+.2f}"
    times = [f"{1000 * find_percentile(seconds, share):.0f}" for share in (0.5, 0.99)] if seconds else []
    taken = f"{' / '.join(times)} ms" if times else ""
    rows.append([*cells, str(score.deals), f"{score.mean:+.2f}", interval, f"{score.won:.0%}", taken])
    print(" ".join(rows[-1]), file=sys.stderr, flush=True)  # noqa: T201 a program of the terminal


def find_percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[int(share * (len(values) - 1))]


def measure(player: Player, seconds: list[float]) -> Player:
    """Return the player, noting the seconds of processor that each decision between two cards or more takes it."""

    def play(views: Sequence[View], dice: Random, state: Any) -> Sequence[GameMove]:
        began = process_time()
        moves = player(views, dice, state)
        if sum(move.verb == "play" for move in views[-1].legal) > 1:
            seconds.append(process_time() - began)
        return moves

    return play


def find_player(ruleset: str, name: str) -> Player:
    fewest = RULESETS[ruleset].terms(single_deal(ruleset, RULESETS[ruleset].players[0])).fewest_wins
    makers: dict[str, Callable[[], Player]] = {
        "Maestro": lambda: house(ruleset, MASTER),
        "Circolo": lambda: house(ruleset, CLUB),
        "Principiante": lambda: house(ruleset, BEGINNER),
        "rules of thumb": lambda: quick(ruleset),
        "plain sampler": lambda: sample_plainly(ruleset, -1 if fewest else 1),
        "open cards": lambda: look_at_all_cards(ruleset),
    }
    return makers[name]()


def house(ruleset: str, strength: str) -> Player:
    def play(views: Sequence[View], dice: Random, state: Any) -> Sequence[GameMove]:
        return bots.choose(ruleset, views, strength, dice)

    return play


def silent(ruleset: str, strength: str) -> Player:
    """The house without what it would say to its partner; it understands what is said all the same."""

    def play(views: Sequence[View], dice: Random, state: Any) -> Sequence[GameMove]:
        return [move for move in bots.choose(ruleset, views, strength, dice) if move.verb not in GO_WITH_CARD]

    return play


def quick(ruleset: str) -> Player:
    def play(views: Sequence[View], dice: Random, state: Any) -> Sequence[GameMove]:
        return bots.choose_quickly(ruleset, views[-1])

    return play
