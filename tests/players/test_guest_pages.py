"""allauth's pages about addresses and passwords: a guest is led to sign up; nobody reads an internal user name."""

from datetime import datetime

import pytest
from django.contrib.auth import get_user
from django.test import Client
from django.urls import reverse
from django.utils import translation

from players.accounts import get_display_name
from players.models import Player, User
from players.services.players import create_guest
from tests.support.html import read_hooks
from tests.support.people import PASSWORD, log_in

pytestmark = pytest.mark.django_db

OWN = (
    "account_set_password",
    "account_change_password",
    "account_reset_password",
    "account_reset_password_done",
    "account_reauthenticate",
    "account_email",
    "account_email_verification_sent",
)
OPEN = ("account_login", "account_logout", "account_signup", "account_inactive", "profile", "preferences", "home")


@pytest.fixture
def guest(now: datetime) -> Player:
    return create_guest(now=now, address="192.0.2.1")


@pytest.mark.parametrize(("language", "word"), [("it", "Ospite"), ("en", "Guest"), ("xx", "Ospite")])
def test_a_guest_is_named_in_the_language_they_come_in(now: datetime, language: str, word: str) -> None:
    with translation.override(language):
        name = create_guest(now=now, address="192.0.2.1").name
    assert name.removeprefix(f"{word} ").isdecimal()


@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize("method", ["get", "post"])
def test_a_guest_is_led_to_sign_up(client: Client, guest: Player, name: str, method: str) -> None:
    client.force_login(guest.user)
    answer = getattr(client, method)(reverse(name))
    assert answer.status_code == 302
    assert answer.headers["Location"] == reverse("account_signup")
    assert "guest:" not in client.get(answer.headers["Location"]).content.decode()


@pytest.mark.parametrize("name", OPEN)
def test_no_page_shows_a_guest_their_internal_name(client: Client, guest: Player, name: str) -> None:
    client.force_login(guest.user)
    assert "guest:" not in client.get(reverse(name), follow=True).content.decode()


def test_from_there_they_become_a_member_who_reaches_them(client: Client, guest: Player) -> None:
    client.force_login(guest.user)
    signup = client.get(reverse("account_change_password"), follow=True)
    assert read_hooks(signup, "note") == ["keep_what_you_played"]
    data = {"username": "Zeno", "password1": PASSWORD, "password2": PASSWORD}
    client.post(reverse("account_signup"), data)
    assert get_user(client).pk == guest.user_id
    assert client.get(reverse("account_change_password")).status_code == 200
    assert client.get(reverse("account_reset_password")).status_code == 200


def test_a_visitor_may_ask_for_a_new_password(client: Client, db: None) -> None:
    assert client.get(reverse("account_reset_password")).status_code == 200


def test_messages_name_the_player(client: Client, anna: Player, guest: Player, no_attempts_yet: None) -> None:
    assert get_display_name(guest.user) == guest.name
    assert get_display_name(User(username="nobody")) == "nobody"
    User.objects.filter(pk=anna.user_id).update(username="account-7")
    text = client.get(log_in(client, "account-7").headers["Location"]).content.decode()
    assert "Anna" in text
    assert "account-7" not in text
