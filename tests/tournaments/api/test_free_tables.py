"""Free tables by programs: listed for everybody, opened, taken and left by keys that play."""

from datetime import datetime

import pytest
from django.test import Client
from django.utils import timezone

from games.models import FreeTable, Match
from players.models import Player
from tests.support.chips import give_chips, read_chips, read_held
from tests.support.keys import by_key, code, make_key, send
from tests.support.lobby import finish_by_forfeit

pytestmark = pytest.mark.django_db

TABLES = "/api/v1/tables/"
BODY = {"ruleset": "scopa", "players": 2, "length_kind": "points", "length_value": 11}


@pytest.fixture
def annas(anna: Player) -> Client:
    return by_key(make_key(anna, scopes=["read", "play"]))


@pytest.mark.rule("AP2", "AP7")
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


@pytest.mark.rule("AP7")
def test_a_table_is_left_or_filled_with_the_house_u7(annas: Client, now: datetime) -> None:
    own = f"{TABLES}{send(annas, TABLES, {**BODY, 'public': False}).json()['public_id']}/"
    assert Client().get(TABLES).json() == []
    assert Client().get(own).json()["public"] is False
    assert send(annas, f"{own}leave/").status_code == 204
    assert FreeTable.objects.get().state == "closed"
    own = f"{TABLES}{send(annas, TABLES, BODY).json()['public_id']}/"
    assert send(annas, f"{own}house/").json()["state"] == "started"
    assert code(send(annas, f"{TABLES}nothinghere/leave/")) == (404, "not_found")


@pytest.mark.rule("AP2", "AP3")
def test_only_keys_that_play_sit_down_and_what_cannot_be_played_is_refused_u2_u3(annas: Client, bruno: Player) -> None:
    reading = by_key(make_key(bruno, scopes=["read", "organise"]))
    assert code(send(reading, TABLES, BODY)) == (403, "scope_missing")
    assert send(Client(), TABLES, BODY).status_code == 401
    assert code(send(annas, TABLES, {**BODY, "players": 3})) == (409, "setup_refused")
    (fault,) = send(annas, TABLES, {**BODY, "cards": 1}).json()["errors"]
    assert (fault["field"], fault["code"]) == ("cards", "unknown")


@pytest.mark.rule("AP7", "Z1", "Z4", "Z5")
def test_chips_are_read_topped_up_and_hidden_by_their_owner(annas: Client, anna: Player, bruno: Player) -> None:
    assert annas.get("/api/v1/chips/").json() == {"balance": 0, "held": 0, "free": 0}
    assert send(annas, "/api/v1/chips/top-up/").json() == {"balance": 100, "held": 0, "free": 100}
    assert code(send(annas, "/api/v1/chips/top-up/")) == (409, "topped_up")
    (entry,) = annas.get("/api/v1/chips/entries/").json()["results"]
    assert (entry["amount"], entry["reason"], entry["match"]) == (100, "top_up", None)
    assert by_key(make_key(bruno, scopes=["read", "play"])).get("/api/v1/chips/entries/").json()["results"] == []
    assert code(send(annas, TABLES, {**BODY, "stake": 5})) == (409, "stakes_off")
    assert send(annas, "/api/v1/chips/show/", {"shown": True}).status_code == 204
    assert send(annas, TABLES, {**BODY, "stake": 5}).status_code == 201
    assert annas.get("/api/v1/chips/").json() == {"balance": 100, "held": 5, "free": 95}
    assert read_chips(anna) == [100]


@pytest.mark.rule("AP7", "Z2", "B5")
def test_a_table_with_a_stake_says_what_it_can_cost_and_is_played_again(
    annas: Client, anna: Player, bruno: Player, now: datetime
) -> None:
    for player in (anna, bruno):
        give_chips(player, 100, now)
    brunos = by_key(make_key(bruno, scopes=["play"]))
    made = send(annas, TABLES, {**BODY, "stake": 30}).json()
    assert (made["stake"], made["stake_per"], [seat["greatest_loss"] for seat in made["seats"]]) == (
        30,
        "match",
        [30, 30],
    )
    assert Client().get(TABLES).json() == [], "who doesn't see chips isn't shown it"
    own = f"{TABLES}{made['public_id']}/"
    assert code(send(annas, f"{own}house/")) == (409, "stake_no_house")
    assert Client().get(f"{own}rematch/").status_code == 404, "nothing is over yet"
    assert code(send(annas, f"{own}rematch/")) == (409, "no_rematch")
    send(brunos, f"{own}sit/", {"seat": 1})
    finish_by_forfeit(Match.objects.get(), 1, timezone.now())
    assert read_chips(anna, bruno) == [130, 70]
    asked = send(annas, f"{own}rematch/").json()
    assert (asked["open"], asked["asked"], asked["missing"], asked["won"]) == (True, True, ["Bruno"], [1, 0])
    following = send(brunos, f"{own}rematch/").json()
    assert Client().get(f"{TABLES}{following['table']}/").json()["previous"] == made["public_id"]
    assert following["match"] == Match.objects.latest("pk").public_id
    assert read_held(anna, bruno) == [30, 30]
