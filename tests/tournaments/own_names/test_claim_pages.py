"""The pages of claims (O2): "sono io", the organiser's answers, the account's own page, and programs."""

import json
from datetime import datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from players.models import Person, Player
from tests.support.arrangements import arrange_once
from tests.support.html import read_hooks
from tests.support.keys import by_key, make_key
from tests.support.pages import read_page, tournament_url
from tests.support.people import give_address, sign_in
from tests.support.real_tables import open_real, type_names
from tests.support.tournaments import Opened
from tournaments.models import NameClaim, Tournament
from tournaments.own_names.claims import claim_name

pytestmark = pytest.mark.django_db


@arrange_once
def tournament(opened: Opened, anna: Player, now: datetime) -> Tournament:
    give_address(anna)
    made = open_real(opened)
    type_names(made, ["Ada Neri", "Bice Neri"], now)
    return made


def ask(tournament: Tournament, player: Player, now: datetime) -> NameClaim:
    person = Person.objects.get(typed_name="Ada Neri")
    return claim_name(tournament_id=tournament.pk, player=player, person_id=person.pk, now=now)


@pytest.mark.rule("O2")
def test_an_account_says_who_it_is_and_the_organiser_answers(tournament: Tournament, anna: Player) -> None:
    member, organiser = sign_in(anna), sign_in(tournament.organiser)
    page_address, own, desk = (
        tournament_url(name, tournament) for name in ("tournament", "tournament-claim", "tournament-claims")
    )
    assert "claim" in read_hooks(member.get(page_address), "action")
    assert "claims" not in read_hooks(organiser.get(page_address), "action")
    found = member.get(own, {"nome": "ada"})
    (person,) = found.context["people"]
    assert "claim_asked" in read_hooks(member.post(own, {"person": person.pk}, follow=True), "notice")
    assert "claims" in read_hooks(organiser.get(page_address), "action")
    assert organiser.get(tournament_url("tournament-desk", tournament)).context["claims"] == 1
    claim = NameClaim.objects.get()
    refused = organiser.post(desk, {"claim": claim.pk, "no": "1", "reason": "x" * 501})
    assert refused.status_code == 422
    assert 'value="' + "x" * 501 in read_page(refused)
    assert organiser.post(desk, {"claim": claim.pk, "no": "1"}).status_code == 422
    assert "claim_accepted" in read_hooks(organiser.post(desk, {"claim": claim.pk, "si": "1"}, follow=True), "notice")
    assert "claim_accepted" in read_hooks(member.get(own), "note")
    assert read_hooks(member.get(reverse("profile")), "claimed") == ["accepted"]
    log = strip_tags(read_page(Client().get(page_address)))
    assert "Ada Neri · Anna" in log
    assert "claim_taken_back" in read_hooks(member.post(own, {"ritira": "1"}, follow=True), "notice")
    assert read_hooks(member.get(reverse("profile")), "claimed") == []


@pytest.mark.rule("O2")
def test_who_may_see_which_page_of_claims(tournament: Tournament, anna: Player, bruno: Player) -> None:
    readers = {"visitor": None, "member": anna, "unconfirmed": bruno, "organiser": tournament.organiser}
    seen = {
        (reader, name): sign_in(who).get(tournament_url(name, tournament)).status_code
        for reader, who in readers.items()
        for name in ("tournament-claim", "tournament-claims")
    }
    assert seen == {
        ("visitor", "tournament-claim"): 302, ("visitor", "tournament-claims"): 404,
        ("member", "tournament-claim"): 200, ("member", "tournament-claims"): 404,
        ("unconfirmed", "tournament-claim"): 200, ("unconfirmed", "tournament-claims"): 404,
        ("organiser", "tournament-claim"): 200, ("organiser", "tournament-claims"): 200,
    }  # fmt: skip
    own = tournament_url("tournament-claim", tournament)
    assert "claim_needs_address" in read_hooks(sign_in(bruno).get(own), "note")
    assert "Ada" not in read_page(sign_in(bruno).get(own)).partition("<main")[2]
    assert "claim_by_organiser" in read_hooks(sign_in(tournament.organiser).get(own), "note")
    for reader in (None, anna):
        answer = sign_in(reader).post(tournament_url("tournament-claims", tournament), {"claim": 1, "si": 1})
        assert answer.status_code == 404


@pytest.mark.rule("O2", "I1")
def test_a_minor_is_listed_by_initials_and_not_found_by_name(tournament: Tournament, anna: Player) -> None:
    Person.objects.filter(typed_name="Ada Neri").update(initials=True)
    member, own = sign_in(anna), tournament_url("tournament-claim", tournament)
    assert "A. N." in read_page(member.get(own))
    assert "Ada Neri" not in read_page(member.get(own))
    assert not member.get(own, {"nome": "Ada"}).context["people"]


@pytest.mark.rule("O2")
def test_programs_read_and_answer_claims(tournament: Tournament, anna: Player, now: datetime) -> None:
    claim = ask(tournament, anna, now)
    targets = [f"tournament:{tournament.public_id}"]
    client = by_key(make_key(tournament.organiser, scopes=["read", "organise"], targets=targets))
    address = f"/api/v1/tournaments/{tournament.public_id}/claims/"
    (row,) = client.get(address).json()["results"]
    assert (row["account"], row["name"], row["state"]) == ("Anna", "Ada Neri", "waiting")

    def answer(body: Any) -> Any:
        return client.post(f"{address}{claim.pk}/answer/", json.dumps(body), "application/json")

    assert answer({"accept": False}).json()["code"] == "reason_missing"
    assert answer({"accept": True}).json()["state"] == "accepted"
    assert answer({"accept": True}).json()["code"] == "claim_gone"
    assert answer({"accept": False, "reason": "mi sbagliavo"}).json()["state"] == "revoked"
    log = Client().get(f"/api/v1/tournaments/{tournament.public_id}/log/").json()["results"]
    reasons = [entry["reason"] for entry in log if entry["code"].startswith("claim_")]
    assert sorted(reasons) == ["", "", "mi sbagliavo"]
    assert Client().get(address).status_code == 401
    assert sign_in(anna).get(address).status_code in (403, 404)
