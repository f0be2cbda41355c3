"""Pairing in the lobby (B3, B4): laws that hold for any seeks, a slow second reading of the rule, and small cases."""

import random
from collections.abc import Collection
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.lobby.pairing import (
    HOUSE_SECONDS,
    Pair,
    PlannedTable,
    Seeking,
    admit_each_other,
    pair_seeks,
    plan_house_tables,
)
from tests.support.thorough import tries

NOW = 1000.0
EXAMPLES = tries(30, 5000)


@st.composite
def draw_lobby(draw: st.DrawFn, most: int = 9) -> tuple[list[Seeking], int, set[Pair], set[Pair]]:
    """Draw seeks of one kind, the seats of its tables, who is blocked and who has just met."""
    seats = draw(st.sampled_from((2, 4)))
    bounds = st.none() | st.integers(1300, 1700)
    seeks: list[Seeking] = []
    person = 0
    for key in range(draw(st.integers(0, most))):
        size = draw(st.sampled_from((1, 1, 2))) if seats == 4 else 1
        people = tuple(range(person, person + size))
        person += size
        low, high = draw(bounds), draw(bounds)
        if low is not None and high is not None and low > high:
            low, high = high, low
        level = draw(st.sampled_from((1400.0, 1500.0, 1500.5)) | st.integers(1200, 1800).map(float))
        since = NOW - draw(st.sampled_from((0, 0.4, 3, 10, 40)))
        seeks.append(Seeking(key, people, level, since, low, high, house=draw(st.booleans())))
    pairs = st.sets(st.frozensets(st.integers(0, max(person - 1, 1)), min_size=2, max_size=2), max_size=6)
    return seeks, seats, draw(pairs), draw(pairs)


def list_people(table: PlannedTable) -> list[int]:
    return [person for line in table.lines for person in line]


def measure(seeks: Collection[Seeking]) -> float:
    return sum(abs(a.level - b.level) * len(a.people) * len(b.people) for a, b in combinations(seeks, 2))


def may_sit_together(seeks: Collection[Seeking], avoided: Collection[Pair]) -> bool:
    return all(
        admit_each_other(a, b, NOW) and not any(frozenset((x, y)) in avoided for x in a.people for y in b.people)
        for a, b in combinations(seeks, 2)
    )


def pair_naively(
    seeks: Collection[Seeking], seats: int, blocked: set[Pair], recent: set[Pair]
) -> list[tuple[int, ...]]:
    """Pair by the rule's words alone: every possible table is looked at, again and again."""
    left = sorted(seeks, key=lambda seek: (seek.since, seek.key))
    tables = []
    for avoided in (blocked | recent, blocked):
        while True:
            full = [
                table
                for size in range(2, seats + 1)
                for table in combinations(left, size)
                if sum(len(seek.people) for seek in table) == seats and may_sit_together(table, avoided)
            ]
            if not full:
                break
            best = min(full, key=lambda table: (measure(table), [left.index(seek) for seek in table]))
            tables.append(tuple(seek.key for seek in best))
            left = [seek for seek in left if seek not in best]
    return tables


@pytest.mark.rule("B3")
@settings(max_examples=EXAMPLES, deadline=None)
@given(draw_lobby())
def test_tables_are_those_of_the_rule_read_slowly(lobby: tuple[list[Seeking], int, set[Pair], set[Pair]]) -> None:
    seeks, seats, blocked, recent = lobby
    tables = pair_seeks(seeks, NOW, seats=seats, blocked=blocked, recent=recent)
    assert [table.keys for table in tables] == pair_naively(seeks, seats, blocked, recent)


@pytest.mark.rule("B3")
@settings(max_examples=EXAMPLES, deadline=None)
@given(draw_lobby(most=14), st.randoms(use_true_random=False))
def test_nobody_sits_twice_and_the_order_of_the_seeks_changes_nothing(
    lobby: tuple[list[Seeking], int, set[Pair], set[Pair]], dice: random.Random
) -> None:
    seeks, seats, blocked, recent = lobby
    tables = pair_seeks(seeks, NOW, seats=seats, blocked=blocked, recent=recent)
    seated = [person for table in tables for person in list_people(table)]
    assert len(seated) == len(set(seated)) == seats * len(tables)
    shuffled = dice.sample(seeks, len(seeks))
    assert pair_seeks(shuffled, NOW, seats=seats, blocked=blocked, recent=recent) == tables


@pytest.mark.rule("B3")
@settings(max_examples=EXAMPLES, deadline=None)
@given(draw_lobby(most=14))
def test_ranges_blocks_and_partners_hold_at_every_table(
    lobby: tuple[list[Seeking], int, set[Pair], set[Pair]],
) -> None:
    seeks, seats, blocked, recent = lobby
    by_key = {seek.key: seek for seek in seeks}
    for table in pair_seeks(seeks, NOW, seats=seats, blocked=blocked, recent=recent):
        assert may_sit_together([by_key[key] for key in table.keys], blocked)
        for key in table.keys:
            people = set(by_key[key].people)
            assert any(people <= set(line) for line in table.lines), "partners are one line"
        for first, second in combinations([by_key[key] for key in table.keys], 2):
            longer = int(NOW - min(first.since, second.since))
            assert abs(first.level - second.level) <= 100 + 20 * longer
            assert first.accepts(second.level)
            assert second.accepts(first.level)


@pytest.mark.rule("B3")
@settings(max_examples=EXAMPLES, deadline=None)
@given(st.lists(st.integers(1450, 1550), min_size=4, max_size=4))
def test_four_singles_are_split_so_that_the_sums_are_closest(levels: list[int]) -> None:
    seeks = [Seeking(key, (key,), float(level), NOW - key) for key, level in enumerate(levels)]
    (table,) = pair_seeks(seeks, NOW, seats=4)
    sums = [sum(levels[person] for person in line) for line in table.lines]
    others = [abs(sum(levels[p] for p in (0, other)) * 2 - sum(levels)) for other in (1, 2, 3)]
    assert abs(sums[0] - sums[1]) == min(others)


@pytest.mark.rule("B3")
def test_the_admitted_difference_grows_by_twenty_a_second_of_the_longer_wait() -> None:
    first = Seeking(1, (1,), 1500, since=0)
    for waited, difference in ((0, 100), (0.9, 100), (1, 120), (10, 300)):
        for level, admitted in ((1500 + difference, True), (1500 + difference + 1, False)):
            new = Seeking(2, (2,), level, since=waited)
            assert admit_each_other(first, new, waited) is admit_each_other(new, first, waited) is admitted


@pytest.mark.rule("B3")
def test_of_equal_differences_who_has_waited_longest_sits_down_first() -> None:
    seeks = [Seeking(key, (key,), 1500, since=since) for key, since in ((1, 9.0), (2, 3.0), (3, 5.0))]
    assert [table.keys for table in pair_seeks(seeks, 10.0, seats=2)] == [(2, 3)]


@pytest.mark.rule("B3")
def test_two_who_have_just_met_meet_again_only_where_nobody_else_is_left() -> None:
    old = [Seeking(1, (1,), 1500, since=0), Seeking(2, (2,), 1500, since=0)]
    met = {frozenset((1, 2))}
    assert [table.keys for table in pair_seeks(old, 5, seats=2, recent=met)] == [(1, 2)]
    third = Seeking(3, (3,), 1580, since=4)
    assert [table.keys for table in pair_seeks([*old, third], 5, seats=2, recent=met)] == [(1, 3)]
    assert pair_seeks(old, 5000, seats=2, blocked=met) == [], "however long they wait"


@pytest.mark.rule("B3")
def test_a_hundred_seeks_in_pairs_are_seated_at_once() -> None:
    dice = random.Random(7)
    same = [Seeking(key, (key,), 1500, since=key / 1000) for key in range(100)]
    spread = [Seeking(key, (key,), dice.gauss(1500, 250), since=dice.uniform(0, 60)) for key in range(100)]
    assert len(pair_seeks(same, 60, seats=4)) == 25
    assert len(pair_seeks(spread, 60, seats=4)) >= 20


@pytest.mark.rule("B4")
@settings(max_examples=EXAMPLES, deadline=None)
@given(draw_lobby(most=10))
def test_nobody_sits_with_the_house_who_did_not_choose_it(
    lobby: tuple[list[Seeking], int, set[Pair], set[Pair]],
) -> None:
    seeks, seats, blocked, _recent = lobby
    by_key = {seek.key: seek for seek in seeks}
    tables = plan_house_tables(seeks, NOW, seats=seats, blocked=blocked)
    seated = [key for table in tables for key in table.keys]
    assert len(seated) == len(set(seated))
    assert all(by_key[key].house for key in seated)
    waited = {seek.key for seek in seeks if seek.house and NOW - seek.since >= HOUSE_SECONDS}
    assert waited <= set(seated), "by then everybody who chose it sits"
    for table in tables:
        assert waited & set(table.keys)
        assert may_sit_together([by_key[key] for key in table.keys], blocked)
        assert all(len(line) <= seats // 2 for line in table.lines)
        assert len(list_people(table)) == sum(len(by_key[key].people) for key in table.keys)
