"""The pages of coming in: sign-up, login with name or e-mail, logout, a guest who signs up."""

from datetime import datetime

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertTemplateUsed

from players.models import Player, User
from players.services.house import create_house_player
from players.services.players import create_guest
from tests.support.html import read_attribute, read_error_codes, read_hooks
from tests.support.people import PASSWORD

pytestmark = pytest.mark.django_db

FORM = {"username": "Dino", "email": "", "password1": "sette-bello-77", "password2": "sette-bello-77"}


@pytest.fixture(autouse=True)
def _no_attempts_yet() -> None:
    """Limits on attempts are counted in Redis, which outlives a test."""
    cache.clear()


def sign_up(client: Client, **changed: str):  # type: ignore[no-untyped-def]
    return client.post(reverse("account_signup"), {**FORM, **changed})


def log_in(client: Client, login: str, password: str = PASSWORD):  # type: ignore[no-untyped-def]
    return client.post(reverse("account_login"), {"login": login, "password": password})


def test_who_signs_up_is_logged_in_as_a_player_of_that_name(client: Client) -> None:
    assert sign_up(client).status_code == 302
    player = Player.objects.get(user__username="Dino")
    assert (player.name, player.kind) == ("Dino", Player.Kind.MEMBER)
    assert client.session["_auth_user_id"] == str(player.user_id)


@pytest.mark.parametrize("way", ["account_login", "account_signup"])
def test_the_ways_in_at_the_head_of_a_page_lead_back_to_it(client: Client, anna: Player, way: str) -> None:
    def read_way(page: str) -> str:
        return next(link for link in read_attribute(client.get(page), "href") if link.startswith(reverse(way)))

    entered = {"login": "Anna", "password": PASSWORD} if way == "account_login" else FORM
    assert read_way("/") == reverse(way)
    assert read_way("/circoli/?x=1") == f"{reverse(way)}?next=/circoli/"
    page = f"{reverse('account_login')}?next=/circoli/"
    assert read_way(page) == f"{reverse(way)}?next=/circoli/", "nor does a page between forget it"
    assert read_way(f"{reverse('account_login')}?next=https://elsewhere.example/") == reverse(way)
    answer = client.post(read_way("/circoli/"), {**entered, "next": "/circoli/"})
    assert answer.headers["Location"] == "/circoli/"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Al", "troppo corto"),
        ("A" * 61, "troppo lungo"),
        ("an\u202ena", "Usa solo lettere"),
        ("<script>", "Usa solo lettere"),
        ("Anna Arbitro", "riservato"),
        ("ANNA", "già di un altro"),
        ("anna", "già di un altro"),
    ],
)
def test_a_name_that_may_not_be_is_refused_beside_the_field_and_nothing_is_lost(
    client: Client, anna: Player, name: str, words: str
) -> None:
    answer = sign_up(client, username=name, email="dino@example.org")
    assert answer.status_code == 200
    errors = answer.context["form"].errors
    assert set(errors) == {"username"}
    assert words in errors["username"][0]
    assert words in answer.content.decode()
    assert "dino@example.org" in answer.content.decode()
    assert "<script>" not in answer.content.decode().split("<form")[1]
    assert not User.objects.filter(email="dino@example.org").exists()


def test_passwords_that_differ_or_are_weak_are_refused_in_italian(client: Client) -> None:
    assert "password2" in sign_up(client, password2="altro").context["form"].errors
    weak = sign_up(client, password1="12345678", password2="12345678").context["form"].errors["password1"]
    assert any("numeric" in line or "comune" in line for line in weak)


@pytest.mark.parametrize("login", ["anna", "ANNA", "anna@example.org"])
def test_one_logs_in_with_the_name_or_the_e_mail(client: Client, anna: Player, login: str) -> None:
    User.objects.filter(pk=anna.user_id).update(email="anna@example.org")
    assert log_in(client, login).status_code == 302
    assert client.session["_auth_user_id"] == str(anna.user_id)


@pytest.mark.parametrize(("name", "typed"), [("Анна Иванова", "анна иванова"), ("王伟", "王伟"), ("Nicolò", "NICOLÒ")])
def test_a_name_in_any_script_signs_up_and_logs_in_however_it_is_typed(client: Client, name: str, typed: str) -> None:
    sign_up(client, username=name)
    client.post(reverse("account_logout"))
    assert log_in(client, typed, FORM["password1"]).status_code == 302
    assert client.session["_auth_user_id"] == str(User.objects.get(username=name).pk)


def test_a_wrong_password_and_an_unknown_name_get_the_same_answer(client: Client, anna: Player) -> None:
    wrong = log_in(client, "anna", "sbagliata")
    unknown = log_in(client, "nessuno", "sbagliata")
    assert wrong.status_code == unknown.status_code == 200
    assert wrong.context["form"].errors.as_data().keys() == unknown.context["form"].errors.as_data().keys()
    assert wrong.context["form"].non_field_errors() == unknown.context["form"].non_field_errors()


def test_after_too_many_wrong_passwords_even_the_right_one_has_to_wait(client: Client, anna: Player) -> None:
    for _ in range(10):
        log_in(client, "anna", "sbagliata")
    assert log_in(client, "anna").status_code == 200
    assert "_auth_user_id" not in client.session


def test_a_guest_or_a_house_player_cannot_log_in(client: Client, now: datetime) -> None:
    guest = create_guest(now=now, address="192.0.2.1")
    house = create_house_player(now=now)
    for player in (guest, house):
        assert log_in(client, player.user.username, "").status_code == 200
        assert log_in(client, player.name, "qualcosa").status_code == 200
    assert "_auth_user_id" not in client.session


def test_a_guest_who_signs_up_keeps_their_player_and_stays_logged_in(client: Client, now: datetime) -> None:
    guest = create_guest(now=now, address="192.0.2.1")
    client.force_login(guest.user)
    assert guest.name in client.get(reverse("account_signup")).content.decode()
    assert sign_up(client, email="dino@example.org").status_code == 302
    member = Player.objects.get(pk=guest.pk)
    assert (member.name, member.kind, member.user_id) == ("Dino", Player.Kind.MEMBER, guest.user_id)
    assert client.get(reverse("profile")).status_code == 200
    assert Player.objects.count() == 1
    client.logout()
    assert log_in(client, "dino@example.org", FORM["password1"]).status_code == 302


def test_a_name_that_looks_like_anothers_is_taken(client: Client, now: datetime) -> None:
    sign_up(client, username="Ilaria")
    answer = sign_up(Client(), username="lIaria")
    assert read_error_codes(answer) == {"username": ["name_taken"]}
    assert "username" in sign_up(Client(), username="Ìlària").context["form"].errors
    assert sign_up(Client(), username="Hilaria").status_code == 302


def test_a_guest_may_not_take_another_name(client: Client, now: datetime, anna: Player) -> None:
    guest = create_guest(now=now, address="192.0.2.1")
    client.force_login(guest.user)
    assert "username" in sign_up(client, username="Ànna").context["form"].errors
    assert Player.objects.get(pk=guest.pk).is_guest


def test_a_member_has_nothing_to_sign_up_for(client: Client, anna: Player) -> None:
    client.force_login(anna.user)
    assert client.get(reverse("account_signup")).headers["Location"] == reverse("profile")


def test_leaving_asks_first_and_warns_a_guest(client: Client, now: datetime) -> None:
    guest = create_guest(now=now, address="192.0.2.1")
    client.force_login(guest.user)
    assert read_hooks(client.get(reverse("account_logout")), "note") == ["guest_loses_all"]
    assert client.post(reverse("account_logout")).status_code == 302
    assert "_auth_user_id" not in client.session


def test_the_admin_sends_to_our_login_and_lets_no_player_in(client: Client, anna: Player) -> None:
    assert client.get("/admin/login/").headers["Location"].startswith(reverse("account_login"))
    client.force_login(anna.user)
    assert client.get("/admin/", follow=True).status_code == 403


@pytest.mark.parametrize(
    "name", ["account_login", "account_signup", "account_reset_password", "account_change_password", "account_logout"]
)
def test_every_account_page_is_in_the_sites_own_look(client: Client, anna: Player, name: str) -> None:
    if name in ("account_change_password", "account_logout"):
        client.force_login(anna.user)
    page = client.get(reverse(name)).content.decode()
    assert 'class="site-header"' in page
    assert " style=" not in page


def test_a_form_without_its_token_is_told_so_in_the_sites_own_look(anna: Player) -> None:
    strict = Client(enforce_csrf_checks=True)
    answer = strict.post(reverse("account_login"), {"login": "anna", "password": PASSWORD})
    assert answer.status_code == 403
    assertTemplateUsed(answer, "403_csrf.html")
