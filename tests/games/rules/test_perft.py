"""Exhaustive counts of moves from given positions, as data, against the naive games and against the product.

Each position of ``perft/*.perft`` has a deck, the moves made so far, and for each depth the number of ways to go on;
where they matter also options, the length and the score of earlier deals. When a count is wrong the numbers are printed
by first move, the product's beside the naive ones, so that the fault can be bisected.
"""

import json
from pathlib import Path
from typing import NamedTuple

import pytest

from games.engine import match
from games.engine.game import Length, Setup
from games.engine.match import Progress
from games.engine.record import parse_deck, parse_move, write_move
from games.rules import RULESETS
from tests.games import naive, naive_replay
from tests.support.thorough import tries

FOLDERS = (Path(__file__).parent / "perft", Path(__file__).parent.parent / "trionfo")
pytestmark = pytest.mark.usefixtures("trionfo")
MOST_FOR_THE_NAIVE = tries(500, 1_000)
MOST = tries(6_000, 1_000_000)  # ways to go on at the depth that is counted last


class Position(NamedTuple):
    name: str
    ruleset: str
    players: int
    dealer: int
    deck: str
    options: dict[str, object]
    length: Length
    score: tuple[int, int]
    moves: list[str]
    counts: dict[int, int]


def positions() -> list[Position]:
    rows = []
    for path in [path for folder in FOLDERS for path in sorted(folder.glob("*.perft"))]:
        for block in path.read_text().split("\n\n"):
            lines = [line.split(" ", 1) for line in block.splitlines() if line and not line.startswith("#")]
            if not lines:
                continue
            fields = dict(line for line in lines if line[0] != "perft")
            counts = dict(tuple(map(int, line[1].split())) for line in lines if line[0] == "perft")
            moves = [move for move in fields.get("moves", "").split(", ") if move]
            kind, amount = fields.get("length", "deals 1").split()
            rows.append(
                Position(
                    name=fields["id"],
                    ruleset=path.stem,
                    players=int(fields["players"]),
                    dealer=int(fields["dealer"]),
                    deck=fields["deck"],
                    options=json.loads(fields.get("options", "{}")),
                    length=Length(kind, int(amount)),
                    score=tuple(map(int, fields.get("score", "0 0").split())),
                    moves=moves,
                    counts=counts,
                )
            )
    return rows


POSITIONS = positions()


def progress_of(position: Position) -> Progress:
    made = (position.ruleset, position.players, position.length, "free", position.options, position.dealer)
    progress = match.start(Setup(*made))._replace(score=position.score)
    progress = match.deal(progress, parse_deck(position.deck))
    for text in position.moves:
        progress = match.play(progress, parse_move(text))
    return progress


def naive_game(position: Position):
    target = position.length.value if position.length.kind == "points" else None
    dealt = (position.players, position.dealer, position.deck.split(), position.options, position.score, target)
    game = naive.GAMES[position.ruleset](*dealt)
    for text in position.moves:
        naive.do(game, text)
    return game


def ways(progress: Progress, depth: int) -> int:
    if depth == 0:
        return 1
    if depth == 1:
        return len(match.legal(progress))
    return sum(ways(match.play(progress, move), depth - 1) for move in match.legal(progress))


def split(progress: Progress, depth: int) -> dict[str, int]:
    return {write_move(move): ways(match.play(progress, move), depth - 1) for move in match.legal(progress)}


def naive_split(position: Position, depth: int) -> dict[str, int]:
    return naive.split_by_move(naive_game(position), depth)


def compared(ours: dict[str, int], theirs: dict[str, int]) -> str:
    rows = [f"{move}: {ours.get(move)} naive {theirs.get(move)}" for move in sorted({*ours, *theirs})]
    return "\n".join(row for row in rows if row.split(": ")[1].split(" naive ")[0] != row.split(" naive ")[1])


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.name)
def test_the_number_of_ways_to_go_on_is_the_one_on_file(position):
    progress = progress_of(position)
    depths = [depth for depth, count in position.counts.items() if count <= MOST]
    for depth in depths[-tries(3, len(depths)) :]:
        ours, count = split(progress, depth), position.counts[depth]
        assert sum(ours.values()) == count, compared(ours, naive_split(position, depth))


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.name)
def test_the_naive_games_count_the_same_play_by_play(position):
    progress = progress_of(position)
    depths = [depth for depth, count in position.counts.items() if count <= MOST_FOR_THE_NAIVE]
    assert depths
    for depth in depths[-tries(3, len(depths)) :]:
        ours, theirs = split(progress, depth), naive_split(position, depth)
        assert ours == theirs, compared(ours, theirs)


def test_every_ruleset_on_offer_has_positions_for_each_number_of_players_and_value_of_an_option_that_adds_moves():
    tables = {(position.ruleset, position.players) for position in POSITIONS}
    assert tables == {(ruleset.id, players) for ruleset in RULESETS.values() for players in ruleset.players}
    counted = {
        (position.ruleset, name, value) for position in POSITIONS for name, value in position.options.items() if value
    }
    shown_only = {"carte_viste", "carte_scoperte", "mostra_compagno", "cappotto", "ko_tie"}
    for ruleset, options in naive_replay.OPTIONS.items():
        for name, (default, *others) in options.items():
            if name not in shown_only:
                assert {(ruleset, name, value) for value in others if value != default} <= counted
