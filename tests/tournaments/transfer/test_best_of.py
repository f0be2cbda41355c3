"""Fixtures of several games in a tournament's file (EV1, O9): they travel with each game; forged ones are refused."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import override_settings

from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.best_of import OF_THREE, enter, read, read_again
from tests.support.real_tables import draw_real, list_round
from tests.support.tournaments import Opened
from tests.support.transfer import change_file, read_picture
from tournaments.core.result import FORFEIT, GameScore
from tournaments.models import Tournament
from tournaments.running import round_clocks
from tournaments.running.recompute import find_differences
from tournaments.running.round_clocks import ClockPlace
from tournaments.transfer.faults import FileRefused
from tournaments.transfer.loans import lend_tournament, take_in_file
from tournaments.transfer.outgoing import make_copy

pytestmark = [pytest.mark.django_db, pytest.mark.rule("EV1", "O9")]
ELSEWHERE = override_settings(SECRET_KEY="another site's", SITE_URL="http://sala.example:8000")


@arrange_once
def evening(opened: Opened, now: datetime) -> Tournament:
    """A girone of six, best of three, of whose first round all that can be has happened."""
    tournament = draw_real(opened, 6, now, clock_minutes=30, **OF_THREE)
    first, second, third = list_round(tournament, 1)
    enter(first, now, (21, 11), GameScore(1, None, FORFEIT), (22, 15))
    enter(second, now, (21, 11), winner=1, decided_by=FORFEIT)
    clock = {"tournament_id": tournament.pk, "place": ClockPlace(1, 1), "by": tournament.organiser, "now": now}
    round_clocks.start_clock(**clock)
    enter(third, now + timedelta(minutes=31), (21, 11), (5, 8), (3, 2))
    return tournament


@arrange_once
def counted(opened: Opened, now: datetime) -> Tournament:
    """A girone of four, best of five, of which only the games won are written."""
    tournament = draw_real(opened, 4, now, only_games_won=True, **{**OF_THREE, "games": 5})
    first, second = list_round(tournament, 1)
    enter(first, now, won=(3, 1))
    enter(second, now, won=(2, 0), winner=1, decided_by=FORFEIT)
    return tournament


@pytest.mark.parametrize("which", ["evening", "counted"])
def test_it_arrives_as_it_left(request: pytest.FixtureRequest, which: str, now: datetime) -> None:
    tournament: Tournament = request.getfixturevalue(which)
    before, data = read_picture(tournament), make_copy(tournament, now)
    with ELSEWHERE:
        copy = take_in_file(data=data, by=tournament.organiser, now=now)
    assert isinstance(copy, Tournament)
    assert copy.game_counts == tournament.game_counts
    assert read_picture(copy) == before
    assert find_differences(copy) == []


def test_what_is_played_elsewhere_comes_home(evening: Tournament, organiser: Player, now: datetime) -> None:
    data = lend_tournament(tournament_id=evening.pk, by=organiser, to="Sala", now=now)
    with ELSEWHERE:
        away = take_in_file(data=data, by=organiser, now=now)
        first = list_round(away, 1)[0]
        enter(first, now, (21, 11), (8, 21), (22, 15), reason="anche la seconda s'è giocata")
        back = lend_tournament(tournament_id=away.pk, by=organiser, to="", now=now)
    home = take_in_file(data=back, by=organiser, now=now)
    assert read(read_again(list_round(home, 1)[0])) == (0, (2, 1), (4, -4), (15, 5))
    assert find_differences(home) == []


def test_a_game_that_changed_without_an_act_is_denied(evening: Tournament, organiser: Player, now: datetime) -> None:
    data = lend_tournament(tournament_id=evening.pk, by=organiser, to="Sala", now=now)

    def change(body: dict[str, Any]) -> None:
        games = body["rounds"][0]["fixtures"][0]["games"]
        games[0]["points"], games[2]["points"] = [22, 12], [21, 14]  # the same sums

    with ELSEWHERE:
        back = lend_tournament(
            tournament_id=take_in_file(data=data, by=organiser, now=now).pk, by=organiser, to="", now=now
        )
    with pytest.raises(FileRefused) as refused:
        take_in_file(data=change_file(back, change), by=organiser, now=now)
    assert [(fault.code, fault.place) for fault in refused.value.faults] == [("no_act", "rounds[1].fixtures[1]")]


def drop_one(fixture: dict[str, Any]) -> None:
    del fixture["games"][-1]


def add_one(fixture: dict[str, Any]) -> None:
    fixture["games"].append(dict(fixture["games"][0]))


def raise_points(fixture: dict[str, Any]) -> None:
    fixture["games"][0]["points"] = [21, 3]


def shorten(fixture: dict[str, Any]) -> None:
    fixture["games"][0]["points"] = [20, 3]


def halve(fixture: dict[str, Any]) -> None:
    fixture["games"][0]["points"] = [21]


def forget(fixture: dict[str, Any]) -> None:
    fixture["games"] = None


def turn(fixture: dict[str, Any]) -> None:
    fixture["games"][0]["winner"] = 1


def score(fixture: dict[str, Any]) -> None:
    fixture["points_0"] = 3


@pytest.mark.parametrize(
    ("forge", "code"),
    [
        (drop_one, "refused"),
        (add_one, "refused"),
        (raise_points, "worth_differs"),
        (shorten, "refused"),
        (halve, "other_size"),
        (forget, "refused"),
        (turn, "refused"),
        (score, "refused"),
    ],
)
def test_a_forged_game_is_refused(evening: Tournament, organiser: Player, now: datetime, forge: Any, code: str) -> None:
    data = change_file(make_copy(evening, now), lambda body: forge(body["rounds"][0]["fixtures"][0]))
    with ELSEWHERE, pytest.raises(FileRefused) as refused:
        take_in_file(data=data, by=organiser, now=now)
    assert refused.value.faults[0].code == code


def test_games_are_refused_where_a_fixture_is_one_match(opened: Opened, organiser: Player, now: datetime) -> None:
    tournament = draw_real(opened, 4, now)

    def forge(body: dict[str, Any]) -> None:
        fixture = body["rounds"][0]["fixtures"][0]
        fixture["games"] = [{"winner": 0, "points": [7, 4], "decided_by": "points"}]

    data = change_file(make_copy(tournament, now), forge)
    with ELSEWHERE, pytest.raises(FileRefused) as refused:
        take_in_file(data=data, by=organiser, now=now)
    assert [fault.code for fault in refused.value.faults] == ["result_open"]


def test_a_file_of_before_there_were_games_is_read(opened: Opened, organiser: Player, now: datetime) -> None:
    tournament = draw_real(opened, 4, now)

    def forget_games(body: dict[str, Any]) -> None:
        for name in ("games", "games_in_ko", "late_games", "late_from", "only_games_won"):
            del body["tournament"][name]
        for round_ in body["rounds"]:
            for fixture in round_["fixtures"]:
                del fixture["games"]

    data = change_file(make_copy(tournament, now), forget_games)
    with ELSEWHERE:
        copy = take_in_file(data=data, by=organiser, now=now)
    assert isinstance(copy, Tournament)
    assert (copy.games, copy.late_games, copy.only_games_won) == (1, None, False)
