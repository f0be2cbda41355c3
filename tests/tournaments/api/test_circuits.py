"""Circuits by programs (Y3): read by everybody, run by a key made for what is one's own, or for the club."""

from datetime import datetime

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.circuits import find_person, play_evening, sweep_circuits
from tests.support.counting import measure
from tests.support.keys import by_key, code, make_key, send
from tests.support.tournaments import KO, Opened
from tournaments.clubs.actions import create_club
from tournaments.models import Circuit, Tournament

pytestmark = pytest.mark.django_db
LIST = "/api/v1/circuits/"


@arrange_once
def evenings(opened: Opened, now: datetime) -> list[Tournament]:
    return [play_evening(opened, names, now, base=KO) for names in (["Ada", "Bice"], ["Bice", "Ada"])]


@pytest.fixture
def owner(organiser: Player) -> Client:
    return by_key(make_key(organiser, targets=["own"]))


@pytest.mark.rule("Y3", "AP7")
def test_a_circuit_is_made_filled_linked_read_and_ended_y3(
    owner: Client, client: Client, evenings: list[Tournament]
) -> None:
    made = send(owner, LIST, {"name": "Inverno", "table": "places", "places": [10, 4], "best_of": 1})
    assert made.status_code == 201, made.content
    own = f"{LIST}{made.json()['public_id']}/"
    ids = [tournament.public_id for tournament in evenings]
    filled = send(owner, f"{own}add/", {"tournaments": ids})
    assert [row["standing"] for row in filled.json()["tournaments"]] == ["counts", "counts"]
    assert filled.json()["counting"]
    names = owner.get(f"{own}names/").json()
    assert len(names["people"]) == 4
    for one in names["proposals"]:
        linked = send(owner, f"{own}link/", one).json()
        assert one in [{name: link[name] for name in ("person", "same_as")} for link in linked["links"]]
        assert len(linked["people"]) + len(linked["links"]) == 4
    first, second = (find_person(evenings[0], name).pk for name in ("Ada", "Bice"))
    refused = code(send(owner, f"{own}link/", {"person": first, "same_as": second}))
    assert refused == (409, "played_together")
    sweep_circuits(timezone.now())
    rows = client.get(f"{own}totals/").json()["results"]
    assert [(row["rank"], row["name"], row["total"]) for row in rows] == [(1, "Ada", 10), (2, "Bice", 10)]
    assert rows[0]["why"] == {"code": "earlier", "nth": 0, "own": ids[0], "next": ids[1]}
    page = client.get(f"{own}totals/", {"limit": 1}).json()
    assert [row["name"] for row in client.get(page["next"]).json()["results"]] == ["Bice"]
    assert [row["public_id"] for row in client.get(LIST).json()["results"]] == [made.json()["public_id"]]
    assert code(send(owner, own, {"best_of": None}, "patch")) == (409, "terms_stand")
    assert send(owner, own, {"name": "Estate"}, "patch").json()["name"] == "Estate"
    assert send(owner, f"{own}end/").json()["ended_at"] is not None
    assert code(send(owner, f"{own}remove/", {"tournament": ids[0]})) == (409, "ended")
    assert send(owner, f"{own}resume/").json()["ended_at"] is None
    assert code(send(owner, own, method="delete")) == (409, "terms_stand")


@pytest.mark.rule("Y3", "AP2")
def test_a_circuit_of_a_club_needs_a_key_for_the_club_and_nobody_else_runs_it_y3(
    owner: Client, organiser: Player, anna: Player, now: datetime
) -> None:
    club = create_club(by=organiser, name="Circolo", description="", now=now)
    body = {"name": "Inverno", "club": club.public_id}
    assert code(send(owner, LIST, body)) == (403, "not_chosen")
    for_club = by_key(make_key(organiser, targets=[f"club:{club.public_id}"]))
    own = f"{LIST}{send(for_club, LIST, body).json()['public_id']}/"
    assert code(send(owner, own, {"name": "Estate"}, "patch")) == (403, "not_chosen")
    annas = by_key(make_key(anna, targets=["own", f"club:{club.public_id}"]))
    assert code(send(annas, own, {"name": "Estate"}, "patch")) == (403, "not_yours")
    assert code(annas.get(f"{own}names/")) == (403, "not_yours")
    assert code(Client().get(f"{own}names/"))[0] == 401
    assert send(for_club, own, method="delete").status_code == 204
    assert not Circuit.objects.exists()


@pytest.mark.rule("Y3", "AP3")
def test_a_list_costs_the_same_for_one_circuit_and_for_five_y3(
    owner: Client, client: Client, evenings: list[Tournament]
) -> None:
    def make() -> None:
        made = send(owner, LIST, {"name": "Inverno", "table": "places", "places": [10, 4]}).json()["public_id"]
        send(owner, f"{LIST}{made}/add/", {"tournaments": [tournament.public_id for tournament in evenings]})
        sweep_circuits(timezone.now())

    make()
    one = measure(lambda: client.get(LIST))[0]
    for _time in range(4):
        make()
    assert len(client.get(LIST).json()["results"]) == 5
    assert measure(lambda: client.get(LIST))[0] == one
