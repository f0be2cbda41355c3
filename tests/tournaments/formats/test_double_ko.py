"""Double knockout (EV4): who comes where, who is out, and where everybody ends up, beside a naive twin."""

from collections import Counter
from collections.abc import Mapping
from random import Random

import pytest

from bench.double_ko import count_rematches
from bench.walker.twin_double_ko import check_double_ko
from tests.support.format_stories import Story, look_at
from tests.support.thorough import tries
from tournaments.formats.doppio import DECIDER, FINAL, FORMAT, order_dropped
from tournaments.formats.protocol import Draw, Kind, Pairing, Plan, Result, Slot

OPTIONS: list[Mapping[str, bool | int]] = [
    {},
    {"no_decider": True},
    {"byes_by_lot": True},
    {"no_decider": True, "byes_by_lot": True},
]
CASES = pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "+".join(options) or "plain")


def find(plan: Plan, name: str, board: int = 1) -> Pairing:
    slot = Slot(plan.names.index(name) + 1, board)
    return next(pairing for pairing in plan.pairings if pairing.slot == slot)


def play(size: int, winner: Mapping[tuple[str, int], int | None], *, decider: bool = True) -> Plan:
    """Play all that can be, the lower seed winning unless said otherwise by round and board; None: both forfeit."""
    draw = Draw(size, {"no_decider": not decider})
    results: dict[Slot, Result] = {}
    while True:
        plan = FORMAT.plan(draw, results)
        ready = [p for p in plan.pairings if p.ready and p.slot not in results]
        if not ready:
            return plan
        for p in ready:
            best = int((p.first or 0) > (p.second or 0))
            said = winner.get((plan.names[p.slot.round - 1], p.slot.board), best)
            results[p.slot] = Result(said, said is None)


def list_ranks(plan: Plan) -> list[tuple[int, int | None]]:
    return [(row.seed, row.rank) for row in plan.standings]


@pytest.mark.rule("EV4")
@CASES
@pytest.mark.parametrize("size", range(3, 34))
def test_the_twin_agrees_at_every_step_whoever_leaves_or_forfeits(size: int, options: Mapping[str, bool]) -> None:
    for seed in range(tries(2, 12)):
        dice = Random(f"{size} {options} {seed}")
        draw = Draw(size, options, lot=str(seed))
        story = Story(FORMAT, draw, dice)
        going = (0.0, 0.15)[seed % 2] if seed < 10 else 0.9
        for _ in range(6 * size):
            assert not list(check_double_ko(look_at(story)))
            if story.plan.finished:
                break
            story.play(1 if size < 8 else dice.randint(1, 4))
            if dice.random() < going:
                story.leave(dice.randint(1, size))
            story.settle()
        assert story.plan.finished


@pytest.mark.rule("EV4")
@pytest.mark.parametrize("size", [*range(3, 34), 63, 64, 65, 100, 128])
def test_before_a_single_final_2n_less_3_are_played(size: int) -> None:
    plan = play(size, {}, decider=False)
    assert sum(p.kind is Kind.MATCH for p in plan.pairings) == 2 * size - 3 + 1


@pytest.mark.rule("EV4")
def test_places_are_counted_from_the_last_lower_round_up() -> None:
    assert [rank for _seed, rank in list_ranks(play(9, {}))] == [1, 2, 3, 4, 5, 5, 7, 7, 9]
    assert [rank for _seed, rank in list_ranks(play(3, {}))] == [1, 2, 3]


@pytest.mark.rule("EV4")
def test_a_place_is_known_as_soon_as_nobody_else_can_be_beaten_there() -> None:
    draw = Draw(8)
    results = {Slot(1, board): Result(0) for board in range(1, 5)}  # 1 4 2 3 win
    results[Slot(3, 1)] = Result(0)  # below, 8 beats 5
    plan = FORMAT.plan(draw, results)
    assert plan.names[2] == "lower_1"
    assert list_ranks(plan)[-1] == (5, None), "who is beaten beside may be none, or two"
    results[Slot(3, 2)] = Result(0)
    assert list_ranks(FORMAT.plan(draw, results))[-2:] == [(5, 7), (6, 7)]


@pytest.mark.rule("EV4")
def test_the_losers_of_a_round_come_in_an_order_of_period_four() -> None:
    four = [1, 2, 3, 4]
    assert [order_dropped(four, number) for number in range(2, 8)] == [
        [4, 3, 2, 1], [2, 1, 4, 3], [3, 4, 1, 2], [1, 2, 3, 4], [4, 3, 2, 1], [2, 1, 4, 3],
    ]  # fmt: skip
    assert [order_dropped([7], number) for number in range(2, 6)] == [[7]] * 4


@pytest.mark.rule("EV4")
def test_who_wins_below_has_to_win_twice_unless_the_decider_is_switched_off() -> None:
    twice = play(4, {(FINAL, 1): 1, (DECIDER, 1): 0})
    assert (find(twice, FINAL)[1:3], find(twice, DECIDER)[1:3]) == ((1, 2), (2, 1)), "the seats are exchanged"
    assert list_ranks(twice)[:2] == [(2, 1), (1, 2)]
    assert list_ranks(play(4, {(FINAL, 1): 1, (DECIDER, 1): 1}))[:2] == [(1, 1), (2, 2)]
    assert find(play(4, {}), DECIDER).kind is Kind.VOID
    once = play(4, {(FINAL, 1): 1}, decider=False)
    assert (once.names[-1], list_ranks(once)[:2]) == (FINAL, [(2, 1), (1, 2)])


@pytest.mark.rule("EV4", "K5")
@pytest.mark.parametrize(
    ("winner", "first"),
    [
        ({("upper_1", 1): None}, [(2, 1), (3, 2), (1, 3), (4, 3)]),  # above it puts both out, with those beaten below
        ({("upper_final", 1): None}, [(3, 1), (1, 2), (2, 2), (4, 4)]),  # three is alone below, and in the final
        ({("lower_final", 1): None}, [(1, 1), (2, 2), (3, 2), (4, 4)]),  # who is alone in the final wins
        ({(FINAL, 1): None}, [(1, 2), (2, 2), (3, 3), (4, 4)]),
        ({(FINAL, 1): 1, (DECIDER, 1): None}, [(1, 2), (2, 2), (3, 3), (4, 4)]),
        ({("upper_1", 1): None, ("upper_1", 2): None}, [(1, 2), (2, 2), (3, 2), (4, 2)]),  # nobody comes to the final
    ],
)
def test_where_both_forfeit_both_are_out_and_nobody_takes_the_place(
    winner: Mapping[tuple[str, int], int | None], first: list[tuple[int, int]]
) -> None:
    plan = play(4, winner)
    assert plan.finished
    assert list_ranks(plan) == first


@pytest.mark.rule("EV4")
def test_who_leaves_above_forfeits_below_too() -> None:
    story = Story(FORMAT, Draw(8), Random(1))
    story.leave(1)
    story.settle()
    assert find(story.plan, "upper_2").first == 8
    lost = [p.slot for p in story.plan.pairings if 1 in (p.first, p.second) and p.slot in story.results]
    assert len(lost) == 1, "below, its opponent isn't known yet"
    story.play(9)
    story.settle()
    lost = [p.slot for p in story.plan.pairings if 1 in (p.first, p.second) and p.slot in story.results]
    assert [story.plan.names[slot.round - 1] for slot in lost] == ["upper_1", "lower_1"]


@pytest.mark.rule("EV4")
def test_the_losers_of_the_first_round_have_no_round_of_their_own_where_no_two_can_meet() -> None:
    assert FORMAT.plan(Draw(9), {}).names[1:5] == ("upper_2", "lower_1", "upper_3", "lower_2")
    assert FORMAT.plan(Draw(13), {}).names[1:5] == ("upper_2", "lower_1", "lower_2", "upper_3")
    for size in range(3, 34):
        for seed in range(3):
            plan = FORMAT.plan(Draw(size, {"byes_by_lot": True}, lot=str(seed)), {})
            played = Counter(p.slot.round for p in plan.pairings if p.kind is Kind.MATCH)
            assert all(played[number] for number in range(1, len(plan.names) + 1))
            assert FORMAT.list_origins(plan.names).keys() == {p.slot for p in plan.pairings}


@pytest.mark.rule("EV4")
@pytest.mark.parametrize(("size", "none_before"), [(8, 2), (16, 3), (32, 3), (64, 4), (128, 5)])
def test_nobody_meets_again_before_the_losers_of_a_late_round_have_come_in(size: int, none_before: int) -> None:
    counted = count_rematches(size, tries(3, 300))
    assert counted.first_drop is None or counted.first_drop >= none_before
    assert counted.mean < 2
