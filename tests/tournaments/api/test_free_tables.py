"""Free tables by programs: listed for everybody, opened, taken and left by keys that play."""

from datetime import datetime

import pytest
from django.test import Client

from games.models import FreeTable, Match
from players.models import Player
from tests.support.keys import by_key, code, make_key, send

pytestmark = pytest.mark.django_db

TABLES = "/api/v1/tables/"
BODY = {"ruleset": "scopa", "players": 2, "length_kind": "points", "length_value": 11}


@pytest.fixture
def annas(anna: Player) -> Client:
    return by_key(make_key(anna, scopes=["read", "play"]))


@pytest.mark.rule("U2", "U7")
def test_a_table_is_opened_taken_and_begins_u2_u7(annas: Client, anna: Player, bruno: Player, now: datetime) -> None:
    made = send(annas, TABLES, BODY)
    assert made.status_code == 201, made.content
    own = f"{TABLES}{made.json()['public_id']}/"
    assert (made.json()["host"], [seat["name"] for seat in made.json()["seats"]]) == ("Anna", ["Anna", None])
    (listed,) = Client().get(TABLES).json()
    assert listed == Client().get(own).json()
    brunos = by_key(make_key(bruno, scopes=["play"]))
    assert code(send(brunos, f"{own}sit/", {"seat": 0})) == (409, "seat_gone")
    assert code(send(annas, TABLES, BODY)) == (409, "seated_elsewhere")
    begun = send(brunos, f"{own}sit/", {"seat": 1}).json()
    assert (begun["state"], begun["match"]) == ("started", Match.objects.get().public_id)
    assert code(send(annas, f"{own}leave/")) == (404, "table_gone")
    assert Client().get(TABLES).json() == []


@pytest.mark.rule("U7")
def test_a_table_is_left_or_filled_with_the_house_u7(annas: Client, now: datetime) -> None:
    own = f"{TABLES}{send(annas, TABLES, {**BODY, 'public': False}).json()['public_id']}/"
    assert Client().get(TABLES).json() == []
    assert Client().get(own).json()["public"] is False
    assert send(annas, f"{own}leave/").status_code == 204
    assert FreeTable.objects.get().state == "closed"
    own = f"{TABLES}{send(annas, TABLES, BODY).json()['public_id']}/"
    assert send(annas, f"{own}house/").json()["state"] == "started"
    assert code(send(annas, f"{TABLES}nothinghere/leave/")) == (404, "not_found")


@pytest.mark.rule("U2", "U3")
def test_only_keys_that_play_sit_down_and_what_cannot_be_played_is_refused_u2_u3(annas: Client, bruno: Player) -> None:
    reading = by_key(make_key(bruno, scopes=["read", "organise"]))
    assert code(send(reading, TABLES, BODY)) == (403, "scope_missing")
    assert send(Client(), TABLES, BODY).status_code == 401
    assert code(send(annas, TABLES, {**BODY, "players": 3})) == (409, "setup_refused")
    (fault,) = send(annas, TABLES, {**BODY, "cards": 1}).json()["errors"]
    assert (fault["field"], fault["code"]) == ("cards", "unknown")
