"""Deck that every table of a story is dealt, and whole deals of Scopa played with it that end as the story needs.

The engine finds them; nobody at a table sees more than their own view. All deals come from the one deck, so that moves
told in advance are possible: they depend only on who dealt.
"""

from collections.abc import Callable
from functools import cache
from random import Random

from games import bots
from games.engine import match
from games.engine.game import GameMove, Length, Points, Setup
from games.engine.match import Progress
from games.engine.record import write_move

SEEDS = range(1000)
TRIES = 2000
Choice = Callable[[Progress], GameMove]


def _setup(dealer: int) -> Setup:
    return Setup("scopa", 2, Length("deals", 1), "free", {}, dealer)


def _deal(deck: list[int], dealer: int, choose: Choice) -> tuple[Points, list[str]]:
    """Return a deal's points, and its moves without their seats, in playing order."""
    progress = match.deal(match.start(_setup(dealer)), deck)
    moves: list[str] = []
    while progress.deal is not None:
        move = choose(progress)
        moves.append(write_move(move).partition(" ")[2])
        progress = match.play(progress, move)
    return progress.score, moves


def _house(progress: Progress) -> GameMove:
    return bots.choose_quickly("scopa", match.view(progress, match.turn(progress)))[-1]


@cache
def stacked_deck() -> tuple[int, ...]:
    """A deck with which two house players never end level, whoever deals, and that gives no void deal."""
    for seed in SEEDS:
        deck = list(range(40))
        Random(seed).shuffle(deck)
        if match.deal(match.start(_setup(0)), deck).needs_deck:
            continue
        if all(score[0] != score[1] for score, _ in (_deal(deck, dealer, _house) for dealer in (0, 1))):
            return tuple(deck)
    raise AssertionError("no such deck")


@cache
def scopa_deal(dealer: int, *, level: bool) -> tuple[str, ...]:
    """The moves of a deal dealt by ``dealer`` from the stacked deck that ends level, or that seat 0 wins."""
    deck = list(stacked_deck())
    rng = Random(dealer)
    for _ in range(TRIES):
        score, moves = _deal(deck, dealer, lambda progress: rng.choice(match.legal(progress)))
        if score[0] == score[1] if level else score[0] > score[1]:
            return tuple(moves)
    raise AssertionError("no such deal")
