"""Series by programs (E7): made, changed, stopped and deleted by a key for what is its owner's own."""

from datetime import datetime

import pytest
from django.test import Client

from players.models import Player
from tests.support.keys import by_key, code, make_key, send
from tournaments.clubs.actions import create_club
from tournaments.models import Series

pytestmark = pytest.mark.django_db

LIST = "/api/v1/series/"
BODY = {
    "name": "Giovedì",
    "format": "ko",
    "ruleset": "scopa",
    "length_kind": "deals",
    "length_value": 1,
    "weekday": 3,
    "hour": "21:00",
}


@pytest.fixture
def owner(organiser: Player) -> Client:
    return by_key(make_key(organiser, targets=["own"]))


@pytest.mark.rule("E7", "AP7")
def test_a_series_is_made_changed_stopped_and_deleted_e7_u7(owner: Client) -> None:
    made = send(owner, LIST, BODY)
    assert made.status_code == 201, made.content
    own = f"{LIST}{made.json()['public_id']}/"
    told = made.json()
    assert (told["weekday"], told["hour"], told["days_ahead"], told["trouble"]) == (3, "21:00:00", 6, "")
    assert (told["settings"]["name"], told["settings"]["format"], "starts_at" in told["settings"]) == (
        "Giovedì",
        "ko",
        False,
    )
    assert owner.get(LIST).json() == [owner.get(own).json()]
    changed = send(owner, own, {"weekday": 4, "max_entries": 16}, "patch").json()
    assert (changed["weekday"], changed["hour"], changed["settings"]["max_entries"]) == (4, "21:00:00", 16)
    assert send(owner, f"{own}stop/").json()["due_at"] is None
    assert send(owner, f"{own}resume/").json()["due_at"] is not None
    refused = send(owner, LIST, {**BODY, "starts_at": "2030-01-01T20:00:00Z"}).json()
    assert [(fault["field"], fault["code"]) for fault in refused["errors"]] == [("starts_at", "unknown")]
    assert code(send(owner, LIST, {**BODY, "min_entries": 9, "max_entries": 8})) == (409, "entries_range")
    assert send(owner, own, method="delete").status_code == 204
    assert not Series.objects.exists()


@pytest.mark.rule("E7", "AP2")
def test_a_series_is_of_its_owner_and_of_a_club_only_by_choice_e7_u2(
    owner: Client, organiser: Player, anna: Player, now: datetime
) -> None:
    club = create_club(by=organiser, name="Circolo", description="", now=now)
    assert code(send(owner, LIST, {**BODY, "club": club.public_id})) == (403, "not_chosen")
    both = by_key(make_key(organiser, targets=["own", f"club:{club.public_id}"]))
    made = send(both, LIST, {**BODY, "club": club.public_id})
    assert (made.status_code, made.json()["club"]) == (201, club.public_id)
    own = f"{LIST}{made.json()['public_id']}/"
    assert code(send(owner, own, {"weekday": 1}, "patch")) == (403, "not_chosen")
    annas = by_key(make_key(anna, targets=["own"]))
    for method, address in (("get", own), ("patch", own), ("post", f"{own}stop/"), ("delete", own)):
        assert code(send(annas, address, method=method)) == (404, "not_found")
    assert annas.get(LIST).json() == []
    assert code(by_key(make_key(organiser)).get(LIST)) == (403, "not_chosen")
