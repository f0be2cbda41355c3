"""Tournaments for programs: what is public, and nothing else."""

import re
from collections.abc import Iterator
from datetime import datetime
from itertools import product
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.cache import cache
from django.test import Client

from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.keys import by_key, make_key
from tests.support.live import ROOT
from tests.support.play import rounds_played
from tests.support.routes import read_api_document
from tests.support.thorough import tries
from tests.support.tournaments import GIRONE, KO, Opened
from tournaments.entries import join
from tournaments.models import Tournament
from tournaments.organise import lifecycle
from tournaments.organise.settings import Settings

pytestmark = [pytest.mark.django_db]

LIST = "/api/v1/tournaments/"


@arrange_once
def finished(opened: Opened, four: list[Player], now: datetime) -> Tournament:
    """A girone that is over, the last of five tournaments."""
    for number in range(4):
        opened(name=f"Numero {number}")
    tournament = opened(GIRONE)
    for player in four:
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    rounds_played(tournament, now)
    return tournament


def test_a_finished_tournament_gives_entries_rounds_and_standings(finished: Tournament, client: Client) -> None:
    answer = client.get(f"{LIST}{finished.public_id}/").json()
    assert (answer["tournament"]["name"], answer["tournament"]["entries_count"]) == (GIRONE.name, 4)
    assert sorted(entry["name"] for entry in answer["entries"]) == ["Anna", "Bruno", "Carla", "Dino"]
    assert [[fixture["state"] for fixture in round_["fixtures"]] for round_ in answer["rounds"]] == [["done"] * 2] * 3
    vp = {entry["name"]: 0 for entry in answer["entries"]}
    for round_ in answer["rounds"]:
        for fixture in round_["fixtures"]:
            for side, entry in enumerate((fixture["first"], fixture["second"])):
                vp[entry["name"]] += fixture["vp"][side]
    assert {row["entry"]["name"]: row["vp"] for row in answer["standings"]} == vp


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


def test_the_root_leads_to_every_address(client: Client, db: None) -> None:
    index = client.get("/api/v1/").json()
    schema_at = index.pop("schema")
    assert urlsplit(schema_at).path == "/api/schema/"
    assert {urlsplit(address).path for address in index.values()} == set(read_api_document()["paths"])
    assert index["tournaments"] == f"http://testserver{LIST}"
    assert index["matches/{public_id}"] == "http://testserver/api/v1/matches/{public_id}/"
    assert "records/replay" in index


EXTREMES = ["0", "101", "-1", "1e9", "x", "", "\x00", str(2**63), "9" * 20, "9" * 5000]


def list_paged(public_id: str) -> list[str]:
    """Return the addresses of all lists, of this tournament where one is meant."""
    lists = [
        re.sub(r"{[a-z]+}", "mine", path.replace("{public_id}", public_id))
        for path, ways in read_api_document()["paths"].items()
        if "cursor" in {parameter["name"] for parameter in ways.get("get", {}).get("parameters", ())}
    ]
    assert LIST in lists
    return lists


@pytest.mark.rule("AP3")
def test_a_limit_or_a_cursor_that_will_not_do_is_refused_by_its_name_u3(opened: Opened, client: Client) -> None:
    addresses = list_paged(opened().public_id)
    # every value at one list, and every list with one value
    asked = [
        (address, value)
        for address, value in product(addresses, EXTREMES)
        if address == LIST or value == tries("x", value)
    ]
    for address, value in asked:
        for name in ("limit", "cursor"):
            answer = client.get(address, {name: value})
            assert answer.status_code == 400, (address, value)
            assert [fault["field"] for fault in answer.json()["errors"]] == [name]


@pytest.mark.rule("AP3")
def test_what_no_address_knows_is_refused_by_its_name_u3(opened: Opened, client: Client) -> None:
    public_id = opened().public_id
    addresses = [*list_paged(public_id), f"{LIST}{public_id}/", "/api/v1/"]
    for address in addresses:
        answer = client.get(address, {"colour": "red"})
        faults = [(fault["field"], fault["code"]) for fault in answer.json()["errors"]]
        assert (answer.status_code, faults) == (400, [("colour", "unknown")]), address
    twice = client.get(f"{LIST}?state=open&state=running").json()
    assert [(fault["field"], fault["code"]) for fault in twice["errors"]] == [("state", "repeated")]


@pytest.mark.parametrize("state", ["nothing", "\x00", "open'"])
def test_a_state_there_is_not_is_refused(opened: Opened, client: Client, state: str) -> None:
    answer = client.get(LIST, {"state": state})
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "state")


def walk(client: Client, address: str, limit: int) -> Iterator[dict[str, Any]]:
    """Yield every row of a list, page after page."""
    following: str | None = f"{address}?limit={limit}"
    while following:
        answer = client.get(following).json()
        assert len(answer["results"]) <= limit
        yield from answer["results"]
        following = answer["next"]


@pytest.mark.rule("AP3")
@pytest.mark.parametrize("limit", [1, 3, 100])
def test_pages_together_are_the_whole_list_u3(finished: Tournament, client: Client, limit: int) -> None:
    own = f"{LIST}{finished.public_id}/"
    whole = client.get(own).json()
    assert list(walk(client, f"{own}entries/", limit)) == whole["entries"]
    assert list(walk(client, f"{own}standings/", limit)) == whole["standings"]
    fixtures = [fixture for round_ in whole["rounds"] for fixture in round_["fixtures"]]
    assert list(walk(client, f"{own}fixtures/", limit)) == fixtures
    ids = [row["public_id"] for row in walk(client, LIST, limit)]
    others = Tournament.objects.filter(name__startswith="Numero").order_by("-name").values_list("public_id", flat=True)
    assert ids == [finished.public_id, *others]
    second = client.get(f"{own}fixtures/", {"round": 2}).json()["results"]
    assert second == [fixture for fixture in fixtures if fixture["round"] == 2]
    assert client.get(f"{own}fixtures/", {"state": "waiting"}).json()["results"] == []


@pytest.mark.rule("AP3")
def test_a_page_behind_a_row_that_has_gone_is_refused_u3(
    opened: Opened, four: list[Player], now: datetime, client: Client
) -> None:
    tournament = opened()
    for player in four[:3]:
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    first = client.get(f"{LIST}{tournament.public_id}/entries/", {"limit": 1}).json()
    join.leave_tournament(tournament_id=tournament.pk, player=four[0], now=now)
    answer = client.get(first["next"])
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (400, "gone")


def test_a_list_holds_fifty_or_as_many_as_asked_for(opened: Opened, client: Client) -> None:
    one = opened()
    copies = Tournament.objects.filter(pk=one.pk).values().get()
    for unique in ("id", "public_id"):
        del copies[unique]
    Tournament.objects.bulk_create([Tournament(**copies) for _number in range(101)])
    answer = client.get(LIST, {"limit": "100"}).json()
    assert len(answer["results"]) == 100
    assert len(client.get(answer["next"]).json()["results"]) == 2
    assert len(client.get(LIST).json()["results"]) == 50


def test_an_unknown_tournament_is_not_found(client: Client, db: None) -> None:
    assert client.get(f"{LIST}nothinghere/").status_code == 404


def test_the_schema_describes_every_address(db: None) -> None:
    assert {LIST, LIST + "{public_id}/"} <= set(read_api_document()["paths"])


@pytest.mark.rule("AP2")
def test_a_key_sees_what_it_was_made_for_and_what_its_owner_may_u2(
    opened: Opened, organiser: Player, anna: Player, now: datetime
) -> None:
    tournament = opened(registration=Tournament.Registration.CODE, join_code="QUATTRO")
    draft = lifecycle.create_tournament(organiser=organiser, settings=KO, now=now)
    target = f"tournament:{tournament.public_id}"
    one = f"{LIST}{tournament.public_id}/"

    def code(key: str) -> Any:
        return by_key(key).get(one).json()["tournament"]["join_code"]

    assert code(make_key(organiser, scopes=["read", "organise"], targets=[target])) == "QUATTRO"
    assert code(make_key(organiser, scopes=["read", "organise"], targets=["new"])) is None
    assert code(make_key(organiser, scopes=["read", "play"])) is None
    assert code(make_key(anna, scopes=["read", "organise"], targets=[target])) is None
    assert by_key(make_key(organiser, scopes=["read"])).get(f"{LIST}{draft.public_id}/").status_code == 200
    assert by_key(make_key(anna)).get(f"{LIST}{draft.public_id}/").status_code == 404
    answer = by_key(make_key(organiser, scopes=["play", "organise"], targets=[target])).get(one)
    assert (answer.status_code, answer.json()["code"], answer.json()["values"]) == (
        403,
        "scope_missing",
        {"scope": "read"},
    )


@pytest.mark.rule("AP4")
def test_an_error_has_one_form_whoever_gives_it_u4(client: Client, db: None) -> None:
    refusals = {
        404: client.get(f"{LIST}nothinghere/"),
        405: client.put(LIST, {}, content_type="application/json"),
        400: client.get(LIST, {"limit": "x"}),
        406: client.get(LIST, headers={"accept": "text/html"}),
        401: client.get(LIST, headers={"authorization": "Bearer x"}),
        413: client.post("/api/v1/records/replay/", "x" * 300_000, content_type="application/json"),
        415: client.post("/api/v1/records/replay/", "x", content_type="text/plain"),
    }
    for status, answer in refusals.items():
        body = answer.json()
        assert (answer.status_code, body["status"]) == (status, status)
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert {"type", "title", "status", "code", "detail"} <= set(body)
    unknown = client.get("/api/v1/nope/")
    assert (unknown.status_code, unknown.headers["Content-Type"]) == (404, "application/problem+json")


@pytest.mark.rule("AP5")
def test_every_answer_says_how_many_requests_are_left_u5(client: Client, anna: Player, settings: Any, db: None) -> None:
    cache.clear()
    settings.REST_FRAMEWORK = {
        **settings.REST_FRAMEWORK,
        "DEFAULT_THROTTLE_RATES": {"address": "3/min", "user": "2/min"},
    }
    left = [client.get(LIST).headers for _number in range(4)]
    assert [row["RateLimit-Limit"] for row in left] == ["3"] * 4
    assert [row["RateLimit-Remaining"] for row in left] == ["2", "1", "0", "0"]
    assert all(0 < int(row["RateLimit-Reset"]) <= 60 for row in left)
    assert int(left[3]["Retry-After"]) > 0
    mine = by_key(make_key(anna)).get(f"{LIST}nothinghere/").headers
    assert (mine["RateLimit-Limit"], mine["RateLimit-Remaining"]) == ("2", "1")


def test_the_document_of_the_repository_is_the_one_the_site_serves(client: Client, db: None) -> None:
    """Run ``manage.py spectacular --validate --file docs/api.yaml`` after a change."""
    served = client.get("/api/schema/", headers={"Accept": "application/vnd.oai.openapi"}).content.decode()
    assert (ROOT / "docs/api.yaml").read_text() == served


@pytest.mark.rule("AP8")
def test_a_tournament_tells_every_setting_by_its_own_name_u8(opened: Opened, client: Client) -> None:
    answer = client.get(f"{LIST}{opened().public_id}/").json()["tournament"]
    settings = {"club" if name == "club_id" else name for name in Settings.__slots__}
    assert settings - set(answer) == set()


def test_a_filter_may_be_called_format(opened: Opened, client: Client) -> None:
    girone, ko = opened(GIRONE), opened(KO)
    for tournament in (girone, ko):
        rows = client.get(LIST, {"format": tournament.format}).json()["results"]
        assert [row["public_id"] for row in rows] == [tournament.public_id]


def test_a_record_without_a_body_and_a_method_there_is_not_are_refused(client: Client, db: None) -> None:
    assert client.post("/api/v1/records/replay/", "", content_type="application/json").json()["ok"] is False
    for address in (LIST, f"{LIST}nothinghere/entries/"):
        assert client.options(address).status_code == 405
