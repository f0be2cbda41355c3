"""Moderation by programs (U2): by staff alone, with a key that was made for it, by the rules of the pages."""

from datetime import datetime

import pytest
from django.test import Client

from games import chat
from games.models import Report
from players.models import ModerationAct, Player, User
from players.services.moderation import appeal_act, judge_player
from tests.support.keys import by_key, code, make_key, send
from tests.support.people import create_person, sign_in
from tests.support.tables import seated

pytestmark = pytest.mark.django_db
ROOT = "/api/v1/moderation/"
TARGETS = ("moderation",)


@pytest.fixture
def moderator(db: None, now: datetime) -> Player:
    player = create_person("Moreno", now)
    User.objects.filter(pk=player.user_id).update(is_staff=True)
    player.user.refresh_from_db()
    return player


@pytest.fixture
def morenos(moderator: Player) -> Client:
    return by_key(make_key(moderator, targets=TARGETS))


@pytest.fixture
def report(anna: Player, bruno: Player, now: datetime) -> Report:
    match = seated([anna, bruno], now, context="free")
    chat.say(match_id=match.pk, seat=1, text="Che brutta mano", client_id="1", now=now)
    about = {"reason": "words", "quote": "Che brutta mano", "client_id": "1"}
    return Report.objects.create(match=match, reporter=anna, about=bruno, at=now, **about)


@pytest.mark.rule("U2", "AP7")
def test_staff_read_a_report_judge_and_close_it(morenos: Client, report: Report, bruno: Player) -> None:
    (row,) = morenos.get(f"{ROOT}reports/", {"state": "open", "about": bruno.public_id}).json()["results"]
    assert (row["public_id"], row["about"]) == (report.public_id, {"player": bruno.public_id, "name": "Bruno"})
    own = f"{ROOT}reports/{report.public_id}/"
    case = morenos.get(own).json()
    assert [line["text"] for line in case["chat"]] == ["Che brutta mano"]
    assert [one["name"] for one in case["players"]] == ["Anna", "Bruno"]
    assert {"deals", "meetings", "shared", "timings"} <= case.keys()
    body = {"player": bruno.public_id, "kind": "mute", "days": 3, "reason": "Insulti in chat"}
    made = send(morenos, f"{own}judge/", body)
    assert (made.status_code, made.json()["match"]) == (201, report.match.public_id)
    assert made.json()["by"]["name"] == "Moreno"
    assert code(send(morenos, f"{own}judge/", {**body, "days": None})) == (409, "no_such_time")
    assert send(morenos, f"{own}judge/", {**body, "days": 2}).status_code == 400
    assert send(morenos, f"{own}close/", {"note": "Detto a voce"}).json()["closing_note"] == "Detto a voce"
    assert code(send(morenos, f"{own}close/")) == (409, "report_closed")
    assert morenos.get(f"{ROOT}reports/", {"state": "open"}).json()["results"] == []
    assert code(send(morenos, f"{ROOT}reports/nobodyhere/close/"))[0] == 404


@pytest.mark.rule("U2", "AP7")
def test_staff_answer_an_appeal_and_lift(morenos: Client, moderator: Player, bruno: Player, now: datetime) -> None:
    body = {"player": bruno.public_id, "kind": "suspend", "days": 7, "reason": "Insulti"}
    act = ModerationAct.objects.get(public_id=send(morenos, f"{ROOT}acts/", body).json()["public_id"])
    own = f"{ROOT}acts/{act.public_id}/"
    assert code(send(morenos, f"{own}answer/", {"text": "No"})) == (409, "no_appeal")
    appeal_act(act_id=act.pk, player=bruno, text="Non ero io", now=now)
    (row,) = morenos.get(f"{ROOT}acts/", {"appeal": "waiting", "player": bruno.public_id}).json()["results"]
    assert row["appeal"] == "Non ero io"
    assert send(morenos, f"{own}answer/", {"text": "Eri tu"}).json()["answer"] == "Eri tu"
    assert morenos.get(f"{ROOT}acts/", {"appeal": "waiting"}).json()["results"] == []
    assert send(morenos, f"{own}lift/", {"reason": "Basta così"}).json()["lifted_by"]["name"] == "Moreno"
    assert code(send(morenos, f"{own}lift/", {"reason": "Ancora"})) == (409, "act_lifted")
    assert morenos.get(own).json()["lift_reason"] == "Basta così"
    body["player"] = moderator.public_id
    assert code(send(morenos, f"{ROOT}acts/", body)) == (403, "not_oneself")
    assert code(send(morenos, f"{ROOT}acts/", {**body, "player": "nobodyhere"})) == (404, "player_unknown")


@pytest.mark.rule("U2", "AP2")
def test_nobody_else_moderates_and_no_other_key(
    report: Report, moderator: Player, anna: Player, bruno: Player, now: datetime
) -> None:
    act = judge_player(player=bruno, by=moderator, kind="warn", reason="Insulti", days=None, now=now)
    reads = [f"{ROOT}reports/", f"{ROOT}acts/", f"{ROOT}reports/{report.public_id}/", f"{ROOT}acts/{act.public_id}/"]
    body = {"player": bruno.public_id, "kind": "warn", "reason": "x"}
    writes = [
        (f"{ROOT}acts/", body),
        (f"{reads[2]}judge/", body),
        (f"{reads[2]}close/", {}),
        (f"{reads[3]}answer/", {"text": "x"}),
        (f"{reads[3]}lift/", {"reason": "x"}),
    ]
    for key, refusal in (
        (make_key(anna, targets=TARGETS), (403, "not_staff")),
        (make_key(moderator, targets=["own", "new"]), (403, "not_chosen")),
        (make_key(moderator, scopes=["read", "play"]), (403, "scope_missing")),
    ):
        client = by_key(key)
        assert {code(client.get(address)) for address in reads} == {refusal}
        assert {code(send(client, address, about)) for address, about in writes} == {refusal}
    assert {sign_in(moderator).get(address).status_code for address in reads} == {200}
    assert {sign_in(anna).get(address).status_code for address in reads} == {403}
    assert {Client().get(address).status_code for address in reads} == {401}
    assert ModerationAct.objects.count() == 1


@pytest.mark.rule("U2")
def test_a_moderator_of_the_table_is_refused(report: Report, anna: Player, bruno: Player) -> None:
    User.objects.filter(pk=anna.user_id).update(is_staff=True)
    anna.user.refresh_from_db()
    client = by_key(make_key(anna, targets=TARGETS))
    own = f"{ROOT}reports/{report.public_id}/"
    assert client.get(own).status_code == 404
    assert client.get(f"{ROOT}reports/").json()["results"] == []
    assert code(send(client, f"{own}close/")) == (403, "own_case")
    report.refresh_from_db()
    assert report.closed_at is None
