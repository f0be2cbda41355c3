"""Accounts that one address makes, and all of them together, are limited (AT6); nothing typed is lost."""

from datetime import datetime
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players import caps
from players.models import Player
from players.services.halls import mark_hall
from players.services.players import create_guest
from tests.support.html import read_attribute, read_error_codes
from tests.support.people import PASSWORD

pytestmark = pytest.mark.django_db

NAMES = ("Aldo Neri", "Bice Verdi", "Ciro Bruno", "Dora Gallo", "Elio Serra")


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr(caps, "SIGNUPS_AN_ADDRESS", (caps.Cap(2, caps.DAY),))


def sign_up(name: str, address: str = "192.0.2.1", client: Client | None = None) -> Any:
    data = {"username": name, "email": "", "password1": PASSWORD, "password2": PASSWORD}
    return (client or Client()).post(reverse("account_signup"), data, REMOTE_ADDR=address)


def count_members() -> int:
    return Player.objects.filter(kind=Player.Kind.MEMBER).count()


def test_one_address_makes_so_many_accounts_a_day_and_is_told_how_long_to_wait_at6() -> None:
    for name in NAMES[:2]:
        assert sign_up(name).status_code == 302
    refused = sign_up(NAMES[2])
    assert refused.status_code == 429
    assert 86_000 < int(refused.headers["Retry-After"]) <= 86_400
    assert read_error_codes(refused) == {"__all__": ["too_many_signups"]}
    assert NAMES[2] in read_attribute(refused, "value", "input"), "what was typed is kept"
    assert sign_up(NAMES[3], address="192.0.2.2").status_code == 302
    assert count_members() == 3


def test_without_the_cap_they_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caps, "SIGNUPS_AN_ADDRESS", (caps.Cap(100, caps.DAY),))
    assert {sign_up(name).status_code for name in NAMES} == {302}


def test_an_ipv6_household_is_one_address_at6() -> None:
    codes = [sign_up(name, address=f"2001:db8:0:7::{n}").status_code for n, name in enumerate(NAMES[:3], 1)]
    assert codes == [302, 302, 429]


def test_a_guest_who_becomes_a_member_counts_like_others_at6() -> None:
    clients = [Client() for _ in range(3)]
    for client in clients:
        client.force_login(create_guest(now=timezone.now(), address="192.0.2.1").user)
    codes = [sign_up(name, client=client).status_code for name, client in zip(NAMES, clients, strict=False)]
    assert codes == [302, 302, 429]
    assert count_members() == 2


def test_the_site_makes_so_many_accounts_a_day_at6(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caps, "SIGNUPS_ON_THE_SITE", (caps.Cap(3, caps.DAY),))
    codes = [sign_up(name, address=f"192.0.2.{number}").status_code for number, name in enumerate(NAMES[:4])]
    assert codes == [302, 302, 302, 429]


def test_in_a_hall_a_whole_room_signs_up_at6(now: datetime) -> None:
    mark_hall(key="torneo", address="192.0.2.1", until=timezone.now() + caps.HOUR)
    assert {sign_up(name).status_code for name in NAMES} == {302}
