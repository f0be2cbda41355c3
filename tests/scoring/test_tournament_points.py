"""Points of a tournament (Y2), against tables worked out by hand and against exact arithmetic."""

from decimal import ROUND_HALF_UP, Decimal, localcontext

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.tournament_points import (
    RankedLine,
    compute_tournament_points,
    count_ranks,
    divide_points,
    place_ranks,
    round_mean_points,
    share_points,
)
from tests.support.thorough import tries


def compute_points(ranks: list[int], everybody: list[int] | None = None) -> list[int]:
    lines = [RankedLine(number, rank) for number, rank in enumerate(ranks)]
    earned = compute_tournament_points(lines, None if everybody is None else count_ranks(everybody))
    return [earned[number].points for number in range(len(ranks)) if number in earned]


@pytest.mark.rule("Y2")
def test_each_rank_of_eight_has_its_points() -> None:
    assert compute_points([1, 2, 3, 4, 5, 6, 7, 8]) == [100, 67, 47, 33, 23, 14, 6, 1]


@pytest.mark.rule("Y2")
def test_each_doubling_of_the_field_is_worth_as_much_as_one_of_the_rank() -> None:
    assert compute_points(list(range(1, 65)))[:8] == [200, 167, 147, 133, 123, 114, 106, 100]


@pytest.mark.rule("Y2")
@pytest.mark.parametrize(
    ("ranks", "points"),
    [
        ([1, 2, 3, 3, *range(5, 17)], [133, 100, 74, 74]),  # two at rank 3 of 16
        ([1, 2, 3, 3, 5, 5, 5, 5], [100, 67, 40, 40, 11, 11, 11, 11]),  # a KO of 8 without a third place
        ([1, 1, 3, 4], [50, 50, 14, 1]),
        ([1, 1, 1, 1], [28, 28, 28, 28]),  # (66.7 + 33.3 + 13.8 + 0) / 4
        ([1, 2, 3, 4, 5], [77, 44, 25, 11, 1]),
    ],
)
def test_shared_places_get_the_mean_of_their_unrounded_values(ranks: list[int], points: list[int]) -> None:
    assert compute_points(ranks)[: len(points)] == points


@pytest.mark.rule("Y2")
def test_fewer_than_four_lines_give_no_points() -> None:
    assert compute_points([1, 2, 3]) == []
    assert compute_points([1, 2, 3, 4]) == [67, 33, 14, 1]


@pytest.mark.rule("Y2")
def test_the_last_one_has_a_point_for_having_finished() -> None:
    stayed, left = RankedLine("stayed", 3), RankedLine("left", 4, finished=False)
    earned = compute_tournament_points([RankedLine("first", 1), RankedLine("second", 2), stayed, left])
    assert (earned["left"].points, earned["left"].rank, earned["left"].field) == (0, 4, 4)
    level = compute_tournament_points([RankedLine(number, 1) for number in range(4)])
    assert {row.rank for row in level.values()} == {1}


@pytest.mark.rule("Y2")
def test_without_a_winner_both_finalists_have_the_second_place() -> None:
    ranks = [2, 2, 3, 3, 5, 5, 5, 5]
    assert compute_points(ranks, ranks) == [67, 67, 40, 40, 11, 11, 11, 11]


@pytest.mark.rule("Y2", "K5")
def test_nobody_has_the_points_of_a_place_that_nobody_earned() -> None:
    assert compute_points([3, 3, 3, 3], [3, 3, 3, 3]) == [10, 10, 10, 10], "the places 3, 3, 3 and 4 of four"
    assert compute_points([1, 3, 3, 3], [1, 3, 3, 3]) == [67, 9, 9, 9]
    assert compute_points([5] * 4, [5] * 8) == [1, 1, 1, 1], "no place is beyond the field"
    assert compute_points([1, 3, 3, 4], [1, 2, 3, 3, 4]) == [67, 24, 24, 1], "who doesn't count leaves no gap"


@pytest.mark.rule("K5", "E8")
def test_places_close_up_over_those_who_dont_count_and_over_nothing_else() -> None:
    def place(counted: list[int | None], everybody: list[int | None]) -> dict[int, int]:
        places = place_ranks(count_ranks(counted), count_ranks(everybody))
        return {rank: own.first for rank, own in places.items()}

    assert place([3, 3, 3, 3], [3, 3, 3, 3]) == {3: 3}, "both semifinals are double forfeits"
    assert place([1, 3, 3, 3], [1, 3, 3, 3]) == {1: 1, 3: 3}, "one of them is"
    assert place([2, 2, 3, 3], [2, 2, 3, 3]) == {2: 2, 3: 3}, "the final is"
    assert place([1, 3, 3], [1, 2, 3, 3]) == {1: 1, 3: 2}, "the house is second"
    assert place([3, 3], [1, 2, 3, 3]) == {3: 1}, "the house is first and second"
    assert place([2, 3, 3], [2, 2, 3, 3]) == {2: 2, 3: 3}, "the house didn't win the final either"
    assert place([5, None, None, None], [5, *[None] * 7]) == {5: 4}, "one is out, and three may still be above"


@pytest.mark.rule("Y2")
def test_ranks_are_counted_anew_among_those_that_count() -> None:
    earned = compute_tournament_points(
        [RankedLine(key, rank) for key, rank in zip("abcde", (2, 5, 5, 9, 12), strict=True)]
    )
    assert {key: row.rank for key, row in earned.items()} == {"a": 1, "b": 2, "c": 2, "d": 4, "e": 5}
    assert earned["b"].field == 5


@pytest.mark.rule("Y2")
def test_a_half_is_rounded_up() -> None:
    assert round_mean_points(8, [1, 1]) == 100
    assert round_mean_points(2**3, [2, 4, 8, 8]) == 25
    # Eight lines at places whose product is 2^9: 100 / 24 × (24 - 9) is 62.5, exactly.
    assert round_mean_points(8, [1, 2, 2, 2, 2, 2, 4, 4]) == 63
    assert share_points(67, 1, 2) == 34
    assert share_points(100, 1, 8) == 13


@pytest.mark.rule("Y2")
@settings(max_examples=tries(20, 2000), deadline=None)
@given(st.integers(4, 4096), st.data())
def test_rounding_agrees_with_sixty_digits(field: int, data: st.DataObject) -> None:
    first = data.draw(st.integers(1, field))
    places = range(first, data.draw(st.integers(first, min(field, first + 40))) + 1)
    with localcontext() as context:
        context.prec = 60
        two = Decimal(2).ln()
        mean = sum((Decimal(field) / place).ln() / two for place in places) * 100 / 3 / len(places)
        # A power of two comes out of logarithms a hair off: what is within it is the fraction itself.
        exact = mean.quantize(Decimal("1e-40"))
        assert round_mean_points(field, places) == int(exact.quantize(Decimal(1), ROUND_HALF_UP))


@pytest.mark.rule("Y2")
def test_who_took_a_place_shares_the_points_by_the_fixtures_played() -> None:
    assert divide_points(100, {"anna": 2, "bruno": 5, "carla": 3, "dino": 0}, 5) == {
        "anna": 40,
        "bruno": 100,
        "carla": 60,
    }


@pytest.mark.rule("Y2")
def test_of_a_team_whoever_played_a_third_has_all_its_points() -> None:
    played = {"anna": 6, "bruno": 2, "carla": 1, "dino": 0}
    assert divide_points(80, played, 6, team=True) == {"anna": 80, "bruno": 80}
