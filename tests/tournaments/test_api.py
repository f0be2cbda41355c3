"""Tournaments for programs: what is public, and nothing else."""

from datetime import datetime

import pytest
from django.test import Client

from players.models import Player
from tests.tournaments.conftest import GIRONE, KO, Opened
from tests.tournaments.running import rounds_played
from tournaments import services

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

LIST = "/api/v1/tournaments/"


def test_a_finished_tournament_gives_entries_rounds_and_standings(
    opened: Opened, four: list[Player], now: datetime, client: Client
) -> None:
    tournament = opened(GIRONE)
    for player in four:
        services.join(tournament_id=tournament.pk, player=player, now=now)
    rounds_played(tournament, now)
    answer = client.get(f"{LIST}{tournament.public_id}/").json()
    assert (answer["tournament"]["name"], answer["tournament"]["entries_count"]) == (GIRONE.name, 4)
    assert sorted(entry["name"] for entry in answer["entries"]) == ["Anna", "Bruno", "Carla", "Dino"]
    assert [[fixture["state"] for fixture in round_["fixtures"]] for round_ in answer["rounds"]] == [["done"] * 2] * 3
    vp = {entry["name"]: 0 for entry in answer["entries"]}
    for round_ in answer["rounds"]:
        for fixture in round_["fixtures"]:
            for side, line in enumerate((fixture["first"], fixture["second"])):
                vp[line["name"]] += fixture["vp"][side]
    assert {row["line"]["name"]: row["vp"] for row in answer["standings"]} == vp


def test_the_list_is_of_what_everybody_may_know_and_can_be_narrowed(
    opened: Opened, organiser: Player, now: datetime, client: Client
) -> None:
    draft = services.create(organiser=organiser, settings=KO, now=now)
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


def test_the_root_leads_to_the_lists(client: Client, db: None) -> None:
    index = client.get("/api/v1/").json()
    assert index["tournaments"].endswith(LIST)
    assert all(client.get(address).status_code == 200 for address in index.values())


def test_an_unknown_tournament_is_not_found(client: Client, db: None) -> None:
    assert client.get(f"{LIST}nothinghere/").status_code == 404


def test_the_schema_describes_every_address(client: Client, db: None) -> None:
    answer = client.get("/api/schema/", headers={"Accept": "application/vnd.oai.openapi+json"})
    assert {LIST, LIST + "{public_id}/"} <= set(answer.json()["paths"])
