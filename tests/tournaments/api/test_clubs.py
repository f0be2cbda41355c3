"""Clubs, referees, invitations and one's own matches by programs: the services of the pages, by keys."""

from datetime import datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Player
from tests.support.entries import enter_all
from tests.support.keys import by_key, make_key, send
from tests.support.play import rounds_played
from tests.support.tournaments import GIRONE, Opened
from tournaments.clubs.actions import create_club
from tournaments.entries.import_list import add_names
from tournaments.lists.spreadsheet import Row
from tournaments.models import Club, ClubMember

pytestmark = pytest.mark.django_db

CLUBS = "/api/v1/clubs/"


@pytest.mark.rule("AP7")
def test_a_club_is_founded_joined_and_administered_u7(organiser: Player, anna: Player, bruno: Player) -> None:
    admin, play = by_key(make_key(organiser)), ["read", "play"]
    made = send(admin, CLUBS, {"name": "Circolo"}).json()
    own = f"{CLUBS}{made['public_id']}/"
    assert (made["members_count"], made["description"]) == (1, "")
    assert send(admin, own, {"description": "Ogni giovedì"}, "patch").json()["name"] == "Circolo"
    asking, asked = by_key(make_key(anna, scopes=play)), by_key(make_key(bruno, scopes=play))
    assert send(asking, f"{own}join/").status_code == 200
    asks = {"player": anna.public_id, "name": "Anna", "role": "member", "state": "asking"}
    assert [row["name"] for row in Client().get(f"{own}members/").json()["results"]] == ["Teresa"]
    (newest,) = admin.get(f"{own}members/?limit=1").json()["results"]
    assert newest | asks == newest
    assert send(admin, f"{own}requests/", {"player": anna.public_id, "accept": True}).status_code == 204
    assert send(admin, f"{own}invite/", {"name": "Bruno"}).status_code == 204
    assert send(asked, f"{own}answer/", {"accept": True}).status_code == 204
    assert send(asked, f"{own}consent/", {"consents": True}).status_code == 204
    assert send(admin, f"{own}role/", {"player": anna.public_id, "role": "organiser"}).status_code == 204
    assert asking.get(own).json()["members_count"] == 3
    assert ClubMember.objects.get(player=anna).role == "organiser"
    assert ClubMember.objects.get(player=bruno).consents is True
    assert send(admin, own, method="delete").json()["code"] == "not_alone"
    assert send(asking, f"{own}leave/").status_code == 204
    assert send(admin, f"{own}remove/", {"player": bruno.public_id}).status_code == 204
    assert send(admin, own, method="delete").status_code == 204
    assert not Club.objects.exists()


@pytest.mark.rule("AP2")
def test_no_key_administers_another_club_u2(organiser: Player, anna: Player, now: datetime) -> None:
    club = create_club(by=organiser, name="Circolo", description="", now=now)
    own, target = f"{CLUBS}{club.public_id}/", [f"club:{club.public_id}"]
    acts: dict[str, Any] = {
        "invite/": {"name": "Anna"},
        "requests/": {"player": anna.public_id, "accept": True},
        "role/": {"player": anna.public_id, "role": "admin"},
        "remove/": {"player": organiser.public_id},
    }
    elsewhere, stranger = by_key(make_key(organiser)), by_key(make_key(anna, targets=target))
    for act, body in acts.items():
        assert send(elsewhere, own + act, body).json()["code"] == "not_chosen"
        assert send(stranger, own + act, body).json()["code"] == "not_admin"
    for method, body in (("patch", {"name": "Mio"}), ("delete", {})):
        assert send(elsewhere, own, body, method).status_code == 403
        assert send(stranger, own, body, method).json()["code"] == "not_admin"
    assert send(by_key(make_key(anna, targets=target)), CLUBS, {"name": "Altro"}).status_code == 403
    assert list(Club.objects.values_list("name", flat=True)) == ["Circolo"]


@pytest.mark.rule("AP7", "F1")
def test_referees_are_named_and_dismissed_u7_f1(opened: Opened, anna: Player) -> None:
    tournament = opened()
    client = by_key(make_key(tournament.organiser, targets=[f"tournament:{tournament.public_id}"]))
    own = f"/api/v1/tournaments/{tournament.public_id}/referees/"
    assert send(client, own, {"name": "anna"}).json() == {"player": anna.public_id, "name": "Anna"}
    assert Client().get(own).json() == [{"player": anna.public_id, "name": "Anna"}]
    assert send(client, own, {"name": "Nessuno"}).json()["code"] == "referee_unknown"
    assert send(client, f"{own}{anna.public_id}/", method="delete").status_code == 204
    assert send(client, f"{own}{anna.public_id}/", method="delete").json()["code"] == "no_referee"


@pytest.mark.rule("AP7", "E3")
def test_invitations_are_read_and_answered_by_who_is_invited_u7_e3(
    opened: Opened, organiser: Player, anna: Player, bruno: Player
) -> None:
    tournament = opened()
    for name in ("Anna", "Bruno"):
        add_names(tournament_id=tournament.pk, by=organiser, row=Row(1, name), now=timezone.now())
    annas, brunos = by_key(make_key(anna)), by_key(make_key(bruno))
    (asked,) = annas.get("/api/v1/invitations/").json()
    assert (asked["tournament"], asked["kind"], asked["invited_by"]) == (tournament.public_id, "entry", "Teresa")
    own = f"/api/v1/invitations/{asked['id']}/answer/"
    assert send(brunos, own, {"accept": True}).status_code == 404
    assert send(annas, own, {"accept": True}).status_code == 204
    (other,) = brunos.get("/api/v1/invitations/").json()
    assert send(brunos, f"/api/v1/invitations/{other['id']}/answer/", {"accept": False}).status_code == 204
    assert [row["name"] for row in Client().get(f"/api/v1/tournaments/{tournament.public_id}/").json()["entries"]] == [
        "Anna"
    ]


@pytest.mark.rule("AP2")
def test_a_key_tells_whose_it_is_and_reads_its_owners_matches_u2(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    rounds_played(enter_all(opened(GIRONE), four, now), now)
    client = by_key(make_key(four[0], scopes=["read", "play"]))
    me = client.get("/api/v1/me/").json()
    assert (me["name"], me["scopes"], me["targets"]) == ("Anna", ["read", "play"], [])
    own = client.get("/api/v1/me/matches/").json()["results"]
    assert len(own) == 3
    assert all("Anna" in row["players"] for row in own)
    assert client.get(f"/api/v1/matches/{own[0]['public_id']}/").json()["points"] == own[0]["points"]
    assert by_key(make_key(four[0], scopes=["read"])).get("/api/v1/me/matches/").status_code == 403
    assert Client().get("/api/v1/me/").status_code == 401
