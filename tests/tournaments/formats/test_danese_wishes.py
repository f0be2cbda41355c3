"""Danese: forbidden pairs (D4), byes asked for, absences and rounds missed by whoever came later (D2, D3)."""

from itertools import combinations
from random import Random

import pytest

from tests.support.formats import play_tournament
from tournaments.formats.common.swiss import BYE, pair_by_standing, pair_first_round
from tournaments.formats.danese import FORMAT
from tournaments.formats.protocol import Draw, Kind, Plan, Result, Slot

ASKED = (0, 10)


def ban(*pairs: tuple[int, int]) -> frozenset[frozenset[int]]:
    return frozenset(map(frozenset, pairs))


def list_round(plan: Plan, number: int) -> list[tuple[int | None, int | None]]:
    return [(p.first, p.second) for p in plan.pairings if p.slot.round == number and p.first is not None]


def win_all(plan: Plan, number: int) -> dict[Slot, Result]:
    """The first of each board of a round wins."""
    played = (p for p in plan.pairings if p.slot.round == number and p.kind is Kind.MATCH and p.first is not None)
    return {p.slot: Result(0, vp=(15, 5), mp=(3, -3)) for p in played}


@pytest.mark.rule("D4")
def test_in_the_first_round_a_forbidden_pair_is_parted_and_the_rest_stays() -> None:
    plain = pair_first_round(tuple(range(1, 41)))
    parted = pair_first_round(tuple(range(1, 41)), "lot", ban((3, 23)))
    assert plain is not None
    assert parted is not None
    assert all(frozenset(pair) != {3, 23} for pair in parted)
    moved = {frozenset(pair) for pair in plain} ^ {frozenset(pair) for pair in parted}
    assert len(moved) == 4, "with one other board"
    assert pair_first_round((1, 2, 3), "lot", ban((1, 2), (3, BYE))) == ((3, 2), (1, BYE))


@pytest.mark.rule("D4")
@pytest.mark.parametrize("size", range(4, 20))
def test_whatever_is_forbidden_no_such_pair_is_made_while_there_is_another_way(size: int) -> None:
    dice = Random(size)
    every = list(combinations(range(1, size + 1), 2))
    for _ in range(10):
        banned = tuple(dice.sample(every, size // 2))
        pairs = pair_first_round(tuple(range(1, size + 1)), "lot", ban(*banned))
        if pairs is not None:
            assert not ban(*pairs) & ban(*banned)
            assert sorted(e for pair in pairs for e in pair if e) == list(range(1, size + 1))
        plan, _results = play_tournament(FORMAT, Draw(size, {"rounds": 2}, lot="x", banned=banned), dice, 0.0)
        if not plan.lifted:
            met = ban(*[(p.first, p.second) for p in plan.pairings if p.first and p.second])
            assert not met & ban(*banned)


@pytest.mark.rule("D4")
def test_forbidden_pairs_outrank_the_standings_but_never_a_rematch() -> None:
    order, met = (1, 2, 3, 4), ban((1, 3), (2, 4))
    assert pair_by_standing(order, met, "lot", (), ban((1, 2))) == ((1, 4), (2, 3))
    assert pair_by_standing(order, met, "lot", (), ban((1, 2), (1, 4))) is None


@pytest.mark.rule("D4")
def test_where_rounds_publish_themselves_bans_are_lifted_in_the_order_they_were_made() -> None:
    banned = ((1, 2), (1, 3), (1, 4))
    plan = FORMAT.plan(Draw(4, {"rounds": 3}, lot="x", banned=banned), {})
    assert plan.lifted == ((1, 2),)
    assert {1, 2} in [{*pair} for pair in list_round(plan, 1)]


@pytest.mark.rule("D4")
def test_with_an_organiser_nothing_is_drawn_and_the_plan_says_which_ban_is_in_the_way() -> None:
    banned = ((3, 4), (1, 2), (1, 3), (1, 4))
    plan = FORMAT.plan(Draw(4, {"rounds": 3}, lot="x", published=1, banned=banned), {})
    assert list_round(plan, 1) == []
    assert not plan.finished
    assert plan.lifted == ((1, 3),), "the first that helps alone: without (1, 2), 3 and 4 would meet"
    assert list_round(FORMAT.plan(Draw(4, {"rounds": 3}, lot="x", published=1, banned=banned[:2]), {}), 1)


@pytest.mark.rule("D3")
def test_who_asked_for_a_bye_is_not_paired_and_it_uses_up_no_other_bye() -> None:
    draw = Draw(5, {"rounds": 3}, lot="x", bye=(7, 14), byes={2: {1: ASKED}})
    first = FORMAT.plan(draw, {})
    results = win_all(first, 1)
    second = FORMAT.plan(draw, results)
    pairs = list_round(second, 2)
    assert (1, None) in pairs
    assert len(pairs) == 3, "the other four meet"
    worth = {p.first: p.worth for p in second.pairings if p.slot.round == 2 and p.kind is Kind.BYE}
    assert worth == {1: ASKED}
    before, after = ({row.seed: row.vp for row in plan.standings} for plan in (first, second))
    assert after[1] - before[1] in (10 + 15, 10 + 5)


@pytest.mark.rule("D3")
def test_more_byes_than_boards_have_boards_of_their_own() -> None:
    draw = Draw(8, {"rounds": 3}, lot="x", bye=(7, 14), byes={1: dict.fromkeys((1, 2, 3, 4, 5), ASKED)})
    plan = FORMAT.plan(draw, {})
    assert len(list_round(plan, 1)) == 7
    assert sorted(p.worth for p in plan.pairings if p.worth) == [ASKED] * 5 + [(7, 14)]
    drawn = {p.slot: (p.first, p.second) for p in plan.pairings if p.first is not None}
    assert FORMAT.plan(draw, {}, {}, drawn) == plan  # type: ignore[arg-type]


@pytest.mark.rule("D2")
def test_who_comes_later_has_what_missed_rounds_give_and_is_drawn_from_then_on() -> None:
    before = FORMAT.plan(Draw(4, {"rounds": 3}, lot="x"), {})
    results = win_all(before, 1)
    drawn = {p.slot: (p.first, p.second) for p in before.pairings if p.first is not None}
    late = Draw(5, {"rounds": 3}, lot="x", bye=(7, 14), byes={1: {5: ASKED}})
    plan = FORMAT.plan(late, results, {}, {**drawn, Slot(1, 3): (5, None)})  # type: ignore[arg-type]
    assert [p.worth for p in plan.pairings if p.slot == Slot(1, 3)] == [ASKED]
    assert len(list_round(plan, 2)) == 3
    assert {5} <= {e for pair in list_round(plan, 2) for e in pair}
