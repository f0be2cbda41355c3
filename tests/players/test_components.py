"""Small pictures of figures: what is drawn, and that it is said in words too."""

import re

import pytest
from django.template.loader import render_to_string

from players.templatetags.components import last_ten, outcome, seat_dots
from tests.support.html import read_attribute

DOT = re.compile(r'class="dot-(\w+)"')


@pytest.mark.parametrize(
    ("places", "people", "house", "dots", "bar"),
    [
        (4, 2, 1, ["person", "person", "house", "free"], []),
        (8, 0, 0, ["free"] * 8, []),
        (8, 8, 0, ["person"] * 8, []),
        (32, 14, 0, [], ["14"]),
    ],
)
def test_seats_are_dots_up_to_eight_and_a_bar_beyond(
    places: int, people: int, house: int, dots: list[str], bar: list[str]
) -> None:
    drawn = render_to_string("components/_seat_dots.html", seat_dots(places, people, house))
    assert DOT.findall(drawn) == dots
    assert read_attribute(drawn, "value") == bar
    assert f"{people + house} su {places}" in drawn


def test_the_last_ten_end_with_the_newest_and_are_said() -> None:
    drawn = render_to_string("components/_last_ten.html", last_ten(["even", "won", *["lost"] * 3, *["won"] * 6]))
    assert DOT.findall(drawn) == ["won", *["lost"] * 3, *["won"] * 6]
    assert read_attribute(drawn, "aria-label") == ["7 vinte, 3 perse"]
    drawn = render_to_string("components/_last_ten.html", last_ten(["lost", "won", "even"]))
    assert read_attribute(drawn, "aria-label") == ["1 vinta, 1 persa, 1 pari"]
    assert not render_to_string("components/_last_ten.html", last_ten([])).strip()


@pytest.mark.parametrize(("code", "word"), [("won", "vinta"), ("lost", "persa"), ("even", "pari")])
def test_a_result_says_the_word_that_its_hue_says(code: str, word: str) -> None:
    drawn = render_to_string("components/_outcome.html", outcome(code, "38–82"))
    assert f"outcome-{code}" in drawn
    assert word in drawn
    assert "38–82" in drawn
