"""Matches of teams at two tables with equal deals (J11), worked out by hand."""

import pytest

from games.engine.game import Length
from scoring.team_match import Swing, TeamScore, compute_swings, score_match
from scoring.vp import MatchPoints

pytestmark = pytest.mark.rule("J11")
THREE = Length("deals", 3)  # Scopa: 10-10 up to 0, then from 1, 2, 3, 4, 5, 6, 8, 10, 12, 14
FOUR = Length("deals", 4)  # Tresette: from 2, 4, 7, 10, 13, 16, 19, 22, 24, 27


def test_a_deal_swings_by_the_sum_of_the_two_differences() -> None:
    # Team 0 sits at side 0 of the first table and at side 1 of the second.
    swings = compute_swings({0: (3, 1), 1: (2, 2), 2: (0, 4)}, {0: (1, 3), 1: (4, 0), 2: (4, 0)})
    assert swings == (
        Swing(0, (3, 1), (1, 3), 4),  # the same cards, two points more at either side of them: +2 +2
        Swing(1, (2, 2), (4, 0), -4),  # 0 -4
        Swing(2, (0, 4), (4, 0), -8),  # -4 -4
    )


def test_the_same_play_at_both_tables_swings_nothing() -> None:
    assert [swing.ahead for swing in compute_swings({0: (5, 1), 1: (0, 3)}, {0: (5, 1), 1: (0, 3)})] == [0, 0]


def test_a_deal_that_one_table_did_not_finish_swings_nothing() -> None:
    # Matched by their number: 1 is void at the first table, 3 was cut off at the second.
    swings = compute_swings({0: (3, 1), 2: (1, 2), 3: (4, 0)}, {0: (2, 2), 1: (5, 0), 2: (2, 1)})
    assert [(swing.number, swing.ahead) for swing in swings] == [(0, 2), (2, -2)]


def test_fewer_points_are_better_where_they_win() -> None:
    assert [swing.ahead for swing in compute_swings({0: (2, 9)}, {0: (6, 5)}, fewest_wins=True)] == [8]  # +7 +1


@pytest.mark.parametrize(
    ("length", "ruleset", "ahead", "winner", "mp", "vp"),
    [
        (THREE, "scopa", 1, 0, (1, -1), (11, 9)),
        (THREE, "scopa", 7, 0, (7, -7), (16, 4)),  # the row from 6
        (THREE, "scopa", -8, 1, (-8, 8), (3, 17)),
        (THREE, "scopa", 40, 0, (40, -40), (20, 0)),
        (FOUR, "tresette", 1, 0, (1, -1), (10, 10)),  # one point ahead stays in the first row, and is won
        (FOUR, "tresette", -9, 1, (-9, 9), (7, 13)),
        (Length("deals", 2), "scopone", 3, 0, (3, -3), (20, 0)),  # V3: a win is a win
    ],
)
def test_the_sum_is_the_margin_and_the_mp(
    length: Length, ruleset: str, ahead: int, winner: int, mp: tuple[int, int], vp: tuple[int, int]
) -> None:
    assert score_match(ruleset, length, ahead) == TeamScore(winner, MatchPoints(mp, vp))


@pytest.mark.parametrize("ruleset", ["scopa", "scopone"])
def test_level_is_ten_each(ruleset: str) -> None:
    assert score_match(ruleset, THREE, 0) == TeamScore(None, MatchPoints((0, 0), (10, 10)))


@pytest.mark.rule("V5", "R4")
def test_a_forfeit_is_the_teams_and_the_other_has_at_least_fourteen() -> None:
    lost = -14  # the MP of a line with 0 VP: the bound of the last row
    # Team 1 forfeits: ahead by 2 team 0 has 14 all the same, by 10 its 18; behind it is ahead by nothing.
    assert score_match("scopa", THREE, 2, {1}) == TeamScore(0, MatchPoints((4, lost), (14, 0)))
    assert score_match("scopa", THREE, 10, {1}) == TeamScore(0, MatchPoints((10, lost), (18, 0)))
    assert score_match("scopa", THREE, -10, {1}) == TeamScore(0, MatchPoints((4, lost), (14, 0)))
    # Team 0 forfeits, ahead or not.
    assert score_match("scopa", THREE, 5, {0}) == TeamScore(1, MatchPoints((lost, 4), (0, 14)))
    assert score_match("scopa", THREE, -12, {0}) == TeamScore(1, MatchPoints((lost, 12), (0, 19)))


@pytest.mark.rule("R4")
def test_if_both_forfeit_neither_has_any_vp() -> None:
    assert score_match("scopa", THREE, 9, {0, 1}) == TeamScore(None, MatchPoints((-14, -14), (0, 0)))


@pytest.mark.rule("V4")
def test_a_length_without_a_column_has_no_score() -> None:
    assert score_match("scopa", Length("deals", 9), 3) is None
    assert score_match("scopa", Length("deals", 9), 3, {0, 1}) is None
