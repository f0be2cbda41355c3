"""`manage.py draw` says in JSON what a format would do, for whoever plans and for whoever checks from outside."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command


def drawn(*words: str) -> Any:
    out = StringIO()
    call_command("draw", *words, stdout=out)
    return json.loads(out.getvalue())


@pytest.mark.rule("R1")
def test_a_girone_is_a_list_of_rounds_of_pairs_and_a_rest_has_nobody_r1() -> None:
    six = drawn("girone", "6")
    assert six[:2] == [[[1, 6], [2, 5], [3, 4]], [[6, 4], [5, 3], [1, 2]]]
    assert len(six) == 5
    assert drawn("girone", "5")[0] == [[1, None], [2, 5], [3, 4]]
    double = drawn("girone-doppio", "6")
    assert double[:3] == six[:3]
    assert double[3:5] == [six[4], six[3]], "the last two rounds of the first cycle are swapped"
    assert double[5:] == [[[second, first] for first, second in pairs] for pairs in six]


@pytest.mark.rule("K1", "K2")
def test_a_ko_says_its_order_its_byes_and_who_plays_first_k1_k2() -> None:
    assert drawn("ko", "12") == {
        "order": [1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11],
        "byes": [1, 2, 3, 4],
        "first_round": [[8, 9], [5, 12], [7, 10], [6, 11]],
    }


@pytest.mark.rule("EV9")
def test_clubs_say_who_changes_places_and_how_many_of_one_club_meet_ev9() -> None:
    ten = drawn("circoli", "14")
    assert ten["clubs"][:4] == [[1], [2], [3], [1]]
    before, after = ten["of_one_club"]
    assert after < before
    assert all(len(pair) == 2 and min(pair) > 4 for pair in ten["swaps"])
    assert drawn("circoli", "8")["swaps"] == []


@pytest.mark.rule("EV4")
def test_a_double_ko_says_of_every_side_from_where_it_comes_ev4() -> None:
    upper, upper_final, lower_final, final, decider = drawn("doppio", "3")
    assert upper == {"name": "upper_1", "fixtures": [[1, None], [2, 3]]}
    assert upper_final["fixtures"] == [[1, {"winner": [1, 2]}]]
    assert lower_final == {"name": "lower_final", "fixtures": [[{"loser": [2, 1]}, {"loser": [1, 2]}]]}
    assert final["fixtures"] == [[{"winner": [2, 1]}, {"winner": [3, 1]}]]
    assert decider == {"name": "decider", "fixtures": [[{"winner": [4, 1]}, {"loser": [4, 1]}]]}
    thirteen = drawn("doppio", "13")
    assert thirteen[2]["fixtures"][0] == [None, {"loser": [1, 2]}], "who lost the first alone passes on"


@pytest.mark.rule("Q1")
def test_groups_are_lists_of_seeds_q1() -> None:
    assert drawn("groups", "16", "--groups", "4") == [[1, 8, 9, 16], [2, 7, 10, 15], [3, 6, 11, 14], [4, 5, 12, 13]]


@pytest.mark.parametrize(
    "words",
    [
        ("svizzero", "6"),
        ("ko", "1"),
        ("doppio", "2"),
        ("ko", "tanti"),
        ("girone", "6", "--groups", "2"),
        ("groups", "5"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_a_sentence(words: tuple[str, ...]) -> None:
    with pytest.raises(CommandError) as refused:
        drawn(*words)
    assert refused.value.returncode == 2
