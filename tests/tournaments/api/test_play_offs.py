"""Play-offs for a rank by a program (EV11): opened, played, corrected, closed; and read by everybody."""

from datetime import datetime
from typing import Any

import pytest
from django.test import Client

from tests.support.arrangements import arrange_once
from tests.support.keys import address_of, code, key_for, send
from tests.support.people import create_person
from tests.support.play_offs import end_ko, list_sharing, read_ranks
from tests.support.tournaments import Opened
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.rule("EV11", "AP7")]


@arrange_once
def knockout(opened: Opened, now: datetime) -> Tournament:
    """A KO of seven at real tables that is over: two third, three fifth."""
    return end_ko(opened, 7, now)


def make_body(tournament: Tournament, rank: int, **more: Any) -> dict[str, Any]:
    ids = [entry.pk for entry in list_sharing(tournament, rank)]
    return {"entries": ids, "length_kind": "deals", "length_value": 1, **more}


def test_a_program_opens_plays_and_closes_and_everybody_reads_it(knockout: Tournament) -> None:
    key, own = key_for(knockout), address_of(knockout)
    opened = send(key, f"{own}play-offs/", make_body(knockout, 5))
    assert opened.status_code == 201, opened.content
    answer = opened.json()
    assert (answer["number"], answer["rank"], answer["state"]) == (1, 5, "running")
    order = [entry["id"] for entry in answer["entries"]]
    bye, first = answer["rounds"][0]["matches"]
    assert (bye["bye"], bye["first"]["id"], bye["second"]) == (True, order[0], None)
    assert [first["first"]["id"], first["second"]["id"]] == order[1:]
    at = f"{own}play-offs/1/"
    sent = send(key, f"{at}result/", {"round": 1, "board": 2, "points": [3, 5]}, "put")
    assert sent.json()["rounds"][0]["matches"][1]["winner"] == 1, sent.content
    body = {"act": "result", "body": {"round": 2, "board": 1, "points": [5, 3]}}
    preview = send(key, f"{at}preview/", body).json()
    changed = {row["entry"]["id"]: (row["before"]["overall"], row["after"]["overall"]) for row in preview["standings"]}
    assert changed == {order[2]: (5, 6), order[1]: (5, 7)}
    assert send(key, f"{at}result/", {"round": 2, "board": 1, "points": [5, 3]}, "put").json()["state"] == "counts"
    ranks = read_ranks(knockout)
    assert [ranks[pk] for pk in (order[0], order[2], order[1])] == [5, 6, 7]
    (shown,) = Client().get(f"{own}play-offs/").json()
    assert shown["places"] == [
        {"place": 1, "entry": order[0]}, {"place": 2, "entry": order[2]}, {"place": 3, "entry": order[1]},
    ]  # fmt: skip
    standings = Client().get(f"{own}standings/").json()["results"]
    (why,) = [row["why"] for row in standings if row["entry"]["id"] == order[0]]
    assert (why["code"], why["own"], why["next"]) == ("play_off", 1, 2)
    closed = send(key, f"{own}close/").json()
    assert closed["closed_at"] is not None
    assert code(send(key, f"{own}play-offs/", make_body(knockout, 3))) == (409, "play_off_closed")
    assert send(key, f"{own}reopen/").json()["closed_at"] is None
    log = Client().get(f"{own}log/").json()["results"]
    acts = [(row["code"], row["play_off"]) for row in log if row["play_off"] or "closed" in row["code"]]
    assert acts[:3] == [("closed_not", None), ("closed", None), ("play_off_result", 1)]


def test_a_program_corrects_and_takes_back_with_its_reason(knockout: Tournament) -> None:
    key, at = key_for(knockout), f"{address_of(knockout)}play-offs/1/"
    send(key, f"{address_of(knockout)}play-offs/", make_body(knockout, 3))
    place = {"round": 1, "board": 1}
    assert send(key, f"{at}forfeit/", {**place, "forfeit_by": [0]}).json()["state"] == "counts"
    assert code(send(key, f"{at}result/", {**place, "points": [3, 5]}, "put")) == (409, "reason_missing")
    sent = send(key, f"{at}result/", {**place, "points": [3, 5], "winner": 1, "reason": "è venuta"}, "put")
    assert sent.json()["rounds"][0]["matches"][0]["points"] == [3, 5]
    assert code(send(key, f"{at}clear/", place)) == (409, "reason_missing")
    assert send(key, f"{at}clear/", {**place, "reason": "si rigioca"}).json()["state"] == "running"
    assert send(key, f"{at}drop/", {"reason": "nessuno vuole"}).status_code == 204
    assert Client().get(at).status_code == 404
    assert code(send(key, f"{at}clear/", {**place, "reason": "x"})) == (409, "no_such_play_off")


def test_what_a_program_sends_is_checked(knockout: Tournament, now: datetime) -> None:
    key, own = key_for(knockout), address_of(knockout)
    assert code(send(key, f"{own}play-offs/", make_body(knockout, 1))) == (409, "play_off_size")
    assert code(send(key, f"{own}play-offs/", make_body(knockout, 3, length_value=77))) == (409, "play_off_length")
    assert send(key, f"{own}play-offs/", make_body(knockout, 3, length_kind="hours")).status_code == 400
    send(key, f"{own}play-offs/", make_body(knockout, 3))
    body = {"round": 1, "board": 1, "points": [3, 5]}
    assert send(key, f"{own}play-offs/1/result/", {**body, "points": [3]}, "put").status_code == 400
    assert send(key, f"{own}play-offs/9/result/", body, "put").status_code == 404
    stranger = key_for(knockout, create_person("Ugo", now))
    assert code(send(stranger, f"{own}play-offs/1/result/", body, "put"))[0] in (403, 409)
    assert Client().post(f"{own}play-offs/").status_code in (401, 403, 405)
