"""The strength of the house's players: chosen for a free table, said there, and the nearest at a seek (HP2, B4)."""

from datetime import datetime

import pytest
from django.test import Client
from django.urls import reverse

from games.lobby import actions
from games.lobby.seeks import find_nearest_strength
from games.models import FreeTable, Seek, Strength
from players.models import Player
from tests.support.html import read_attribute
from tests.support.keys import by_key, make_key, send
from tests.support.lobby import open_free_table
from tests.support.people import sign_in

pytestmark = pytest.mark.django_db


@pytest.mark.rule("HP2")
def test_the_house_plays_as_strongly_as_the_table_says_and_circolo_is_it_where_nobody_chose(
    anna: Player, bruno: Player, now: datetime
) -> None:
    usual = actions.fill(table_id=open_free_table(anna, now, players=2).pk, by=anna, now=now)
    strong = open_free_table(bruno, now, players=2, strength=Strength.MASTER)
    master = actions.fill(table_id=strong.pk, by=bruno, now=now)
    assert usual is not None
    assert master is not None
    assert (usual.strength, master.strength) == (Strength.CLUB, Strength.MASTER)


def test_the_form_and_the_api_choose_it_and_the_waiting_page_says_it(anna: Player, bruno: Player) -> None:
    form = {
        "ruleset": "scopa", "players": "2", "length_kind": "points", "length_value": "11", "turn_timeout": "60",
        "match_clock": "", "public": "on", "strength": "beginner",
    }  # fmt: skip
    client = sign_in(anna)
    assert client.post(reverse("free-table-new"), form).status_code == 302
    table = FreeTable.objects.get()
    assert table.strength == Strength.BEGINNER
    page = client.get(reverse("free-table", args=[table.public_id]))
    assert "beginner" in read_attribute(page, "data-strength")
    body = {"ruleset": "scopa", "players": 2, "length_kind": "points", "length_value": 11, "strength": "master"}
    made = send(by_key(make_key(bruno, scopes=["read", "play"])), "/api/v1/tables/", body)
    assert made.json()["strength"] == "master"
    listed = Client().get("/api/v1/tables/").json()
    assert sorted(waiting["strength"] for waiting in listed) == ["beginner", "master"]


@pytest.mark.rule("B4")
@pytest.mark.parametrize(
    ("levels", "nearest"),
    [([900], "beginner"), ([1290], "beginner"), ([1310], "club"), ([None], "club"), ([1600, 2300], "master")],
)
def test_at_a_seek_the_nearest_strength_plays(levels: list[int | None], nearest: str) -> None:
    assert find_nearest_strength([Seek(level=level) for level in levels]) == nearest
