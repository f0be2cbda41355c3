"""Tournaments for programs: what is public, and nothing else."""

from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client

from players.models import Player
from tests.support.play import rounds_played
from tests.support.tournaments import GIRONE, KO, Opened
from tournaments.entries import join
from tournaments.models import Tournament
from tournaments.organise import lifecycle

pytestmark = [pytest.mark.django_db]

LIST = "/api/v1/tournaments/"


def test_a_finished_tournament_gives_entries_rounds_and_standings(
    opened: Opened, four: list[Player], now: datetime, client: Client
) -> None:
    tournament = opened(GIRONE)
    for player in four:
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    rounds_played(tournament, now)
    answer = client.get(f"{LIST}{tournament.public_id}/").json()
    assert (answer["tournament"]["name"], answer["tournament"]["entries_count"]) == (GIRONE.name, 4)
    assert sorted(entry["name"] for entry in answer["entries"]) == ["Anna", "Bruno", "Carla", "Dino"]
    assert [[fixture["state"] for fixture in round_["fixtures"]] for round_ in answer["rounds"]] == [["done"] * 2] * 3
    vp = {entry["name"]: 0 for entry in answer["entries"]}
    for round_ in answer["rounds"]:
        for fixture in round_["fixtures"]:
            for side, entry in enumerate((fixture["first"], fixture["second"])):
                vp[entry["name"]] += fixture["vp"][side]
    assert {row["line"]["name"]: row["vp"] for row in answer["standings"]} == vp


def test_the_list_is_of_what_everybody_may_know_and_can_be_narrowed(
    opened: Opened, organiser: Player, now: datetime, client: Client
) -> None:
    draft = lifecycle.create_tournament(organiser=organiser, settings=KO, now=now)
    public = opened()
    assert [row["public_id"] for row in client.get(LIST).json()["results"]] == [public.public_id]
    assert client.get(LIST, {"state": "running"}).json()["results"] == []
    assert client.get(f"{LIST}{draft.public_id}/").status_code == 404
    client.force_login(organiser.user)
    assert client.get(f"{LIST}{draft.public_id}/").status_code == 200


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_nothing_can_be_written(opened: Opened, organiser: Player, client: Client, method: str) -> None:
    client.force_login(organiser.user)
    for address in (LIST, f"{LIST}{opened().public_id}/"):
        assert getattr(client, method)(address).status_code == 405


def schema(client: Client) -> dict[str, Any]:
    document: dict[str, Any] = client.get("/api/schema/", headers={"Accept": "application/vnd.oai.openapi+json"}).json()
    return document


def test_the_root_leads_to_every_address(client: Client, db: None) -> None:
    index = client.get("/api/v1/?ignored=1").json()
    schema_at = index.pop("schema")
    assert client.get(schema_at).status_code == 200
    assert {urlsplit(address).path for address in index.values()} == set(schema(client)["paths"])
    assert index["tournaments"] == f"http://testserver{LIST}"
    assert index["matches/{public_id}"] == "http://testserver/api/v1/matches/{public_id}/"
    assert "records/replay" in index


EXTREMES = ["0", "1", "100", "101", "-1", "1e9", "x", "", "\x00", str(2**63 - 1), str(2**63), "9" * 20, "9" * 5000]


@pytest.mark.parametrize("value", EXTREMES, ids=lambda value: repr(value[:21]))
def test_no_limit_and_no_offset_is_too_much_for_a_list(opened: Opened, client: Client, value: str) -> None:
    opened()
    lists = [
        path
        for path, ways in schema(client)["paths"].items()
        if {"limit", "offset"} <= {parameter["name"] for parameter in ways.get("get", {}).get("parameters", ())}
    ]
    assert LIST in lists
    for address in lists:
        for asked in ({"limit": value}, {"offset": value}, {"limit": value, "offset": value}):
            answer = client.get(address, asked)
            assert answer.status_code == 200
            assert answer.json()["count"] == 1
            assert len(answer.json()["results"]) <= 1


def test_a_list_holds_a_hundred_at_most(opened: Opened, client: Client) -> None:
    one = opened()
    copies = Tournament.objects.filter(pk=one.pk).values().get()
    for unique in ("id", "public_id"):
        del copies[unique]
    Tournament.objects.bulk_create([Tournament(**copies) for _number in range(101)])
    answer = client.get(LIST, {"limit": "9" * 20}).json()
    assert (answer["count"], len(answer["results"])) == (102, 100)
    assert len(client.get(answer["next"]).json()["results"]) == 2
    assert len(client.get(LIST).json()["results"]) == 50


@pytest.mark.parametrize("state", ["nothing", "\x00", "open'"])
def test_a_state_there_is_not_has_no_tournaments(opened: Opened, client: Client, state: str) -> None:
    opened()
    assert client.get(LIST, {"state": state}).json()["results"] == []


def test_an_unknown_tournament_is_not_found(client: Client, db: None) -> None:
    assert client.get(f"{LIST}nothinghere/").status_code == 404


def test_the_schema_describes_every_address(client: Client, db: None) -> None:
    assert {LIST, LIST + "{public_id}/"} <= set(schema(client)["paths"])
