"""Games of a fixture as they are typed (EV1): one line, read and written again, and the numbers of a telephone."""

import pytest
from django import forms
from django.http import QueryDict

from games.engine.game import Length, Setup
from tournaments.core.game_terms import GamesTerms
from tournaments.core.result import FixtureResult, GameScore
from tournaments.desk.game_fields import GamesField, GamesWidget, write_games, write_result

pytestmark = pytest.mark.rule("EV1", "O4")
SETUP = Setup("scopa", 2, Length("points", 21), "ko", {}, 0)
THREE = GamesTerms(SETUP, True, 3, only_won=False)
COUNTED = GamesTerms(SETUP, True, 3, only_won=True)


@pytest.mark.parametrize(
    ("typed", "games"),
    [
        ("21-11 8-21 21-15", [(None, (21, 11)), (None, (8, 21)), (None, (21, 15))]),
        (" 21–11,  8:21 21/15 ", [(None, (21, 11)), (None, (8, 21)), (None, (21, 15))]),
        ("10*-10 10-10*", [(0, (10, 10)), (1, (10, 10))]),
        ("f-0 0-F", [(1, None), (0, None)]),
    ],
)
def test_a_line_of_games(typed: str, games: list[tuple[int | None, tuple[int, int] | None]]) -> None:
    read = GamesField(THREE).clean(typed)
    assert [(game.winner, game.points) for game in read.games] == games


@pytest.mark.parametrize("typed", ["21", "21-", "a-b", "2111-3", "21-11-3", "f-f", "1*-1*", "-1-3"])
def test_what_is_no_game_is_refused(typed: str) -> None:
    with pytest.raises(forms.ValidationError):
        GamesField(THREE).clean(typed)


@pytest.mark.parametrize("typed", ["2-1 1-2", "f-2", "2*-1", "due"])
def test_a_count_of_games_is_two_numbers(typed: str) -> None:
    assert GamesField(COUNTED).clean("2-1").won == (2, 1)
    with pytest.raises(forms.ValidationError):
        GamesField(COUNTED).clean(typed)


def test_nothing_is_nothing() -> None:
    assert GamesField(THREE, required=False).clean("  ") is None


def test_what_is_written_is_read_again() -> None:
    games = (
        GameScore(0, (21, 11), "points"),
        GameScore(1, (10, 10), "last_trick"),
        GameScore(0, None, "forfeit"),
        GameScore(1, (31, 21), "called_out"),
        GameScore(0, (7, 3), "cut_short"),
        GameScore(1, (22, 23), "tie_break_1"),
    )
    assert write_games(games) == "21-11 10-10* 0-f 31-21* 7-3 22-23"
    again = GamesField(THREE).clean(write_games(games)).games
    assert [game.points for game in again] == [game.points for game in games]
    assert all(game.winner in (None, stored.winner) for game, stored in zip(again, games, strict=True))
    assert write_result(FixtureResult(0, (), (2, 1))) == "2-1"
    assert write_result(FixtureResult()) == ""


def test_the_numbers_of_a_telephone_are_one_line() -> None:
    widget = GamesWidget(THREE, ("Anna", "Bruno"), side=1)
    sent = QueryDict("games_0_0=21&games_0_1=11&games_1_0=&games_1_1=21&games_2_0=&games_2_1=")
    assert widget.value_from_datadict(sent, {}, "games") == "21-11 ?-21"
    drawn = widget.render("games", "21-11 ?-21")
    assert drawn.index("games_0_1") < drawn.index("games_0_0"), "one's own first"
    assert drawn.count("<input") == 6
    assert "?" not in drawn
    assert GamesWidget(COUNTED, ("Anna", "Bruno")).render("games", "2-1").count("<input") == 2
