"""Levels as the tables show them: bands, the mean of a line, and who tells of them."""

import pytest

from games import levels
from games.levels import ShownLevel, average_levels, find_band


@pytest.mark.rule("L5")
@pytest.mark.parametrize(
    ("value", "band"),
    [
        (-20, "beginner"),
        (1199, "beginner"),
        (1200, "amateur"),
        (1399, "amateur"),
        (1400, "club"),
        (1599, "club"),
        (1600, "expert"),
        (1799, "expert"),
        (1800, "master"),
        (1999, "master"),
        (2000, "grand_master"),
        (2600, "grand_master"),
    ],
)
def test_a_level_is_in_its_band(value: int, band: str) -> None:
    assert find_band(value) == band
    assert ShownLevel(value, uncertain=False).band == band


@pytest.mark.rule("L5")
def test_an_uncertain_level_is_written_with_a_question_mark() -> None:
    assert str(ShownLevel(1543, uncertain=True)) == "1543?"
    assert str(ShownLevel(1543, uncertain=False)) == "1543"


@pytest.mark.rule("L5")
def test_a_pairs_level_is_the_mean_of_its_two() -> None:
    pair = average_levels([ShownLevel(1501, uncertain=False), ShownLevel(1600, uncertain=False)])
    assert pair == ShownLevel(1551, uncertain=False)  # 1550.5, half up


@pytest.mark.rule("L5")
def test_who_has_no_level_counts_as_1500_and_makes_the_line_uncertain() -> None:
    assert average_levels([ShownLevel(1700, uncertain=False), None]) == ShownLevel(1600, uncertain=True)


def test_nobody_has_a_level_where_nobody_tells_of_them(monkeypatch: pytest.MonkeyPatch, now: object) -> None:
    monkeypatch.setattr(levels, "_readers", [])
    assert levels.read_levels([1, 2], "scopa", "alone") == {}
