"""Danese (D1): neighbours in the standings, no rematch, one bye at most; and its plan is quick."""

from itertools import combinations
from random import Random

import pytest

from tests.tournaments.formats.test_laws import play_out
from tournaments.formats.danese import FORMAT, first_pairs, pairs_by_standing, proposed_rounds
from tournaments.matching import cheapest
from tournaments.pairing import Draw, Kind, Result, Slot

pytestmark = pytest.mark.rule("D1")

NOBODY: frozenset[frozenset[int]] = frozenset()


@pytest.mark.parametrize(("lines", "rounds"), [(2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (16, 4), (64, 6)])
def test_the_rounds_proposed_are_those_of_a_ko(lines: int, rounds: int) -> None:
    assert proposed_rounds(lines) == rounds
    assert len(FORMAT.plan(Draw(lines, {"rounds": 0}), {}).names) == rounds


def test_the_first_round_is_the_top_half_against_the_bottom_half() -> None:
    assert first_pairs(range(1, 9)) == ((1, 5), (6, 2), (3, 7), (8, 4))
    assert first_pairs(range(1, 8)) == ((1, 4), (5, 2), (3, 6), (7, 0))


def test_then_neighbours_meet_unless_they_have_met() -> None:
    order = (3, 1, 4, 2, 6, 5)
    assert pairs_by_standing(order, NOBODY, "lot") == ((3, 1), (4, 2), (6, 5))
    met = frozenset({frozenset((3, 1)), frozenset((4, 2))})
    assert pairs_by_standing(order, met, "lot") == ((3, 4), (1, 2), (6, 5))


def test_the_lowest_without_one_has_the_bye() -> None:
    assert pairs_by_standing((1, 2, 3, 4, 5), NOBODY, "lot") == ((1, 2), (3, 4), (5, 0))
    assert pairs_by_standing((1, 2, 3, 4, 5), frozenset({frozenset((5, 0))}), "lot") in (
        ((1, 2), (3, 5), (4, 0)),
        ((1, 2), (5, 3), (4, 0)),
    )


def test_a_bye_is_worth_what_the_draw_says_from_when_it_is_drawn() -> None:
    draw = Draw(3, {"rounds": 2}, bye=(7, 14))
    best = FORMAT.plan(draw, {}).standings[0]
    assert (best.line, best.vp, best.mp, best.played) == (3, 14, 7, 0)
    second = [p for p in FORMAT.plan(draw, {Slot(1, 1): Result(0, vp=(20, 0))}).pairings if p.slot.round == 2]
    assert [(p.kind, {p.first, p.second}) for p in second] == [(Kind.MATCH, {1, 3}), (Kind.BYE, {2, None})]
    assert second[1].worth == (7, 14)


@pytest.mark.parametrize("size", [2, 3, 5, 8, 11, 16, 17, 24])
def test_nobody_meets_twice_or_has_two_byes_and_it_ends_early_where_nobody_new_is_left(size: int) -> None:
    plan, _results = play_out(FORMAT, Draw(size, {"rounds": 63}), Random(size), 0.1)
    met = [frozenset((p.first, p.second)) for p in plan.pairings if p.kind is Kind.MATCH]
    byes = [p.first for p in plan.pairings if p.kind is Kind.BYE]
    assert len(set(met)) == len(met)
    assert len(set(byes)) == len(byes)
    played = [row.played + (row.line in byes) for row in plan.standings]
    assert min(played) == max(played), "every round is played by everybody or by nobody"
    assert plan.finished


def test_who_left_is_drawn_no_more_and_what_was_drawn_stays() -> None:
    draw = Draw(6, {"rounds": 3})
    results = {Slot(1, board): Result(0, vp=(14, 6)) for board in (1, 2, 3)}
    before = FORMAT.plan(draw, results)
    second = [p for p in before.pairings if p.slot.round == 2]
    assert [p for p in FORMAT.plan(draw, results, {4: 2}).pairings if p.slot.round == 2] == second
    after = [p for p in FORMAT.plan(draw, results, {4: 1}).pairings if p.slot.round == 2]
    assert 4 not in {side for p in after for side in (p.first, p.second)}
    assert [p.kind for p in after] == [Kind.MATCH, Kind.MATCH, Kind.BYE]
    alone = FORMAT.plan(draw, results, dict.fromkeys(range(1, 6), 1))
    assert alone.finished
    assert {p.kind for p in alone.pairings if p.slot.round > 1} == {Kind.VOID}


@pytest.mark.parametrize("size", [4, 6, 8])
def test_the_matching_is_the_cheapest_there_is(size: int) -> None:
    def every(numbers: tuple[int, ...]) -> list[list[tuple[int, int]]]:
        if not numbers:
            return [[]]
        first, rest = numbers[0], numbers[1:]
        return [[(first, b), *more] for b in rest for more in every(tuple(x for x in rest if x != b))]

    for seed in range(20):
        dice = Random(seed)
        costs = {pair: dice.randrange(100) for pair in combinations(range(size), 2) if dice.random() < 0.8}
        ways = [sum(costs[p] for p in way) for way in every(tuple(range(size))) if all(p in costs for p in way)]
        found = cheapest(range(size), costs, "lot")
        if found is None:
            assert not ways
        else:
            assert sum(costs[min(p), max(p)] for p in found) == min(ways)
