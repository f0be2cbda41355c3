"""Bad input on every form of accounts: told beside its field, and nothing that was typed is lost but passwords."""

import html
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Player, User
from tests.support.people import PASSWORD

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_attempts_yet")]

NEW = "sette-bello-77"
MARKUP = "<script>alert(1)</script>"
SIGNUP = {"username": "Dino", "email": "dino@example.org", "password1": NEW, "password2": NEW}
LOGIN = {"login": "anna", "password": PASSWORD}
CHANGE = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
EMAIL = {"email": "anna@example.org", "password": PASSWORD}
CHOICES = {"language": "it", "time_zone": "Europe/Rome"}

CASES: list[tuple[str, dict[str, str], dict[str, str], str]] = [
    *[
        ("account_signup", SIGNUP, {"username": bad}, "username")
        for bad in (
            "",
            "Al",
            "A" * 61,
            "A" * 5000,
            "Anna Иванова",
            "\u0410nna",
            "an\u202ena",
            "an\x00na",
            "a\x07na",
            MARKUP,
        )
    ],
    *[
        ("account_signup", SIGNUP, {"email": bad}, "email")
        for bad in ("dino", "dino@", "a@b@c.it", "x" * 250 + "@example.org", "d\x00@example.org", "d\u202e@e", MARKUP)
    ],
    ("account_signup", SIGNUP, {"password1": ""}, "password1"),
    ("account_signup", SIGNUP, {"password1": "12345678", "password2": "12345678"}, "password1"),
    ("account_signup", SIGNUP, {"password1": "x" * 300}, "password1"),
    ("account_signup", SIGNUP, {"password2": "altro"}, "password2"),
    *[("account_login", LOGIN, {"login": bad}, "login") for bad in ("", "x" * 300, "an\x00na")],
    *[("account_login", LOGIN, {"password": bad}, "password") for bad in ("", "x" * 300, "a\x00b")],
    *[("account_login", LOGIN, {"login": bad}, "__all__") for bad in ("Анна", "an\u202ena", MARKUP, "a@b@c")],
    *[("account_reset_password", {}, {"email": bad}, "email") for bad in ("", "dino", "x" * 300, "d\x00@e.it", MARKUP)],
    *[("account_change_password", CHANGE, {"oldpassword": bad}, "oldpassword") for bad in ("", "no", "x" * 300)],
    ("account_change_password", CHANGE, {"password1": "password", "password2": "password"}, "password1"),
    ("account_change_password", CHANGE, {"password2": "altro"}, "password2"),
    *[
        ("account_email", EMAIL, {"email": bad}, "email")
        for bad in ("anna", "x" * 300, "a\x00@e.it", "a@\u202ee", MARKUP)
    ],
    *[("account_email", EMAIL, {"password": bad}, "password") for bad in ("", "no", "x" * 300)],
    *[("preferences", CHOICES, {"language": bad}, "language") for bad in ("xx", "x" * 300, MARKUP)],
    *[("preferences", CHOICES, {"time_zone": bad}, "time_zone") for bad in ("Roma", "\u202e", "x" * 300, MARKUP)],
]
OF_A_MEMBER = ("account_change_password", "account_email", "preferences")


@pytest.mark.parametrize(("form", "good", "changed", "field"), CASES)
def test_what_is_wrong_is_said_beside_its_field_and_nothing_is_lost(
    client: Client, anna: Player, form: str, good: dict[str, str], changed: dict[str, str], field: str
) -> None:
    if form in OF_A_MEMBER:
        client.force_login(anna.user)
    people = User.objects.count()
    typed = {**good, **changed}
    answer: Any = client.post(reverse(form), typed)
    assert answer.status_code == 200
    errors = answer.context["form"].errors
    assert set(errors) == {field}
    page = html.unescape(answer.content.decode())
    assert all(str(line) in page for line in errors[field])
    if field != "__all__":
        beside = page.split(f'id="id_{field}_error"')[1].split("</ul>")[0]
        assert str(errors[field][0]) in beside
        assert 'aria-invalid="true"' in page
    for name, value in typed.items():
        if name not in ("language", "time_zone") and "password" not in name and value and "\x00" not in value:
            assert value.strip() in page, f"{name} was lost"
        elif name in ("language", "time_zone") and name != field:
            assert f'<option value="{value}" selected>' in page, f"{name} was lost"
    assert NEW not in page
    assert PASSWORD not in page
    assert MARKUP not in answer.content.decode()
    assert User.objects.count() == people


@pytest.mark.parametrize("form", ["account_signup", "account_login", "account_reset_password", *OF_A_MEMBER])
def test_a_form_sent_empty_is_no_mistake_of_the_server(client: Client, anna: Player, form: str) -> None:
    if form in OF_A_MEMBER:
        client.force_login(anna.user)
    assert client.post(reverse(form), {}).status_code in (200, 302)


def test_an_address_in_capitals_is_the_same_address(client: Client) -> None:
    client.post(reverse("account_signup"), {**SIGNUP, "email": "Dino@EXAMPLE.org"})
    assert User.objects.get(username="Dino").email == "dino@example.org"
