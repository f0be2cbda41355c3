"""Teams by a program (O12): entered, changed, their line-ups named and changed."""

from datetime import datetime

import pytest
from django.test import Client

from tests.support.keys import by_key, make_key, send
from tests.support.real_tables import draw_present, open_real
from tests.support.teams import list_players
from tests.support.tournaments import Opened
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.rule("O12")]


def open_to_programs(opened: Opened) -> tuple[Tournament, Client, str]:
    tournament = open_real(opened, team_size=4, seeding="organiser")
    key = by_key(make_key(tournament.organiser, targets=[f"tournament:{tournament.public_id}"]))
    return tournament, key, f"/api/v1/tournaments/{tournament.public_id}/"


def test_a_program_enters_teams_and_says_who_plays(opened: Opened, now: datetime) -> None:
    tournament, key, own = open_to_programs(opened)
    teams = [
        {"team": "Leoni", "player": "Ada", "partner": "Bice", "others": ["Ciro"], "seed": 1},
        {"team": "Volpi", "player": "Dora", "partner": "Elio", "seed": 2},
    ]
    assert send(key, f"{own}entries/", {"entries": teams}).json() == {"entries": 2, "invitations": 0}
    small = send(key, f"{own}entries/", {"entries": [{"team": "Orsi", "player": "Fede"}]})
    assert small.json()["values"]["problems"][0]["code"] == "team_small"
    leoni = key.get(f"{own}entries/").json()["results"][0]
    assert (leoni["name"], leoni["people"]) == ("Leoni", ["Ada", "Bice", "Ciro"])
    changed = send(key, f"{own}entries/{leoni['id']}/", {"team": "Leoni Rossi", "more": ["Nora"]}, "patch").json()
    assert (changed["name"], changed["people"]) == ("Leoni Rossi", ["Ada", "Bice", "Ciro", "Nora"])
    named = send(key, f"{own}entries/{leoni['id']}/line-up/", {"people": ["Ciro"]})
    assert (named.status_code, named.json()["people"]) == (200, ["Ada", "Bice", "Ciro", "Nora"])
    draw_present(tournament, now)
    assert list_players(tournament, 1) == {"Leoni Rossi": ("Ciro",), "Volpi": ("Dora",)}
    answer = send(key, f"{own}fixtures/1-1/line-up/", {"side": 0, "people": ["Bice"]}).json()
    assert [answer[side]["people"] for side in ("first", "second")] == [["Bice"], ["Dora"]]


def test_a_line_up_that_cannot_be_is_refused_with_its_code(opened: Opened, now: datetime) -> None:
    _tournament, key, own = open_to_programs(opened)
    send(key, f"{own}entries/", {"entries": [{"team": "Leoni", "player": "Ada", "partner": "Bice"}]})
    entry = key.get(f"{own}entries/").json()["results"][0]["id"]
    codes = [
        send(key, f"{own}entries/{entry}/line-up/", {"people": people}).json()["code"]
        for people in (["Zoe"], [], ["Ada", "Bice"])
    ]
    assert codes == ["line_up_stranger", "line_up_size", "line_up_size"]


def test_a_team_where_none_play_is_refused(opened: Opened) -> None:
    tournament = open_real(opened)
    key = by_key(make_key(tournament.organiser, targets=[f"tournament:{tournament.public_id}"]))
    own = f"/api/v1/tournaments/{tournament.public_id}/"
    for more in ({"team": "Leoni"}, {"others": ["Bice"]}):
        refused = send(key, f"{own}entries/", {"entries": [{"player": "Ada", **more}]})
        assert (refused.status_code, refused.json()["code"]) == (409, "no_teams")
    assert not tournament.entries.exists()
