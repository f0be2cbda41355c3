"""Danese (D1): neighbours in the standings, no rematch, one bye at most; and its plan is quick."""

from itertools import combinations
from random import Random

import pytest

from tests.support.formats import play_tournament
from tournaments.formats.common.matching import find_cheapest_pairing, find_rounds, pair_neighbours
from tournaments.formats.common.swiss import pair_by_standing, pair_first_round
from tournaments.formats.danese import FORMAT, limit_rounds, propose_rounds
from tournaments.formats.protocol import Draw, Kind, Result, Slot

pytestmark = pytest.mark.rule("D1")

NOBODY: frozenset[frozenset[int]] = frozenset()


@pytest.mark.parametrize(("entries", "rounds"), [(2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (16, 4), (64, 6)])
def test_the_rounds_proposed_are_those_of_a_ko(entries: int, rounds: int) -> None:
    assert propose_rounds(entries) == rounds
    assert len(FORMAT.plan(Draw(entries, {"rounds": 0}), {}).names) == rounds


def test_the_first_round_is_the_top_half_against_the_bottom_half() -> None:
    assert pair_first_round((1, 2, 3, 4, 5, 6, 7, 8)) == ((1, 5), (6, 2), (3, 7), (8, 4))
    assert pair_first_round((1, 2, 3, 4, 5, 6, 7)) == ((1, 4), (5, 2), (3, 6), (7, 0))


def test_then_neighbours_meet_unless_they_have_met() -> None:
    order = (3, 1, 4, 2, 6, 5)
    assert pair_by_standing(order, NOBODY, "lot") == ((3, 1), (4, 2), (6, 5))
    met = frozenset({frozenset((3, 1)), frozenset((4, 2))})
    assert pair_by_standing(order, met, "lot") == ((3, 4), (1, 2), (6, 5))


def test_the_lowest_without_one_has_the_bye() -> None:
    assert pair_by_standing((1, 2, 3, 4, 5), NOBODY, "lot") == ((1, 2), (3, 4), (5, 0))
    assert pair_by_standing((1, 2, 3, 4, 5), frozenset({frozenset((5, 0))}), "lot") in (
        ((1, 2), (3, 5), (4, 0)),
        ((1, 2), (5, 3), (4, 0)),
    )


def test_a_bye_is_worth_what_the_draw_says_from_when_it_is_drawn() -> None:
    draw = Draw(3, {"rounds": 2}, bye=(7, 14))
    best = FORMAT.plan(draw, {}).standings[0]
    assert (best.seed, best.vp, best.mp, best.played) == (3, 14, 7, 0)
    second = [p for p in FORMAT.plan(draw, {Slot(1, 1): Result(0, vp=(20, 0))}).pairings if p.slot.round == 2]
    assert [(p.kind, {p.first, p.second}) for p in second] == [(Kind.MATCH, {1, 3}), (Kind.BYE, {2, None})]
    assert second[1].worth == (7, 14)


@pytest.mark.parametrize("size", [2, 3, 5, 8, 11, 16, 17, 24])
def test_nobody_meets_twice_or_has_two_byes_and_it_ends_where_nobody_new_is_left(size: int) -> None:
    plan, _results = play_tournament(FORMAT, Draw(size, {"rounds": 63}), Random(size), 0.1)
    met = [frozenset((p.first, p.second)) for p in plan.pairings if p.kind is Kind.MATCH]
    byes = [p.first for p in plan.pairings if p.kind is Kind.BYE]
    assert len(set(met)) == len(met)
    assert len(set(byes)) == len(byes)
    played = [row.played + (row.seed in byes) for row in plan.standings]
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


@pytest.mark.parametrize("size", range(2, 13))
def test_every_round_up_to_the_last_there_is_can_be_paired_whatever_the_results(size: int) -> None:
    """Rounds are as many as can be paired without a rematch, and all of them are played (D1)."""
    for seed in range(4):
        draw = Draw(size, {"rounds": 63}, lot=str(seed))
        plan, _results = play_tournament(FORMAT, draw, Random(seed), 0.1)
        assert len(plan.names) == limit_rounds(size) == size - 1 + size % 2
        kinds = [p.kind for p in plan.pairings]
        assert Kind.VOID not in kinds
        assert kinds.count(Kind.MATCH) == size * (size - 1) // 2


def test_with_more_entries_than_are_searched_every_round_is_still_paired() -> None:
    plan, _results = play_tournament(FORMAT, Draw(34, {"rounds": 33}, lot="lot"), Random(1), 0.0)
    assert Kind.VOID not in {p.kind for p in plan.pairings}


def test_rounds_that_are_left_are_found_unless_there_are_none() -> None:
    met = {frozenset(pair) for pair in ((0, 3), (0, 4), (0, 5), (1, 3), (1, 4), (1, 5), (2, 3), (2, 4), (2, 5))}
    assert find_rounds([range(6)], met, "lot") == (), "two triangles are left"
    rounds = find_rounds([range(6)] * 5, frozenset(), "lot")
    assert len({pair for pairs in rounds for pair in pairs}) == 15


@pytest.mark.rule("Q3")
def test_level_entries_stand_in_the_order_of_the_lot_and_not_of_their_seeds() -> None:
    """A lower seed decides neither the bye nor the pairs."""
    byes = set()
    for n in range(20):
        draw = Draw(7, {"rounds": 2}, lot=f"{n:032x}", bye=(0, 10))
        results = {Slot(1, board): Result(None, vp=(10, 10)) for board in (1, 2, 3)}
        plan = FORMAT.plan(draw, results)
        byes |= {p.first for p in plan.pairings if p.slot.round == 2 and p.kind is Kind.BYE}
    assert len(byes) > 3


@pytest.mark.rule("F3")
def test_what_was_drawn_stays_whatever_becomes_of_the_results_before() -> None:
    draw = Draw(9, {"rounds": 3}, lot="lot")
    results = {Slot(1, board): Result(0, vp=(20, 0)) for board in (1, 2, 3, 4)}
    before = FORMAT.plan(draw, results)
    drawn = {p.slot: (p.first, p.second) for p in before.pairings if p.first is not None}
    second = [p for p in before.pairings if p.slot.round == 2]
    turned = results | {Slot(1, board): Result(1, vp=(0, 20)) for board in (1, 2, 3)}
    assert [p for p in FORMAT.plan(draw, turned).pairings if p.slot.round == 2] != second
    after = FORMAT.plan(draw, turned, drawn=drawn)
    assert [p for p in after.pairings if p.slot.round == 2] == second
    assert {row.seed: row.vp for row in after.standings}[5] == 20, "standings follow at once"
    played = turned | {p.slot: Result(0, vp=(20, 0)) for p in second if p.kind is Kind.MATCH}
    replayed = {slot: result for slot, result in played.items() if slot != Slot(1, 1)}
    assert not FORMAT.plan(draw, replayed, drawn=drawn).finished
    assert all(p.first is None for p in FORMAT.plan(draw, replayed, drawn=drawn).pairings if p.slot.round == 3)


def cost(order: list[int], pairs: frozenset[frozenset[int]]) -> int:
    place = {entry: number for number, entry in enumerate(order)}
    return sum((place[a] - place[b]) ** 2 for a, b in map(tuple, pairs))


@pytest.mark.rule("D5")
def test_many_entries_are_paired_by_sections_nearly_as_well_as_all_at_once() -> None:
    """Pairs are new and complete, and the sum of squares is within a hundredth of the least (D5, D1)."""
    least = by_sections = 0
    for seed in range(30):
        dice = Random(seed)
        size = dice.choice((26, 30, 36, 40))
        order = dice.sample(range(size), size)
        met: set[frozenset[int]] = set()
        for _round in range(dice.randrange(1, 7)):
            before = sorted(order, key=lambda entry: order.index(entry) + dice.randrange(6))
            met |= {frozenset(before[i : i + 2]) for i in range(0, size, 2)}
        exact, pairs = pair_neighbours(order, met, "lot"), pair_neighbours(order, met, "lot", exact=24)
        assert exact is not None
        assert pairs is not None
        assert not pairs & met
        assert sorted(entry for pair in pairs for entry in pair) == sorted(order)
        least, by_sections = least + cost(order, exact), by_sections + cost(order, pairs)
        assert cost(order, pairs) >= cost(order, exact)
    assert by_sections <= least * 1.01


@pytest.mark.rule("D5")
@pytest.mark.parametrize("seed", range(25))
def test_by_sections_everybody_is_paired_wherever_they_can_be(seed: int) -> None:
    """Forbidden pairs are many, above all among the last, where only entries far above are left for them."""
    dice = Random(seed)
    size = dice.choice((8, 10, 12, 14))
    order = list(range(size))
    met = {frozenset(pair) for pair in combinations(order[size - dice.randrange(2, size // 2 + 1) :], 2)}
    met |= {frozenset(pair) for pair in combinations(order, 2) if dice.random() < 0.35}
    costs = {(a, b): (a - b) ** 2 for a, b in combinations(order, 2) if frozenset((a, b)) not in met}
    pairs = pair_neighbours(order, met, "lot", exact=4, section=4)
    assert (pairs is None) == (find_cheapest_pairing(order, costs, "lot") is None)
    if pairs is not None:
        assert not pairs & met
        assert sorted(entry for pair in pairs for entry in pair) == order


@pytest.mark.rule("D5")
def test_a_round_of_a_large_field_has_everybody_once() -> None:
    size = 301
    draw = Draw(size, {"rounds": 3}, lot="lot")
    results = {Slot(1, b): Result(b % 2, vp=((20, 0), (0, 20))[b % 2]) for b in range(1, size // 2 + 1)}
    plan = FORMAT.plan(draw, results)
    second = [p for p in plan.pairings if p.slot.round == 2]
    assert sorted(entry for p in second for entry in (p.first, p.second) if entry) == list(range(1, size + 1))
    met = [frozenset((p.first, p.second)) for p in plan.pairings if p.slot.round < 3]
    assert len(set(met)) == len(met)
    won = {row.seed: row.won for row in plan.standings}
    assert sum(won[p.first or 0] != won[p.second or 0] for p in second if p.second) <= 1, "winners meet winners"


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
        pairing = find_cheapest_pairing(range(size), costs, "lot")
        if pairing is None:
            assert not ways
        else:
            assert sum(costs[min(p), max(p)] for p in pairing) == min(ways)
