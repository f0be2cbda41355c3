"""Teams in a tournament's file (O9, O12): names, people and line-ups travel; what no team can be is refused."""

from datetime import datetime
from typing import Any

import pytest
from django.test import override_settings

from players.models import Player
from tests.support.real_tables import NAMES, publish_next
from tests.support.teams import draw_teams, find_team, list_ids, list_players, play_round
from tests.support.tournaments import PAIRS, Opened
from tests.support.transfer import change_file, read_picture
from tournaments.desk.act import Act
from tournaments.desk.results import Decision, annul_result, set_result
from tournaments.models import Fixture, Tournament
from tournaments.running.line_ups import name_line_up
from tournaments.running.recompute import find_differences
from tournaments.transfer.faults import FileRefused
from tournaments.transfer.loans import lend_tournament, take_in_file
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


def test_two_tables_travel_with_their_sum_and_forged_ones_are_refused(opened: Opened, now: datetime) -> None:
    teams = {f"Squadra {letter}": [f"{letter}{name}" for name in NAMES[:4]] for letter in "ABCD"}
    tournament = draw_teams(opened, now, PAIRS, teams=teams, team_tables=2)
    for table in Fixture.objects.of(tournament).filter(round__number=1).select_related("round"):
        decision = Decision(points=(7, 4) if table.part == 1 else (9, 2), winner=0)
        act = Act(tournament.organiser, "", now)
        set_result(tournament_id=tournament.pk, fixture_id=table.pk, decision=decision, act=act)
    before, data = read_picture(tournament), make_copy(tournament, now)

    def forge(body: dict[str, Any]) -> None:
        fixtures = body["rounds"][0]["fixtures"]
        fixtures[3]["board"] = 1
        fixtures[0]["part"] = 0

    def raise_sum(body: dict[str, Any]) -> None:
        for fixture in body["rounds"][0]["fixtures"]:
            fixture["vp_0"], fixture["vp_1"] = 20, 0

    assert refuse(change_file(data, forge), tournament.organiser, now) == [
        ("out_of_range", "rounds[1].fixtures[1].part"), ("twice", "rounds[1].fixtures[4].board"),
    ]  # fmt: skip
    assert {code for code, _place in refuse(change_file(data, raise_sum), tournament.organiser, now)} == {"differs"}
    with ELSEWHERE:
        copy = take_in_file(data=data, by=tournament.organiser, now=now)
    assert isinstance(copy, Tournament)
    assert read_picture(copy) == before


@pytest.mark.parametrize("part", [1, 2])
def test_a_ruling_on_one_table_elsewhere_comes_back_with_what_it_changes_of_the_other(
    opened: Opened, now: datetime, part: int
) -> None:
    teams = {f"Squadra {letter}": [f"{letter}{name}" for name in NAMES[:4]] for letter in "AB"}
    tournament = draw_teams(opened, now, PAIRS, teams=teams, team_tables=2)
    act = Act(tournament.organiser, "", now)
    for table in Fixture.objects.of(tournament).select_related("round"):
        decision = Decision(points=(7, 4), winner=0)
        set_result(tournament_id=tournament.pk, fixture_id=table.pk, decision=decision, act=act)
    data = lend_tournament(tournament_id=tournament.pk, by=tournament.organiser, to="Sala", now=now)
    with ELSEWHERE:
        away = take_in_file(data=data, by=tournament.organiser, now=now)
        table = Fixture.objects.of(away).get(part=part)
        ruling = Act(tournament.organiser, "Carte cadute a quel tavolo", now)
        annul_result(tournament_id=away.pk, fixture_id=table.pk, act=ruling)
        back = lend_tournament(tournament_id=away.pk, by=tournament.organiser, to="", now=now)
    home = take_in_file(data=back, by=tournament.organiser, now=now)
    assert Fixture.objects.of(home).get(annulled=True).part == part
    assert find_differences(home) == []
