"""Looks and sounds: chosen in the profile or where cards are drawn, kept with the account, nobody else's."""

import re
from datetime import datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Player, User
from players.selectors import Looks, read_looks
from players.services.players import create_guest
from tests.support.pages import PREFERENCES_FORM, PREFERENCES_URL, read_page

pytestmark = pytest.mark.django_db

LOOKS = "/profilo/preferenze/aspetto/"
SCRIPT = {"accept": "application/json"}
OTHERS = {
    "deck": "francesi", "one_click": "on", "second_tap": "back", "table_sound": "on", "vibration": "on",
    "theme": "dark",
}  # fmt: skip


@pytest.fixture
def annas(client: Client, anna: Player) -> Client:
    client.force_login(anna.user)
    return client


def looks(player: Player) -> Looks:
    return read_looks(User.objects.get(pk=player.user_id))


def test_who_never_chose_sees_napoletane_with_indices_and_plays_with_two_clicks_and_with_sound(anna: Player) -> None:
    assert looks(anna) == read_looks(None) == Looks("napoletane", True, False, "device", True, False, "auto")


def test_all_of_it_is_chosen_on_the_preferences_page(annas: Client, anna: Player) -> None:
    page = annas.get(PREFERENCES_URL).content.decode()
    for name in ("deck", "indices", "one_click", "second_tap", "table_sound", "vibration", "theme"):
        assert f'name="{name}"' in page
    annas.post(PREFERENCES_URL, {**PREFERENCES_FORM, **OTHERS})
    assert looks(anna) == Looks("francesi", False, True, "back", True, True, "dark")
    page = annas.get(PREFERENCES_URL).content.decode()
    assert re.search(r'value="francesi"[^>]* checked', page)


def test_a_choice_at_the_table_changes_nothing_else_of_the_account(annas: Client, anna: Player) -> None:
    User.objects.filter(pk=anna.user_id).update(language="en", auto_out=False, sound=True)
    answer = annas.post(LOOKS, OTHERS, headers=SCRIPT)
    assert (answer.status_code, answer.content) == (204, b"")
    user = User.objects.get(pk=anna.user_id)
    assert looks(anna) == Looks("francesi", False, True, "back", True, True, "dark")
    assert (user.language, user.auto_out, user.sound) == ("en", False, True)


def test_the_same_form_works_without_a_script_and_leads_back(annas: Client, anna: Player) -> None:
    answer = annas.post(LOOKS, {**OTHERS, "next": "/mazzi/#francesi"})
    assert answer.headers["Location"] == "/mazzi/#francesi"
    assert looks(anna).deck == "francesi"


@pytest.mark.parametrize(
    "elsewhere", ["https://example.org/", "//example.org/", "javascript:alert(1)", "", "999", "home"]
)
def test_it_leads_to_no_other_site(annas: Client, elsewhere: str) -> None:
    assert annas.post(LOOKS, {**OTHERS, "next": elsewhere}).headers["Location"] == PREFERENCES_URL


@pytest.mark.parametrize(
    "wrong", [{"deck": "siciliane"}, {"theme": "pink"}, {"second_tap": "x"}, {"deck": "../../deck"}]
)
def test_what_is_not_offered_is_refused_and_nothing_changes(annas: Client, anna: Player, wrong: dict[str, Any]) -> None:
    assert annas.post(LOOKS, {**OTHERS, **wrong}, headers=SCRIPT).status_code == 422
    assert annas.post(LOOKS, {**OTHERS, **wrong}).headers["Location"] == PREFERENCES_URL
    assert annas.post(PREFERENCES_URL, {**PREFERENCES_FORM, **OTHERS, **wrong}).status_code == 200
    assert looks(anna) == Looks()


def test_a_deck_offered_no_longer_is_as_if_none_was_chosen(annas: Client, anna: Player) -> None:
    User.objects.filter(pk=anna.user_id).update(deck="siciliane", second_tap="x", theme="pink")
    assert looks(anna) == Looks()
    assert annas.get(PREFERENCES_URL).status_code == 200


def test_a_guest_chooses_too_and_a_visitor_is_asked_in(client: Client, now: datetime) -> None:
    assert client.post(LOOKS, OTHERS, headers=SCRIPT).status_code == 401
    assert client.post(LOOKS, OTHERS).headers["Location"].startswith(reverse("account_login"))
    guest = create_guest(now=now, address="192.0.2.1")
    client.force_login(guest.user)
    assert client.post(LOOKS, OTHERS, headers=SCRIPT).status_code == 204
    assert looks(guest).deck == "francesi"


def test_no_other_site_chooses_for_them(anna: Player) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(anna.user)
    assert strict.post(LOOKS, OTHERS, headers=SCRIPT).status_code == 403
    assert strict.get(LOOKS).status_code == 405
    assert looks(anna) == Looks()


@pytest.mark.parametrize(
    ("theme", "night", "day"),
    [
        ("auto", "(prefers-color-scheme: dark)", "(prefers-color-scheme: light)"),
        ("light", "not all", "screen"),
        ("dark", "screen", "not all"),
    ],
)
def test_every_page_is_painted_as_they_chose(annas: Client, anna: Player, theme: str, night: str, day: str) -> None:
    User.objects.filter(pk=anna.user_id).update(theme=theme)
    for address in (PREFERENCES_URL, reverse("home"), reverse("rules"), reverse("decks"), "/non-esiste/"):
        page = read_page(annas.get(address))
        assert f'data-theme="{theme}"' in page
        assert f'data-scheme="dark" media="{night}"' in page
        assert f'data-scheme="light" media="{day}"' in page
