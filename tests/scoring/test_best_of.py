"""Fixtures of several games (EV1): the table of VP, worked out by hand."""

import pytest

from scoring.best_of import NUMBERS, compute_bye, compute_vp, count_needed, is_decided, score_forfeit, score_games
from scoring.vp import MatchPoints

pytestmark = pytest.mark.rule("EV1")
TABLE = {  # won and lost, of the number of games: the winner's VP
    (3, 2, 0): 20,
    (3, 2, 1): 15,
    (5, 3, 0): 20,
    (5, 3, 1): 17,  # 16⅔
    (5, 3, 2): 13,  # 13⅓
    (7, 4, 0): 20,
    (7, 4, 1): 18,  # 17½, half up
    (7, 4, 2): 15,
    (7, 4, 3): 13,  # 12½, half up
}


@pytest.mark.parametrize(("games", "won", "lost", "vp"), [(*score, vp) for score, vp in TABLE.items()])
def test_the_table_of_games_won(games: int, won: int, lost: int, vp: int) -> None:
    assert score_games(games, (won, lost), 9) == MatchPoints((9, -9), (vp, 20 - vp))
    assert score_games(games, (lost, won), -9) == MatchPoints((-9, 9), (20 - vp, vp))


@pytest.mark.parametrize(
    ("games", "won", "vp"),
    [
        (3, (1, 0), 15),
        (5, (1, 0), 13),  # 13⅓
        (5, (2, 0), 17),
        (5, (2, 1), 13),
        (7, (1, 0), 13),  # 12½
        (7, (3, 0), 18),
        (7, (3, 2), 13),
    ],
)
def test_the_clock_leaves_a_smaller_lead(games: int, won: tuple[int, int], vp: int) -> None:
    assert score_games(games, won, 0).vp == (vp, 20 - vp)


@pytest.mark.parametrize(
    ("games", "won", "vp"),
    [
        (3, (0, 0), 20),  # before the first card
        (3, (0, 1), 20),  # the other had one: 2-0
        (3, (1, 1), 15),  # 2-1
        (3, (2, 1), 15),  # a referee takes it from whoever had won: never less than winning what could be left
        (5, (2, 0), 14),  # 3-2 are 13 VP, and 14 the least
        (5, (1, 2), 17),
        (7, (3, 3), 14),
        (7, (1, 0), 18),
    ],
)
def test_whoever_forfeits_has_nothing_and_the_other_what_was_left_to_win(
    games: int, won: tuple[int, int], vp: int
) -> None:
    assert score_forfeit(games, won, 4, (0,)) == MatchPoints((4, -4), (0, vp))
    assert score_forfeit(games, (won[1], won[0]), -4, (1,)) == MatchPoints((-4, 4), (vp, 0))


def test_both_forfeit() -> None:
    assert score_forfeit(5, (1, 0), 3, (0, 1)) == MatchPoints((0, 0), (0, 0))


@pytest.mark.rule("D1")
def test_a_bye_is_fourteen() -> None:
    assert compute_bye() == (0, 14)


def test_more_than_half_decides() -> None:
    assert [count_needed(games) for games in (1, *NUMBERS)] == [1, 2, 3, 4]
    assert is_decided(3, (2, 1))
    assert not is_decided(5, (2, 2))


@pytest.mark.parametrize("games", NUMBERS)
def test_a_greater_lead_is_never_worth_less(games: int) -> None:
    values = [compute_vp(games, lead) for lead in range(1, count_needed(games) + 1)]
    assert values == sorted(set(values))
    assert values[-1] == 20
