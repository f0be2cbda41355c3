"""Random plies (SP1) a second through the validating rules API, beside OpenSpiel's spades driven from Python.

A ply is a decision of a player: the legal plays are listed, one is picked, checked and made. ``whole deals`` has the
dealing in the time, as each API does it (a shuffled deck handed in; a card at a time, picked among its chances);
``plays only`` stops the clock for it. Both run in this process, in turns, and only the process's own time counts.
"""

import sys
from collections.abc import Callable
from functools import partial
from random import Random
from time import process_time
from typing import Any

from bench import peers
from bench.beside import HEADINGS, Goal, Measure, in_turns, per_second, row
from bench.mirrored import EVERY_GAMES_LENGTH
from bench.tables import Table
from games.engine import match
from games.engine.cards import DECK_SIZE
from games.engine.game import Setup
from games.rules import RULESETS

SEED = 20261121
ROUNDS = 15
DEALS = 100  # a round
GAMES = [(ruleset, players) for ruleset, rules in RULESETS.items() for players in rules.players]
MEANT = ("tresette", 4)  # the game the goal is about: four seats, tricks, suits to follow, as spades
GOAL = Goal(0.45, later="≥ 0.6")

Deal = Callable[[Random], Any]
Play = Callable[[Any, Random], int]


def run(rounds: int = ROUNDS, deals: int = DEALS) -> Table:
    notes: list[str] = ["A ply: legal plays listed, one picked, checked and made. What is timed: bench/spiel.py."]
    peers_of: dict[bool, Measure | None] = {True: None, False: None}
    try:
        game = _pyspiel().load_game("spades")
    except peers.Unavailable as missing:
        notes.append(str(missing))
    else:
        for whole in peers_of:
            peers_of[whole] = partial(_rate, partial(_deal_spades, game), _play_spades, deals, whole)
    rows, short = [], []
    for ruleset, players in GAMES:
        setup = Setup(ruleset, players, EVERY_GAMES_LENGTH, "free", {}, 0)
        for whole, peer in peers_of.items():
            cells, faults = row(
                f"{ruleset}, {players} seats, {'whole deals' if whole else 'plays only'}",
                in_turns(partial(_rate, partial(_deal_ours, setup), _play_ours, deals, whole), peer, rounds),
                per_second,
                GOAL if whole and (ruleset, players) == MEANT else None,
            )
            rows.append(cells)
            short += faults
    return Table(
        title="SP1: random plies through the rules API, beside OpenSpiel's spades driven from Python",
        headings=HEADINGS,
        rows=rows,
        notes=notes,
        short=short,
    )


def _pyspiel() -> Any:
    folder = str(peers.open_spiel())
    if folder not in sys.path:
        sys.path.append(folder)
    try:
        import pyspiel
    except ImportError as error:
        raise peers.Unavailable(f"OpenSpiel can't be measured: {error}.") from error
    return pyspiel


def _rate(deal: Deal, play: Play, deals: int, whole: bool) -> float:
    """Plies a second over so many deals; the same dice every time."""
    rng = Random(SEED)
    plies, seconds = 0, 0.0
    for _ in range(deals):
        start = process_time()
        state = deal(rng)
        if not whole:
            start = process_time()
        plies += play(state, rng)
        seconds += process_time() - start
    return plies / seconds


def _deal_ours(setup: Setup, rng: Random) -> match.Progress:
    progress = match.start(setup)
    while progress.deal is None:  # void ones are dealt again
        deck = list(range(DECK_SIZE))
        rng.shuffle(deck)
        progress = match.deal(progress, deck)
    return progress


def _play_ours(progress: match.Progress, rng: Random) -> int:
    random, plies = rng.random, 0
    while progress.deal is not None:
        legal = match.legal(progress)
        progress = match.play(progress, legal[int(random() * len(legal))])
        plies += 1
    return plies


def _deal_spades(game: Any, rng: Random) -> Any:
    random, state = rng.random, game.new_initial_state()
    while state.is_chance_node():
        outcomes = state.chance_outcomes()
        state.apply_action(outcomes[int(random() * len(outcomes))][0])
    return state


def _play_spades(state: Any, rng: Random) -> int:
    random, plies = rng.random, 0
    while not state.is_terminal():
        legal = state.legal_actions()
        state.apply_action(legal[int(random() * len(legal))])
        plies += 1
    return plies
