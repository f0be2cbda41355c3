"""The register of a club, and one's own, by programs (I1): kept by the keys made for it, shown to nobody else."""

import json
import re
from datetime import datetime
from typing import Any

import pytest
from django.test import Client

from players.models import IdempotentAnswer, Person, Player
from tests.support.arrangements import arrange_once
from tests.support.keys import by_key, code, make_key, send
from tests.support.real_tables import open_real
from tests.support.tournaments import GIRONE, Opened
from tournaments.clubs.actions import create_club
from tournaments.models import Club, Entry, RegisterCard, RegisterLogEntry

pytestmark = pytest.mark.django_db

MINE = "/api/v1/registers/mine/"
CARDS = f"{MINE}cards/"
UGO = {
    "name": "Ugo Bianchi",
    "card_number": "T-17",
    "birth_year": 1961,
    "contact": "333 1234567",
    "level": "B",
    "notes": "porta il vino",
    "minor": False,
}
ONCE, ONCE_MORE = ({"HTTP_IDEMPOTENCY_KEY": key} for key in ("one", "two"))
SECRETS = re.compile(r"\b(T-17|1961|333 1234567|porta il vino)\b")  # as words: a digest may have such digits in it


@pytest.fixture
def keeper(organiser: Player) -> Client:
    return by_key(make_key(organiser, targets=["own", "new"]))


@arrange_once
def club(organiser: Player, now: datetime) -> Club:
    return create_club(by=organiser, name="Circolo Aurora", description="", now=now)


@pytest.mark.rule("I1", "AP7")
def test_cards_are_added_found_changed_and_exported_i1_u7(keeper: Client) -> None:
    assert keeper.get(CARDS).json() == {"next": None, "results": []}
    made = send(keeper, CARDS, UGO)
    assert (made.status_code, {name: made.json()[name] for name in UGO}) == (201, UGO)
    own = f"{CARDS}{made.json()['card']}/"
    assert code(send(keeper, CARDS, {"name": "ugo bianchi"})) == (409, "name_taken")
    assert send(keeper, CARDS, {"name": "Ugo Bianchi", "another": True}).status_code == 201
    assert code(send(keeper, CARDS, {"name": "Ada Verdi", "card_number": "T-17"})) == (409, "number_taken")
    changed = send(keeper, own, {"level": "A"}, "patch").json()
    assert (changed["level"], changed["contact"]) == ("A", "333 1234567")
    found = keeper.get(f"{CARDS}?search=T-17").json()["results"]
    assert [row["card"] for row in found] == [made.json()["card"]]
    assert keeper.get(own).json()["tournaments"] == []
    people = send(keeper, f"{MINE}export/").json()["people"]
    assert people[0] | {"card": ""} == people[0] | UGO | {"card": "", "level": "A"}
    log = keeper.get(f"{MINE}log/").json()["results"]
    assert [row["code"] for row in log] == ["exported", "edited", "added", "added"]
    assert (log[0]["by"], log[0]["count"]) == ("Teresa", 2)
    assert faulty(send(keeper, CARDS, {"name": "Ada", "phone": "1"})) == {"phone": "unknown"}


def faulty(answer: Any) -> dict[str, str]:
    assert answer.status_code == 400
    return {fault["field"]: fault["code"] for fault in answer.json()["errors"]}


@pytest.mark.rule("I1")
def test_a_list_is_taken_in_whole_or_each_fault_is_told_i1(keeper: Client) -> None:
    first = send(keeper, CARDS, UGO).json()
    people = [{"card": first["card"], "name": "Ugo Bianchi", "level": "C"}, {"name": "Ada Verdi", "minor": True}]
    wrong = [*people, {"name": "?"}, {"name": "Elio Neri", "birth_year": 1492}]
    refused = send(keeper, f"{MINE}import/", {"people": wrong})
    assert code(refused) == (409, "list_refused")
    problems = [(one["row"], one["column"], one["code"]) for one in refused.json()["values"]["problems"]]
    assert problems == [(3, "name", "name_characters"), (4, "birth_year", "year_unclear")]
    assert RegisterCard.objects.count() == 1
    taken = send(keeper, f"{MINE}import/", {"people": people}).json()
    assert taken == {"added": 1, "changed": 1, "left_out": []}
    (ada, ugo) = keeper.get(CARDS).json()["results"]
    assert (ada["minor"], ugo["level"], ugo["contact"]) == (True, "C", "333 1234567")


@pytest.mark.rule("I1")
def test_doubles_are_merged_and_made_two_again_i1(keeper: Client) -> None:
    ugo = send(keeper, CARDS, {"name": "Ugo Bianchi"}).json()["card"]
    double = send(keeper, CARDS, {**UGO, "name": "Bianchi U"}).json()["card"]
    merged = send(keeper, f"{CARDS}{ugo}/merge/", {"double": double}).json()
    assert (merged["card"], merged["card_number"]) == (ugo, "T-17")
    assert keeper.get(f"{CARDS}{double}/").status_code == 404
    assert code(send(keeper, f"{CARDS}{ugo}/merge/", {"double": ugo})) == (409, "same_card")
    merge = keeper.get(f"{MINE}log/").json()["results"][0]
    assert (merge["code"], merge["card"], merge["double"], merge["may_undo"]) == ("merged", ugo, double, True)
    assert send(keeper, f"{MINE}unmerge/", {"entry": merge["id"]}).json()["card_number"] == "T-17"
    assert code(send(keeper, f"{MINE}unmerge/", {"entry": merge["id"]})) == (409, "no_merge")


@pytest.mark.rule("I1", "O2")
def test_people_are_entered_from_the_register_and_forgotten_i1_o2(
    keeper: Client, organiser: Player, opened: Opened
) -> None:
    card = send(keeper, CARDS, UGO).json()["card"]
    tournament = open_real(opened)
    runner = by_key(make_key(organiser, targets=[f"tournament:{tournament.public_id}"]))
    entries = f"/api/v1/tournaments/{tournament.public_id}/entries/"
    entered = send(runner, f"{entries}from-register/", {"cards": [card]})
    assert (entered.status_code, entered.json()["name"]) == (201, "Ugo Bianchi")
    assert code(send(runner, f"{entries}from-register/", {"cards": [card]})) == (409, "in_already")
    assert code(send(runner, f"{entries}from-register/", {"cards": ["nobodyhere"]})) == (404, "no_card")
    assert keeper.get(f"{CARDS}{card}/").json()["tournaments"] == [tournament.public_id]
    assert code(send(keeper, f"{CARDS}{card}/forget/", {"keeps_name": False})) == (409, "still_entered")
    typed = send(runner, entries, {"entries": [{"player": "Zita Rossi"}]})
    assert typed.status_code == 201
    zita = Entry.objects.get(members__person__typed_name="Zita Rossi")
    assert code(send(runner, f"{entries}{zita.pk}/forget/", {"name": "Zita Rossi"})) == (409, "still_entered")
    assert code(send(runner, f"{entries}{zita.pk}/forget/", {"name": "Ugo Bianchi"})) == (404, "no_name")
    for text in (runner.get(path).content.decode() for path in (entries, f"{entries[:-8]}", f"{entries[:-8]}log/")):
        assert not SECRETS.search(text)
    tournament.entries.all().delete()
    assert send(keeper, f"{CARDS}{card}/forget/", {"keeps_name": False}).status_code == 204
    assert not RegisterCard.objects.exists()
    assert not Person.objects.filter(typed_name="Ugo Bianchi").exists()


@pytest.mark.rule("I1", "AP6")
@pytest.mark.parametrize("name", ["Ugo Bianchi", "Niccolò D'Angiò"])
def test_who_was_forgotten_is_in_no_answer_that_is_given_again_i1_u6(keeper: Client, name: str) -> None:
    made = keeper.generic("POST", CARDS, json.dumps({**UGO, "name": name}), "application/json", **ONCE)
    other = keeper.generic("POST", CARDS, json.dumps({"name": "Ada Verdi"}), "application/json", **ONCE_MORE)
    taken = keeper.generic("POST", f"{MINE}export/", "{}", "application/json", **ONCE)
    assert taken.json()["people"][-1]["name"] == name
    assert send(keeper, f"{CARDS}{made.json()['card']}/forget/", {"keeps_name": False}).status_code == 204
    again = keeper.generic("POST", f"{MINE}export/", "{}", "application/json", **ONCE)
    assert [person["name"] for person in again.json()["people"]] == ["Ada Verdi"]
    kept = IdempotentAnswer.objects.order_by("pk").values_list("body", flat=True)
    assert list(kept) == [other.json(), again.json()]


@pytest.mark.rule("I1", "AP2")
def test_nobody_reads_or_writes_a_register_that_is_not_theirs_to_keep_i1_u2(
    keeper: Client, organiser: Player, anna: Player, club: Club, opened: Opened
) -> None:
    theirs = f"/api/v1/registers/{club.public_id}/"
    card = send(keeper, CARDS, UGO).json()["card"]
    of_club = by_key(make_key(organiser, targets=[f"club:{club.public_id}"]))
    tournament = opened(GIRONE)
    strangers = {
        "the key of another register": by_key(make_key(organiser, targets=[f"tournament:{tournament.public_id}"])),
        "who may only read": by_key(make_key(organiser, scopes=["read", "play"])),
        "a visitor": Client(),
    }
    for client in strangers.values():
        for address in (MINE, theirs):
            assert client.get(f"{address}cards/").status_code in (401, 403)
            assert client.get(f"{address}log/").status_code in (401, 403)
            assert send(client, f"{address}cards/", UGO).status_code in (401, 403)
            assert send(client, f"{address}export/").status_code in (401, 403)
    assert code(keeper.get(f"{theirs}cards/")) == (403, "not_chosen")
    assert code(of_club.get(CARDS)) == (403, "not_chosen")
    assert send(of_club, f"{theirs}cards/", {"name": "Ada Verdi"}).status_code == 201
    assert of_club.get(f"{theirs}cards/{card}/").status_code == 404, "of another register"
    named = by_key(make_key(anna, targets=["own", f"club:{club.public_id}"]))
    assert named.get(f"{theirs}cards/").status_code == 404
    assert send(named, f"{theirs}cards/", UGO).status_code == 404
    assert named.get(CARDS).json()["results"] == []
    assert not RegisterLogEntry.objects.filter(player=anna).exists()
