"""Teams in a tournament's file (O9, O12): names, people and line-ups travel; what no team can be is refused."""

from datetime import datetime
from typing import Any

import pytest
from django.test import override_settings

from players.models import Player
from tests.support.real_tables import publish_next
from tests.support.teams import draw_teams, find_team, list_ids, list_players, play_round
from tests.support.tournaments import PAIRS, Opened
from tests.support.transfer import change_file, read_picture
from tournaments.models import Tournament
from tournaments.running.line_ups import name_line_up
from tournaments.transfer.faults import FileRefused
from tournaments.transfer.loans import take_in_file
from tournaments.transfer.outgoing import make_copy

pytestmark = [pytest.mark.django_db, pytest.mark.rule("O9", "O12")]
ELSEWHERE = override_settings(SECRET_KEY="another site's", SITE_URL="http://sala.example:8000")


def test_a_tournament_of_teams_goes_on_elsewhere_with_the_same_line_ups(opened: Opened, now: datetime) -> None:
    tournament = draw_teams(opened, now, PAIRS)
    leoni = find_team(tournament, "Leoni")
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    name_line_up(entry_id=leoni.pk, person_ids=list_ids(leoni, "Ciro", "Ada"), **about)
    play_round(tournament, 1, now)
    before, data = read_picture(tournament), make_copy(tournament, now)
    with ELSEWHERE:
        copy = take_in_file(data=data, by=tournament.organiser, now=now)
    assert isinstance(copy, Tournament)
    assert read_picture(copy) == before
    publish_next(copy, now)
    assert list_players(copy, 1)["Leoni"] == ("Ada", "Bice")
    assert list_players(copy, 2)["Leoni"] == ("Ciro", "Ada")


def refuse(data: bytes, by: Player, now: datetime) -> list[tuple[str, str]]:
    with ELSEWHERE, pytest.raises(FileRefused) as refused:
        take_in_file(data=data, by=by, now=now)
    return [(fault.code, fault.place) for fault in refused.value.faults]


def test_a_file_with_what_no_team_can_be_is_refused_each_fault_once(opened: Opened, now: datetime) -> None:
    tournament = draw_teams(opened, now)

    def forge(body: dict[str, Any]) -> None:
        first, second, third, fourth = body["entries"]
        first["team_name"] = ""
        second["team_name"] = fourth["team_name"]
        del third["members"][1:]
        body["rounds"][0]["fixtures"][0]["line_ups"][0] *= 2

    assert refuse(change_file(make_copy(tournament, now), forge), tournament.organiser, now) == [
        ("missing", "entries[1].team_name"), ("other_size", "entries[3].members"), ("twice", "entries[4].team_name"),
        ("other_size", "rounds[1].fixtures[1].line_ups"),
    ]  # fmt: skip
