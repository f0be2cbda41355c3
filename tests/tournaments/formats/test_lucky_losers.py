"""Lucky losers of a knockout (EV4), beside a naive twin, at every size."""

from collections.abc import Mapping
from random import Random

import pytest

from bench.walker.twin_ko import check_ko
from tests.support.format_stories import Story, look_at
from tests.support.formats import draw_result
from tests.support.thorough import tries
from tournaments.formats.ko import FORMAT
from tournaments.formats.protocol import Draw, Kind, Plan, Result, Slot

LUCKY: Mapping[str, bool | int] = {"lucky_losers": True}
OPTIONS = [LUCKY, {**LUCKY, "third_place": True}, {**LUCKY, "byes_by_lot": True}]


def list_round(plan: Plan, number: int) -> list[tuple[int | None, int | None]]:
    return [(p.first, p.second) for p in plan.pairings if p.slot.round == number]


def play_first(size: int, margins: Mapping[int, int | None], lot: str = "") -> Plan:
    """Play the first round: the better seed of each board wins by its margin, 9 unless said otherwise; None: the other
    forfeits."""
    draw = Draw(size, LUCKY, lot=lot)
    ready = [p.slot for p in FORMAT.plan(draw, {}).pairings if p.ready]
    return FORMAT.plan(draw, {slot: Result(0, margin=margins.get(slot.board, 9)) for slot in ready if slot.round == 1})


@pytest.mark.rule("EV4")
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "+".join(options))
@pytest.mark.parametrize("size", range(2, 34))
def test_the_twin_agrees_at_every_step_whoever_leaves_or_forfeits(size: int, options: Mapping[str, bool]) -> None:
    for seed in range(tries(2, 12)):
        dice = Random(f"{size} {options} {seed}")
        draw = Draw(size, options, lot=str(seed))
        story = Story(FORMAT, draw, dice)
        for _ in range(6 * size):
            assert not list(check_ko(look_at(story)))
            if story.plan.finished:
                break
            for p in dice.sample(story.open(), 1 if size < 8 else min(3, len(story.open()))):
                story.results[p.slot] = draw_result("ko", dice, 0.05)
            if seed % 2 and dice.random() < 0.1:
                story.leave(dice.randint(1, size))
            story.settle()
        assert story.plan.finished


@pytest.mark.rule("EV4")
def test_everybody_plays_the_first_round_and_one_of_an_odd_number_waits() -> None:
    twelve = FORMAT.plan(Draw(12, LUCKY), {})
    assert sorted(pair for pair in list_round(twelve, 1) if pair[0]) == [
        (1, 12), (2, 11), (3, 10), (4, 9), (5, 8), (6, 7),
    ]  # fmt: skip
    assert [p.kind for p in twelve.pairings if p.slot.round == 1].count(Kind.VOID) == 2
    nine = FORMAT.plan(Draw(9, LUCKY), {})
    assert [p.first for p in nine.pairings if p.kind is Kind.BYE] == [1]


@pytest.mark.rule("EV4")
def test_who_lost_by_least_is_let_in_once_the_round_is_over_and_the_others_share_their_place() -> None:
    order = list_round(FORMAT.plan(Draw(12, LUCKY), {}), 1)
    boards = {pair[0]: board for board, pair in enumerate(order, start=1)}
    plan = play_first(12, {boards[1]: 1, boards[6]: 2})  # 12 lost by 1, 7 by 2
    second = [pair for pair in list_round(plan, 2) if {7, 12} & set(pair)]
    assert sorted(second) == [(1, 7), (2, 12)], "nobody meets at once who beat them"
    ranks = {row.seed: row.rank for row in plan.standings}
    assert [ranks[seed] for seed in (8, 9, 10, 11)] == [9] * 4
    assert (ranks[7], ranks[12]) == (None, None)


@pytest.mark.rule("EV4")
def test_before_the_round_is_over_nobody_who_lost_it_has_a_place() -> None:
    plan = FORMAT.plan(Draw(6, LUCKY), {Slot(1, 1): Result(0, margin=3)})
    assert {row.rank for row in plan.standings} == {None}


@pytest.mark.rule("EV4")
def test_who_forfeited_is_not_let_in_and_the_place_stays_empty_if_there_is_nobody_else() -> None:
    plan = play_first(6, dict.fromkeys(range(1, 5)))
    assert [p.kind for p in plan.pairings if p.slot.round == 2].count(Kind.BYE) == 1
    one = play_first(6, {2: None, 3: None, 4: None})
    assert sum(row.rank == 5 for row in one.standings) == 2


@pytest.mark.rule("EV4", "Q3")
def test_of_those_who_lost_by_as_much_the_lot_chooses() -> None:
    lucky = {
        next(seed for pair in list_round(play_first(6, {}, lot=str(number)), 2) for seed in pair if seed in (4, 5, 6))
        for number in range(20)
    }
    assert lucky == {4, 5, 6}
