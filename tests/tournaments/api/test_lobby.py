"""The lobby by programs (B1-B4): read by everybody, sought in by keys that play."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.lobby import seeks
from games.models import Match, Seat, Seek
from players import presence
from players.models import Player
from tests.support.entries import enter_all
from tests.support.keys import by_key, code, make_key, send
from tests.support.play import OPENING, open_ready
from tests.support.tournaments import GIRONE, Opened
from tournaments.tonight import queries

pytestmark = pytest.mark.django_db

SEEKS = "/api/v1/seeks/"
BODY = {"ruleset": "scopa", "house": True}


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have nobody here, and nothing kept, before and after; who comes stays, however slow the test is."""
    monkeypatch.setattr(presence, "KEEP_SECONDS", 600.0)
    presence.forget_here()
    queries.forget_shared()
    yield
    presence.forget_here()
    queries.forget_shared()


@pytest.fixture
def annas(anna: Player) -> Client:
    return by_key(make_key(anna, scopes=["read", "play"]))


@pytest.mark.rule("B1", "B2", "AP7")
def test_a_seek_is_begun_listed_kept_and_ended(annas: Client, anna: Player) -> None:
    presence.mark_here([anna.pk], timezone.now())
    made = send(annas, SEEKS, BODY)
    assert made.status_code == 201, made.content
    assert (made.json()["missing"], made.json()["rivals"], made.json()["house_offered"]) == (1, 0, False)
    (listed,) = Client().get(SEEKS).json()
    assert (listed["name"], listed["ruleset"], listed["form"], listed["speed"]) == ("Anna", "scopa", "alone", "normale")
    lobby = Client().get("/api/v1/lobby/").json()
    here = [{"player": anna.public_id, "name": "Anna"}]
    assert (lobby["here"], lobby["here_count"], lobby["seeking"], lobby["own"]) == (here, 1, 1, None)
    assert annas.get("/api/v1/lobby/").json()["own"]["id"] == listed["id"]
    Seek.objects.update(heard_at=timezone.now() - timedelta(seconds=15))
    assert send(annas, f"{SEEKS}heartbeat/").status_code == 200
    assert Seek.objects.get().heard_at > timezone.now() - timedelta(seconds=5)
    assert send(annas, f"{SEEKS}end/").status_code == 204
    assert code(send(annas, f"{SEEKS}end/")) == (409, "not_seeking")
    assert code(send(annas, f"{SEEKS}heartbeat/")) == (409, "not_seeking")


@pytest.mark.rule("B3", "AP7")
def test_a_seek_that_fits_is_joined_and_a_match_opens(annas: Client, bruno: Player) -> None:
    mine = send(annas, SEEKS, BODY).json()
    brunos = by_key(make_key(bruno, scopes=["play"]))
    joined = send(brunos, f"{SEEKS}{mine['id']}/join/").json()
    assert joined["match"] == Match.objects.get().public_id
    assert code(send(annas, SEEKS, BODY)) == (409, "seated_elsewhere")


@pytest.mark.rule("B4", "AP7")
def test_the_house_is_taken_when_it_is_offered(annas: Client, anna: Player) -> None:
    seeks.seek_match(player=anna, kind=seeks.SeekKind(), now=timezone.now() - timedelta(seconds=5))
    status, refused = code(send(annas, f"{SEEKS}house/"))
    assert (status, refused) == (429, "offer_later")
    Seek.objects.update(created_at=timezone.now() - timedelta(seconds=15))
    assert send(annas, f"{SEEKS}house/").json()["match"] == Match.objects.get().public_id


@pytest.mark.rule("B2", "AP2", "AP3")
def test_what_cannot_be_sought_is_refused_with_its_code(
    annas: Client, anna: Player, bruno: Player, opened: Opened, four: list[Player]
) -> None:
    reading = by_key(make_key(bruno, scopes=["read", "organise"]))
    assert code(send(reading, SEEKS, BODY)) == (403, "scope_missing")
    assert send(Client(), SEEKS, BODY).status_code == 401
    assert code(send(annas, SEEKS, {**BODY, "option_set": "muta"})) == (409, "no_such_kind")
    assert code(send(annas, SEEKS, {**BODY, "form": "pairs", "partner": "nessuno"})) == (409, "no_such_partner")
    assert code(send(annas, SEEKS, {**BODY, "lowest": 1600, "highest": 1500})) == (409, "levels_crossed")
    now = timezone.now()
    open_ready(enter_all(opened(GIRONE), four, now), now + OPENING)
    Seat.objects.update(live=False)
    assert code(send(annas, SEEKS, BODY)) == (409, "to_confirm")
    assert send(annas, SEEKS, {**BODY, "confirm": True}).status_code == 201
