"""Free tables at which the house plays for whoever is absent: chosen when one is set up, said before one sits down."""

from datetime import datetime

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from games.lobby import actions
from games.lobby.actions import LobbyRefused
from games.models import FreeTable, Match
from players.models import Player
from tests.support.html import read_hooks
from tests.support.keys import by_key, make_key, send
from tests.support.lobby import open_free_table, sit_down_at
from tests.support.people import sign_in

pytestmark = pytest.mark.django_db

HOUSE = Match.Absence.HOUSE


def test_people_play_by_what_the_table_says(anna: Player, bruno: Player, now: datetime) -> None:
    table = open_free_table(anna, now, players=2, absence=HOUSE)
    match = sit_down_at(table, bruno, 1, now)
    assert match is not None
    assert match.absence == HOUSE


def test_chi_manca_perde_unless_somebody_chose_otherwise(anna: Player, bruno: Player, now: datetime) -> None:
    match = sit_down_at(open_free_table(anna, now, players=2), bruno, 1, now)
    assert match is not None
    assert match.absence == Match.Absence.LOSES


def test_with_the_house_at_the_table_it_plays_for_who_is_absent_too(anna: Player, now: datetime) -> None:
    match = actions.fill(table_id=open_free_table(anna, now, players=2).pk, by=anna, now=now)
    assert match is not None
    assert match.absence == HOUSE


def test_such_a_table_has_no_stake(anna: Player, now: datetime) -> None:
    with pytest.raises(LobbyRefused, match="stake_no_house"):
        open_free_table(anna, now, absence=HOUSE, stake=5)
    table = open_free_table(anna, now, absence=HOUSE)
    with pytest.raises(IntegrityError), transaction.atomic():
        FreeTable.objects.filter(pk=table.pk).update(stake=5)


def test_it_is_said_on_the_tables_page_and_in_the_list_before_one_sits_down(
    anna: Player, bruno: Player, now: datetime
) -> None:
    table = open_free_table(anna, now, absence=HOUSE)
    page = sign_in(bruno).get(reverse("free-table", args=[table.public_id])).content.decode()
    assert "house-plays" in read_hooks(page, "note")
    table.absence = Match.Absence.LOSES
    table.save()
    page = sign_in(bruno).get(reverse("free-table", args=[table.public_id])).content.decode()
    assert "house-plays" not in read_hooks(page, "note")


def test_the_form_and_the_api_choose_it(anna: Player, bruno: Player) -> None:
    form = {
        "ruleset": "scopa", "players": "2", "length_kind": "points", "length_value": "11", "turn_timeout": "60",
        "match_clock": "", "public": "on", "absence": "house",
    }  # fmt: skip
    assert sign_in(anna).post(reverse("free-table-new"), form).status_code == 302
    assert FreeTable.objects.get().absence == HOUSE
    body = {"ruleset": "scopa", "players": 2, "length_kind": "points", "length_value": 11, "absence": "house"}
    made = send(by_key(make_key(bruno, scopes=["read", "play"])), "/api/v1/tables/", body)
    assert made.json()["absence"] == "house"
    assert {table["absence"] for table in Client().get("/api/v1/tables/").json()} == {"house"}
