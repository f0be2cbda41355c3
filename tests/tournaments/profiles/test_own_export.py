"""All own data as one file: every part that the site keeps, by page and by API, and nothing that opens a door."""

import json
from contextlib import closing
from datetime import datetime
from http.client import HTTPConnection

import pytest
from django.test import Client
from django.urls import reverse

from games.models import ChatLine, SeatFacts
from players.models import Player
from players.services import own_data
from players.services.own_data import list_parts, read_part
from tests.support import play as running
from tests.support.archives import read_zip
from tests.support.entries import fill_sit_and_go
from tests.support.keys import by_key, make_key
from tests.support.live import Site
from tests.support.people import give_address, sign_in
from tests.support.tournaments import GIRONE, Opened
from tests.support.waiting import PATIENCE
from tournaments.desk.act import Act
from tournaments.desk.results import Decision, annul_result, set_result
from tournaments.models import Fixture

pytestmark = pytest.mark.django_db
PARTS = {
    *("account", "audience", "pairs", "access", "follows", "blocks", "moderation", "marks"),
    *("matches", "training", "statistics", "chat", "reports", "chips"),
    *("entries", "results", "memberships", "organised", "levels"),
}


def test_the_file_has_every_part_and_no_secret(
    anna: Player, bruno: Player, opened: Opened, now: datetime, client: Client
) -> None:
    give_address(anna)
    give_address(bruno)
    tournament = fill_sit_and_go(opened, [anna, bruno], now)
    running.rounds_played(tournament, now)
    match = anna.seats.get().match
    for seat, text in ((anna.seats.get().number, "ciao a tutti"), (bruno.seats.get().number, "parole di Bruno")):
        ChatLine.objects.create(match=match, seat=seat, text=text, client_id=text, at=now)
    key = make_key(anna, scopes=["read", "play"])
    assert set(list_parts()) >= PARTS
    parts = read_zip(sign_in(anna).get(reverse("own-data")).streaming_content)  # type: ignore[attr-defined]
    assert set(parts) == {f"{name}.json" for name in list_parts()}
    assert parts["account.json"][0]["addresses"] == [{"address": "anna@example.org", "confirmed": True}]
    assert parts["matches.json"][0]["record"]["verbale"] == 1
    assert [row["tournament"] for row in parts["entries.json"]] == [tournament.public_id]
    assert [row["text"] for row in parts["chat.json"]] == ["ciao a tutti"]
    text = json.dumps(parts)
    for secret in (anna.user.password, key, "bruno@example.org", "parole di Bruno"):
        assert secret not in text
    by_program = read_zip(by_key(key).get("/api/v1/me/export/").streaming_content)  # type: ignore[attr-defined]
    assert by_program.keys() == parts.keys()
    assert client.get(reverse("own-data")).status_code == 302
    for answer in (sign_in(anna).get(reverse("own-data")), by_key(key).get("/api/v1/me/export/")):
        assert "no-store" in answer["Cache-Control"], "no cache keeps it"


def test_the_web_server_sends_it_piece_by_piece(live_site: Site, anna: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_data, "CHUNK_BYTES", 200)
    key = make_key(anna, scopes=["read", "play"])
    with closing(HTTPConnection("127.0.0.1", live_site.port, timeout=PATIENCE)) as connection:
        connection.request("GET", "/api/v1/me/export/", headers={"Authorization": f"Bearer {key}"})
        answer = connection.getresponse()
        assert answer.getheader("Transfer-Encoding") == "chunked"
        assert read_zip([answer.read()]).keys() == {f"{name}.json" for name in list_parts()}


@pytest.mark.rule("F2")
def test_statistics_are_in_it_with_the_results_that_hold(
    anna: Player, bruno: Player, opened: Opened, organiser: Player, now: datetime
) -> None:
    tournament = fill_sit_and_go(opened, [anna, bruno], now, base=GIRONE)
    running.rounds_played(tournament, now)
    fixture = Fixture.objects.of(tournament).get(second__isnull=False)
    number = anna.seats.get().number
    points = (9, 2) if number == 1 else (2, 9)
    where = {"tournament_id": tournament.pk, "fixture_id": fixture.pk}
    decision = Decision(points=points, winner=1 - number)
    set_result(**where, decision=decision, act=Act(by=organiser, reason="Carte cadute", now=now))
    [facts] = SeatFacts.objects.filter(player=anna)
    [row] = read_part("statistics", anna)
    assert (row["outcome"], row["points_for"], row["points_against"], row["deals"]) == ("lost", 2, 9, 1)
    assert row["table"] == anna.seats.get().match.public_id
    annul_result(**where, act=Act(by=organiser, reason="Errore", now=now))
    [row] = read_part("statistics", anna)
    assert row["outcome"] == "annulled"
    assert (row["points_for"], row["points_against"]) == (facts.points_for, facts.points_against), "as played"
