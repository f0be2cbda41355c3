"""The page of the keys in the profile: made for what was chosen, shown once, taken away."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from players.models import AccessToken, Player
from players.services.tokens import NEW
from tests.support.html import read_error_codes, read_hooks
from tests.support.keys import by_key, make_key
from tests.support.people import sign_in
from tests.support.tournaments import Opened
from tournaments.clubs.actions import create_club

pytestmark = pytest.mark.django_db

PAGE = "/profilo/chiavi/"


def read_text(body: bytes) -> str:
    match = re.search(r'value="(smz_[^"]+)"', body.decode())
    return match.group(1) if match else ""


@pytest.mark.rule("AP1")
def test_a_key_is_shown_once_and_organises_what_was_chosen_u1(opened: Opened, organiser: Player, now: object) -> None:
    tournament, other = opened(), opened(name="Altra")
    client = sign_in(organiser)
    assert reverse("tokens") == PAGE
    target = f"tournament:{tournament.public_id}"
    chosen = {"name": "Serata", "scopes": ["read", "organise"], "targets": [target], "days": "30"}
    answer = client.post(PAGE, chosen)
    text = read_text(answer.content)
    assert text
    assert answer.headers["Cache-Control"] == "no-store"
    token = AccessToken.objects.get()
    assert (token.scopes, token.targets, token.name) == (["read", "organise"], [target], "Serata")
    again = client.get(PAGE).content.decode()
    assert text not in again
    assert "Serata" in again
    assert other.name in again, "to choose from"
    assert by_key(text).get("/api/v1/tournaments/").status_code == 200
    assert read_hooks(client.post(f"{PAGE}togli/", {"chiave": token.pk}, follow=True), "notice") == ["token_dropped"]
    assert by_key(text).get("/api/v1/tournaments/").status_code == 401


@pytest.mark.rule("AP1")
def test_nothing_can_be_chosen_that_one_does_not_run_u1(
    opened: Opened, organiser: Player, anna: Player, now: object
) -> None:
    theirs = opened()
    club = create_club(by=organiser, name="Circolo", description="", now=theirs.created_at)
    chosen = {"name": "x", "scopes": ["organise"], "days": "30"}
    client = sign_in(anna)
    for target in (f"tournament:{theirs.public_id}", f"club:{club.public_id}", "site:all"):
        codes = read_error_codes(client.post(PAGE, {**chosen, "targets": [target]}))
        assert codes == {"targets": ["invalid_choice", "required"]} or codes == {"targets": ["invalid_choice"]}
    assert read_error_codes(client.post(PAGE, chosen)) == {"targets": ["required"]}
    assert read_error_codes(client.post(PAGE, {"name": "x", "scopes": ["read"], "targets": [NEW], "days": "30"})) == {
        "targets": ["not_asked"]
    }
    faults = read_error_codes(client.post(PAGE, {"name": "\x00", "days": "31"}))
    assert set(faults) == {"name", "scopes", "days"}
    assert not AccessToken.objects.exists()
    mine = sign_in(organiser).post(PAGE, {**chosen, "targets": [f"club:{club.public_id}", NEW]})
    assert read_text(mine.content)


def test_nobody_takes_another_ones_key_away(anna: Player, bruno: Player) -> None:
    make_key(anna)
    sign_in(bruno).post(f"{PAGE}togli/", {"chiave": AccessToken.objects.get().pk})
    assert AccessToken.objects.count() == 1
    assert Client().get(PAGE).status_code == 302
    assert Client().post(f"{PAGE}togli/").status_code == 302


def test_a_guest_is_led_to_sign_up(client: Client, anna: Player) -> None:
    Player.objects.filter(pk=anna.pk).update(kind=Player.Kind.GUEST)
    assert sign_in(anna).get(PAGE).headers["Location"].startswith(reverse("account_signup"))
