"""Devices that are told of their owner's tables (U4): put on by a click, gone with the session, a few a person."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players import caps
from players.models import Player, PushDevice, User
from players.services import own_account
from players.services.close_account import close_account
from players.services.push_devices import PushRefused, add_device, forget_ended_devices, list_devices, remove_device
from tests.support.html import read_attribute, read_hooks
from tests.support.people import PASSWORD, log_in
from tests.support.push import PHONE, Subscriber, add_browser, count_devices, find_somewhere, write

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_attempts_yet")]

ENDPOINT = "https://push.example.org/send/a"
PAGE, ADD, REMOVE = "/profilo/dispositivi/", "/profilo/dispositivi/accendi/", "/profilo/dispositivi/togli/"


@pytest.fixture
def annas(client: Client, anna: Player) -> Client:
    client.force_login(anna.user)
    return client


@pytest.fixture
def reachable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every name leads to an address of the internet; nothing is sent there."""
    monkeypatch.setattr("players.outgoing.resolve_name", find_somewhere)


def attempt(player: Player, now: datetime, **given: str) -> str:
    """Ask for a device. Return the code of the refusal, or nothing."""
    about = {**Subscriber(ENDPOINT).given, **given}
    try:
        add_device(
            user=player.user, session_key="s", browser=PHONE, language="it", now=now, resolve=find_somewhere, **about
        )
    except PushRefused as refused:
        return refused.code
    return ""


@pytest.mark.rule("U4")
def test_a_click_puts_a_device_on_and_the_page_lists_it(annas: Client, anna: Player, reachable: None) -> None:
    answer = annas.post(ADD, Subscriber(ENDPOINT).given, headers={"user-agent": PHONE, "accept-language": "en"})
    assert (answer.status_code, answer.content) == (204, b"")
    device = PushDevice.objects.get()
    assert (device.user_id, device.session_key) == (anna.user_id, annas.session.session_key)
    page = annas.get(PAGE).content.decode()
    assert read_attribute(page, "data-device") == [device.digest]
    assert "Chrome su Android" in page
    assert ENDPOINT not in page, "whoever has it can send there"
    assert device.p256dh not in page
    assert device.auth not in page


def test_who_is_not_signed_in_has_none(client: Client) -> None:
    assert client.post(ADD, Subscriber(ENDPOINT).given).status_code == 401
    for answer in (client.get(PAGE), client.post(PAGE), client.post(REMOVE, {"device": "1"})):
        assert answer.headers["Location"].startswith(reverse("account_login"))
    assert not PushDevice.objects.exists()


@pytest.mark.rule("W4", "U4")
@pytest.mark.parametrize(
    ("endpoint", "code"),
    [
        ("", "not_a_service"),
        ("http://push.example.org/a", "not_a_service"),
        ("https://127.0.0.1/a", "not_a_service"),
        ("https://169.254.169.254/latest/meta-data/", "not_a_service"),
        ("https://[::1]/a", "not_a_service"),
        ("https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/a", "not_a_service"),
        ("https://anna:parola@push.example.org/a", "not_a_service"),
        (f"https://push.example.org/{'a' * 1_000}", "not_a_service"),
        ("https://nessuno.invalid/a", "service_away"),
    ],
)
def test_an_address_that_requests_may_not_go_to_is_refused_in_words(
    annas: Client, endpoint: str, code: str, settings: Any
) -> None:
    answer = annas.post(ADD, {**Subscriber(ENDPOINT).given, "endpoint": endpoint})
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert answer.json()["message"]
    assert not PushDevice.objects.exists()


@pytest.mark.rule("U4")
def test_keys_that_are_none_are_refused_before_anything_is_kept(anna: Player, now: datetime) -> None:
    for wrong in ({"p256dh": "x"}, {"auth": ""}, {"p256dh": write(b"\x04" + b"\x01" * 64)}):
        assert attempt(anna, now, **wrong) == "not_a_service"
    assert not PushDevice.objects.exists()


@pytest.mark.rule("U4")
def test_a_device_put_on_again_is_the_same_with_its_new_keys(anna: Player, now: datetime) -> None:
    first, second = Subscriber(ENDPOINT), Subscriber(ENDPOINT)
    for subscriber in (first, second):
        assert attempt(anna, now, **subscriber.given) == ""
    assert PushDevice.objects.get().p256dh == second.given["p256dh"]


@pytest.mark.rule("U4")
def test_a_browser_is_told_of_one_account_alone_the_last_that_asked(anna: Player, bruno: Player, now: datetime) -> None:
    assert attempt(anna, now) == ""
    assert attempt(bruno, now) == ""
    assert PushDevice.objects.get().user_id == bruno.user_id


@pytest.mark.rule("U4")
def test_a_person_has_a_few_and_is_told_to_take_one_away(anna: Player, now: datetime) -> None:
    for number in range(caps.PUSH_DEVICES_A_PERSON):
        assert attempt(anna, now, endpoint=f"{ENDPOINT}{number}") == ""
    assert attempt(anna, now, endpoint=f"{ENDPOINT}more") == "too_many_devices"
    assert attempt(anna, now, endpoint=f"{ENDPOINT}0") == "", "one of them again"
    assert remove_device(user=anna.user, device_id=PushDevice.objects.earliest("pk").pk)
    assert attempt(anna, now, endpoint=f"{ENDPOINT}more") == ""


@pytest.mark.rule("U4")
def test_nobody_has_us_look_for_services_all_day(anna: Player, now: datetime) -> None:
    (cap,) = caps.PUSH_DEVICES_OFTEN
    assert {attempt(anna, now) for _ in range(cap.most)} == {""}
    assert attempt(anna, now) == "devices_often"
    assert attempt(anna, now + cap.window) == ""


@pytest.mark.parametrize("named", ["of bruno", "", "abc", "-1", "9" * 40])
def test_one_takes_away_ones_own_and_no_other(annas: Client, anna: Player, bruno: Player, named: str) -> None:
    add_browser(anna, ENDPOINT, timezone.now())
    add_browser(bruno, f"{ENDPOINT}b", timezone.now())
    others = PushDevice.objects.get(user=bruno.user).pk
    answer = annas.post(REMOVE, {"device": str(others) if named == "of bruno" else named}, follow=True)
    assert read_hooks(answer, "notice") == ["no_such_device"]
    assert PushDevice.objects.count() == 2
    answer = annas.post(REMOVE, {"device": PushDevice.objects.get(user=anna.user).pk}, follow=True)
    assert read_hooks(answer, "notice") == ["device_removed"]
    assert PushDevice.objects.get().user_id == bruno.user_id


def test_the_kinds_are_wishes_of_the_account(annas: Client, anna: Player) -> None:
    assert (anna.user.push_tables, anna.user.push_turns) == (True, True)
    answer = annas.post(PAGE, {"push_turns": "on"}, follow=True)
    assert read_hooks(answer, "notice") == ["saved"]
    user = User.objects.get(pk=anna.user_id)
    assert (user.push_tables, user.push_turns) == (False, True)


# --- It lasts as long as the session ---------------------------------------------------------------------------------


@pytest.mark.rule("U4")
def test_who_logs_out_is_told_no_more_there_and_elsewhere_still(anna: Player) -> None:
    here, there = Client(), Client()
    for number, browser in enumerate((here, there)):
        log_in(browser, "anna")
        add_browser(anna, f"{ENDPOINT}{number}", timezone.now(), client=browser)
    here.post(reverse("account_logout"))
    assert PushDevice.objects.get().session_key == there.session.session_key


@pytest.mark.rule("U4")
def test_a_session_ended_from_another_browser_takes_its_device_along(anna: Player) -> None:
    here, there = Client(), Client()
    for number, browser in enumerate((here, there)):
        log_in(browser, "anna")
        add_browser(anna, f"{ENDPOINT}{number}", timezone.now(), client=browser)
    here.post(reverse("sessions-end"))
    assert PushDevice.objects.get().session_key == here.session.session_key


@pytest.mark.rule("U4")
def test_a_new_password_ends_them_all(annas: Client, anna: Player, bruno: Player) -> None:
    for number, player in enumerate((anna, anna, bruno)):
        add_browser(player, f"{ENDPOINT}{number}", timezone.now())
    answer = annas.post(
        reverse("account_change_password"),
        {"oldpassword": PASSWORD, "password1": "cinque-assi-in-mano", "password2": "cinque-assi-in-mano"},
    )
    assert answer.status_code == 302
    assert PushDevice.objects.get().user_id == bruno.user_id


@pytest.mark.rule("U4")
def test_a_closed_account_has_none(anna: Player, bruno: Player, now: datetime) -> None:
    add_browser(anna, ENDPOINT, timezone.now())
    add_browser(bruno, f"{ENDPOINT}b", timezone.now())
    close_account(player_id=anna.pk, now=now)
    assert PushDevice.objects.get().user_id == bruno.user_id


@pytest.mark.rule("U4")
def test_a_guest_who_becomes_a_member_keeps_theirs(client: Client, reachable: None) -> None:
    client.post(reverse("play-now"))
    assert client.post(ADD, Subscriber(ENDPOINT).given).status_code == 204
    before = client.session.session_key
    data = {"username": "Carla", "password1": PASSWORD, "password2": PASSWORD}
    assert client.post(reverse("account_signup"), data).status_code == 302
    device = PushDevice.objects.get()
    assert device.user.player.kind == Player.Kind.MEMBER
    assert before != device.session_key == client.session.session_key
    assert list_devices(device.user, timezone.now()).count() == 1


@pytest.mark.rule("U4")
def test_a_session_that_ran_out_leaves_none(anna: Player) -> None:
    add_browser(anna, ENDPOINT, timezone.now())
    add_browser(anna, f"{ENDPOINT}b", timezone.now())
    Session.objects.filter(pk=PushDevice.objects.earliest("pk").session_key).delete()
    assert list_devices(anna.user, timezone.now()).count() == 1
    assert forget_ended_devices(now=timezone.now()) == 1
    assert count_devices(anna) == 1
    assert not list_devices(anna.user, timezone.now() + timedelta(days=31)).exists()
    assert forget_ended_devices(now=timezone.now() + timedelta(days=31)) == 1


@pytest.mark.rule("U4")
def test_the_export_names_them_and_opens_none(anna: Player, now: datetime) -> None:
    add_browser(anna, ENDPOINT, timezone.now())
    device = PushDevice.objects.get()
    (row,) = own_account.read_devices(anna)
    assert row["browser"] == PHONE
    told = repr(row)
    assert not any(secret in told for secret in (ENDPOINT, device.p256dh, device.auth, device.session_key))
    (account,) = own_account.read_account(anna)
    assert {"push_tables", "push_turns", "vibration"} <= set(account["preferences"])


# --- Two at once -----------------------------------------------------------------------------------------------------


def _at_once(*acts: Any) -> list[Any]:
    def act(one: Any) -> Any:
        try:
            return one()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(act, acts))


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_many_requests_at_once_are_counted_in_turn(anna: Player, now: datetime) -> None:
    codes = _at_once(*(lambda number=number: attempt(anna, now, endpoint=f"{ENDPOINT}{number}") for number in range(8)))
    assert sorted(codes) == [""] * caps.PUSH_DEVICES_A_PERSON + ["too_many_devices"] * 3
    assert count_devices(anna) == caps.PUSH_DEVICES_A_PERSON


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_one_browser_asked_for_by_two_accounts_at_once_is_one_device(
    anna: Player, bruno: Player, now: datetime
) -> None:
    for _ in range(5):
        assert _at_once(*(lambda player=player: attempt(player, now) for player in (anna, bruno) * 2)) == [""] * 4
        assert PushDevice.objects.count() == 1
        PushDevice.objects.all().delete()
