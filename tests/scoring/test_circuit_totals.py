"""Totals and ranks of a circuit (Y3): examples by hand, and laws that hold whatever was played."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.circuit_totals import TotalReason, choose_counted, rank_totals, share_place_points
from tests.support.thorough import tries

LAW = settings(max_examples=tries(20, 2_000), deadline=None)
CIRCUITS = st.integers(1, 5).flatmap(
    lambda size: st.dictionaries(
        st.integers(1, 9),
        st.lists(st.none() | st.integers(-2, 6), min_size=size, max_size=size),
        min_size=1,
        max_size=6,
    )
)
BEST = st.none() | st.integers(1, 6)


@pytest.mark.rule("Y3")
def test_the_best_two_of_three_count_and_what_is_missing_is_nothing() -> None:
    rows = rank_totals({"Anna": (100, 20, 47), "Bruno": (67, None, None), "Carla": (None, 100, 67)}, 2)
    assert [(row.key, row.rank, row.total, row.counted) for row in rows] == [
        ("Carla", 1, 167, (1, 2)),
        ("Anna", 2, 147, (0, 2)),
        ("Bruno", 3, 67, (0,)),
    ]
    assert all(row.separation is None for row in rows), "their totals are different"


@pytest.mark.rule("Y3")
def test_at_the_same_total_the_best_single_result_comes_first_then_the_next_best() -> None:
    rows = rank_totals({"Anna": (50, 30, 20), "Bruno": (40, 60, None), "Carla": (50, 25, 25)}, None)
    assert [row.key for row in rows] == ["Bruno", "Anna", "Carla"]
    assert rows[0].separation == TotalReason("single", 1, 60, 50)
    assert rows[1].separation == TotalReason("single", 2, 30, 25)


@pytest.mark.rule("Y3")
def test_a_result_that_does_not_count_breaks_no_tie() -> None:
    rows = rank_totals({"Anna": (50, 30, 29), "Bruno": (50, 30, None)}, 2)
    assert [row.rank for row in rows] == [1, 1]
    assert rows[0].separation == TotalReason("level")


@pytest.mark.rule("Y3")
def test_with_the_same_results_who_reached_the_total_in_the_earlier_tournament_comes_first() -> None:
    rows = rank_totals({"Anna": (None, 30, 50), "Bruno": (50, 30, None)}, 2)
    assert [(row.key, row.rank, row.reached) for row in rows] == [("Bruno", 1, 1), ("Anna", 2, 2)]
    assert rows[0].separation == TotalReason("earlier", 0, 1, 2)


@pytest.mark.rule("Y3")
def test_who_reached_it_in_the_same_tournament_shares_the_rank_and_the_next_one_is_left_out() -> None:
    rows = rank_totals({"Anna": (50, 30), "Bruno": (30, 50), "Carla": (10, 10)}, None)
    assert [row.rank for row in rows] == [1, 1, 3]
    assert rows[0].separation == TotalReason("level")


@pytest.mark.rule("Y3")
def test_of_equal_results_the_earlier_counts_so_the_total_was_reached_then() -> None:
    rows = rank_totals({"Anna": (50, 50), "Bruno": (None, 50)}, 1)
    assert [(row.key, row.reached) for row in rows] == [("Anna", 0), ("Bruno", 1)]


@pytest.mark.rule("Y3")
def test_a_missing_result_counts_before_one_below_nothing() -> None:
    assert choose_counted((-3, None, 5), 2) == (2,)
    assert rank_totals({"Anna": (-3, None, 5)}, 2)[0].total == 5
    assert rank_totals({"Anna": (-3, None, 5)}, None)[0].total == 2


@pytest.mark.rule("Y3")
@pytest.mark.parametrize(
    ("places", "points"), [((1,), 10), ((2, 3), 6), ((3, 4, 5), 2), ((4,), 1), (tuple(range(4, 13)), 1)]
)
def test_shared_places_get_the_mean_of_their_points_half_up(places: tuple[int, ...], points: int) -> None:
    assert share_place_points((10, 7, 4), 1, places) == points


@pytest.mark.rule("Y3")
@LAW
@given(CIRCUITS, BEST)
def test_no_other_choice_of_as_many_results_gives_a_higher_total(
    results: dict[int, list[int | None]], best: int | None
) -> None:
    for row in rank_totals(results, best):
        values = sorted((value or 0 for value in results[row.key]), reverse=True)
        assert row.total == sum(values[:best])
        assert row.total == sum(results[row.key][at] or 0 for at in row.counted)
        assert best is None or len(row.counted) <= best


@pytest.mark.rule("Y3")
@LAW
@given(CIRCUITS, BEST)
def test_ranks_follow_the_totals_and_reasons_stand_where_totals_are_equal(
    results: dict[int, list[int | None]], best: int | None
) -> None:
    rows = rank_totals(results, best)
    assert {row.key for row in rows} == set(results)
    assert rows[0].rank == 1
    assert rows[-1].separation is None
    for place, (row, following) in enumerate(pairwise(rows), start=2):
        assert row.total >= following.total
        assert (row.separation is None) == (row.total != following.total)
        level = row.separation == TotalReason("level")
        assert following.rank == (row.rank if level else place)


@pytest.mark.rule("Y3")
@LAW
@given(CIRCUITS, BEST, st.randoms(use_true_random=False))
def test_the_order_in_which_rows_come_changes_no_rank(
    results: dict[int, list[int | None]], best: int | None, random: object
) -> None:
    shuffled = sorted(results, key=lambda _key: random.random())  # type: ignore[attr-defined]
    ranks = {row.key: row.rank for row in rank_totals(results, best)}
    assert {row.key: row.rank for row in rank_totals({key: results[key] for key in shuffled}, best)} == ranks


@pytest.mark.rule("Y3")
@LAW
@given(CIRCUITS, BEST)
def test_a_further_tournament_where_nobody_gets_anything_changes_nothing(
    results: dict[int, list[int | None]], best: int | None
) -> None:
    before = {row.key: (row.rank, max(row.total, 0)) for row in rank_totals(results, best)}
    if all(min(value or 0 for value in values) >= 0 for values in results.values()):
        more = {key: [*values, None] for key, values in results.items()}
        assert {row.key: (row.rank, row.total) for row in rank_totals(more, best)} == before
