"""Walks of fixed seeds through tournaments (H11): each act is done or refused by name, and each can be ended.

``python -m bench.walker --seed N-n`` takes one again by itself, and says what was done in it.
"""

from collections import Counter

import pytest

from bench.walker import modes
from bench.walker.fields import walk_field
from bench.walker.modes import Pair, choose_rare_seed, list_possible_pairs, print_table
from bench.walker.walk import shorten, take_walk
from bench.walker.world import World, make_world
from tests.support.arrangements import arrange_once
from tests.support.thorough import tries

pytestmark = pytest.mark.django_db

WALKS = tries(16, 600)
# Where short walks seldom come: fields in which somebody leaves a danese, and brackets with both of their last matches.
ASKED = ("format=danese,size=5,leaving=yes", "format=ko third,size=4")
SEEDS = [f"q-{number}" + (f"@{ASKED[number // 8 % 2]}" if number % 8 == 7 else "") for number in range(WALKS)]
# A round of equal deals that everybody was shown, and of which a result is taken back: it stays in the standings (J12).
SEEDS.append("5-9@ties=order,format=danese whole,byes=yes,late=yes")
PARTS, VISITS = 4, 5  # of the soak, which run side by side: each visits every pair of modes so often


@arrange_once
def world(db: None) -> World:
    return make_world()


def take(world: World, seed: str, *, careful: bool = False) -> modes.Modes:
    """Take a walk; fail with its acts, made short, if something is wrong."""
    outcome = take_walk(world, seed, careful=careful)
    if outcome.fault:
        pytest.fail(str(shorten(world, outcome)), pytrace=False)
    return outcome.modes


@pytest.mark.parametrize("seed", SEEDS)
def test_every_act_of_a_tournament_is_done_or_refused_and_it_can_be_ended_h11(world: World, seed: str) -> None:
    take(world, seed)


@pytest.mark.rule("D1")
def test_a_danese_is_drawn_so_that_its_last_round_can_be_h11() -> None:
    assert not list(filter(None, (walk_field(f"f-{number}") for number in range(tries(30, 3_000)))))


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
def test_walks_visit_every_pair_of_modes_h11(world: World, part: int, capsys: pytest.CaptureFixture[str]) -> None:
    visited: Counter[Pair] = Counter()
    number = 0
    while min(visited[pair] for pair in list_possible_pairs()) < VISITS:
        number += 1
        seed = choose_rare_seed(f"soak-{part}-{number}", visited)
        visited.update(take(world, seed, careful=True).list_pairs())
    with capsys.disabled():
        print(print_table(visited))  # noqa: T201 the table of pairs is the soak's answer
