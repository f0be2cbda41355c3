"""The page of training, its address in the API, who sees what was played, and how long it is kept (B7)."""

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.engine.game import Length
from games.lobby.actions import LobbyRefused
from games.models import Match, Seat, Strength
from games.selectors import list_card_points
from games.services import playing, seating
from games.sweep import Sweep
from games.training.actions import begin_training, forget_training
from games.training.queries import MAX_LISTED, list_training
from players import caps
from players.models import Player
from players.services.close_account import close_account
from players.services.own_data import read_part
from tests.support.html import read_attribute, read_hooks
from tests.support.keys import by_key, code, make_key, send
from tests.support.lobby import begin_at
from tests.support.people import sign_in
from tests.support.tables import FIRST, again, play_out, seated

pytestmark = pytest.mark.django_db

FORM = {"ruleset": "scopa", "players": "2", "length_kind": "points", "length_value": "11", "strength": "club"}
OWN = "/api/v1/me/training/"
BODY = {"ruleset": "scopa", "players": 2, "length_kind": "points", "length_value": 11}


def begin(player: Player, now: datetime, players: int = 2, ruleset: str = "scopa") -> Match:
    return begin_training(
        player=player,
        ruleset=ruleset,
        players=players,
        length=Length("points", 11),
        options={},
        turn_timeout=None,
        match_clock=None,
        strength="club",
        now=now,
    )


def finish(match: Match, player: Player, now: datetime) -> Match:
    seating.sit_down(match_id=match.pk, player_id=player.pk, token=FIRST, now=now)
    playing.abandon(match_id=match.pk, seat=0, control=FIRST, confirm=True, client_id=None, now=now)
    return again(match)


@pytest.mark.rule("B7")
def test_training_is_begun_on_its_page_without_a_clock_and_gone_on_with(anna: Player) -> None:
    client = sign_in(anna)
    answer = client.post(reverse("training"), FORM)
    match = Match.objects.get(training=True)
    assert answer.headers["Location"] == reverse("table", args=[match.public_id])
    assert (match.turn_timeout, match.match_clock, match.absence) == (None, None, Match.Absence.HOUSE)
    assert match.house_seats == 0b10
    page = client.get(reverse("training")).content.decode()
    assert 'data-training="waiting"' in page
    assert reverse("table", args=[match.public_id]) in page
    assert client.get(reverse("table", args=[match.public_id])).status_code == 200


@pytest.mark.rule("B7", "HP2")
def test_a_strength_is_chosen_and_circolo_is_it_where_none_was(anna: Player) -> None:
    client = sign_in(anna)
    assert "strength" in read_attribute(client.get(reverse("training")), "name", "input")
    client.post(reverse("training"), {name: value for name, value in FORM.items() if name != "strength"})
    assert Match.objects.get(training=True).strength == Strength.CLUB
    client.post(reverse("training"), FORM | {"strength": "master"})
    assert Match.objects.filter(training=True, strength=Strength.MASTER).count() == 1


def test_a_visitor_trains_as_a_guest() -> None:
    client = Client()
    client.post(reverse("training"), FORM)
    assert Seat.objects.get(match__training=True, number=0).player.is_guest


def test_of_four_and_of_three_the_house_takes_the_other_seats(anna: Player, now: datetime) -> None:
    assert begin(anna, now, 4, "tresette").house_seats == 0b1110
    assert begin(anna, now, 3, "tressette-accusa").house_seats == 0b1010


@pytest.mark.rule("B7")
def test_it_is_marked_at_the_table_and_on_the_result_s_page(anna: Player, bruno: Player, now: datetime) -> None:
    client = sign_in(anna)
    match = begin(anna, now)
    assert "training" in read_hooks(client.get(reverse("table", args=[match.public_id])), "note")
    finish(match, anna, now)
    assert "training" in read_hooks(client.get(reverse("match-result", args=[match.public_id])), "note")
    free = begin_at([anna, bruno], now)
    assert "training" not in read_hooks(client.get(reverse("table", args=[free.public_id])), "note")


@pytest.mark.rule("B7")
def test_what_was_played_is_shown_to_its_player_alone(anna: Player, bruno: Player, now: datetime) -> None:
    match = finish(begin(anna, now), anna, now)
    addresses = [
        reverse("match-result", args=[match.public_id]),
        reverse("match-record", args=[match.public_id]),
        reverse("match-replay", args=[match.public_id, 1]),
        reverse("table", args=[match.public_id]),
        f"/api/v1/matches/{match.public_id}/",
    ]
    assert [sign_in(anna).get(address).status_code for address in addresses] == [200] * 5
    for client in (sign_in(bruno), Client()):
        assert [client.get(address).status_code for address in addresses] == [404] * 5


@pytest.mark.rule("B7", "AP2")
def test_a_key_begins_training_and_reads_it_with_its_record_u2(anna: Player, bruno: Player, now: datetime) -> None:
    client = by_key(make_key(anna, scopes=["read", "play"]))
    made = send(client, OWN, BODY)
    assert made.status_code == 201
    assert (made.json()["status"], made.json()["turn_timeout"]) == ("waiting", None)
    assert code(send(client, OWN, {**BODY, "strength": "grandmaster"}))[0] == 400
    assert code(send(client, OWN, {**BODY, "players": 3})) == (409, "setup_refused")
    own = f"{OWN}{made.json()['public_id']}/"
    assert client.get(own).json()["record"] is None
    finish(Match.objects.get(training=True), anna, now)
    assert client.get(own).json()["decided_by"] == "set_aside"
    assert client.get(own).json()["record"]["ruleset"] == "scopa"
    assert [each["public_id"] for each in client.get(OWN).json()] == [made.json()["public_id"]]
    brunos = by_key(make_key(bruno, scopes=["read", "play"]))
    assert (brunos.get(own).status_code, brunos.get(OWN).json()) == (404, [])
    assert client.get("/api/v1/me/matches/").json()["results"] == []


def test_one_person_begins_only_so_many(anna: Player, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caps, "TRAININGS_A_PERSON", (caps.Cap(1, caps.HOUR),))
    begin(anna, now)
    with pytest.raises(LobbyRefused, match="too_many_tables"):
        begin(anna, now)


@pytest.mark.rule("B7")
def test_training_is_set_aside_a_day_after_it_was_begun(anna: Player, now: datetime) -> None:
    match = begin(anna, now)
    Sweep(lambda: now + timedelta(hours=23, minutes=59)).round()
    assert again(match).stopped_at is None
    Sweep(lambda: now + timedelta(days=1, minutes=1)).round()
    assert again(match).stopped_at is not None


def test_training_that_is_over_is_forgotten_after_thirty_days(anna: Player, now: datetime) -> None:
    match = finish(begin(anna, now), anna, now)
    assert not forget_training(match_id=match.pk, now=now + timedelta(days=29))
    Sweep(lambda: now + caps.TRAINING_KEPT - timedelta(minutes=1)).round()
    assert Match.objects.filter(pk=match.pk).exists()
    Sweep(lambda: now + caps.TRAINING_KEPT).round()
    assert not Match.objects.filter(pk=match.pk).exists()


def test_what_is_kept_is_among_ones_own_data_once(anna: Player, bruno: Player, now: datetime) -> None:
    begun = [begin(anna, now + timedelta(minutes=number)) for number in range(MAX_LISTED + 1)]
    rows = {row["id"]: row for row in read_part("training", anna)}
    assert rows.keys() == {match.public_id for match in begun}, "all of it, however much a page lists"
    running = rows.pop(begun[-1].public_id)
    assert (running["set_aside"], running["record"]) == (False, None), "nobody reads the cards of what runs"
    assert all(row["set_aside"] and row["record"] is not None for row in rows.values())
    assert list(read_part("matches", anna)) == [], "no part has what another has"
    assert list(read_part("training", bruno)) == []


def test_an_account_that_closes_takes_its_training_with_it(anna: Player, now: datetime) -> None:
    begin(anna, now)
    assert close_account(player_id=anna.pk, now=now), "nothing else hangs on it"
    assert not Match.objects.exists()


@pytest.mark.rule("BR4")
def test_its_list_says_the_card_points_of_each_in_as_many_queries_for_any_number(
    anna: Player, bruno: Player, now: datetime
) -> None:
    played, counts = [], []
    for _ in range(2):
        match = seated([anna, bruno], now, ruleset="briscola", length=Length("deals", 1), context="free")
        play_out(match, now)
        Match.objects.filter(pk=match.pk).update(training=True)
        played.append(again(match))
        with CaptureQueriesContext(connection) as captured:
            cards = list_card_points(list_training(anna))
        counts.append(len(captured))
    assert counts == [3, 3]
    assert [sum(pair) for pair in cards.values()] == [120, 120]
    latest = [cards[match.pk] for match in reversed(played)]
    shown = read_attribute(sign_in(anna).get(reverse("training")), "data-cards")
    assert shown == [f"{pair[0]}–{pair[1]}" for pair in latest]
    told = by_key(make_key(anna)).get(OWN).json()
    assert [row["cards"] for row in told] == [list(pair) for pair in latest]
