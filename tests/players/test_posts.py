"""Forms sent are counted by account, or by a visitor's address (AT6): what no other cap counts."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertTemplateUsed

from players import caps
from players.models import Player
from players.services.halls import mark_hall
from tests.support.people import sign_in

pytestmark = pytest.mark.django_db

FEW = {"posts_of_account": "3/m/user", "posts_of_visitor": "2/m/ip"}


@pytest.fixture(autouse=True)
def _few(settings: Any) -> None:
    cache.clear()
    assert set(caps.POST_RATES) == set(FEW)
    settings.POST_RATES = FEW


def send(client: Client, times: int, address: str = "192.0.2.1") -> list[int]:
    page = reverse("language")
    return [client.post(page, {"language": "en"}, REMOTE_ADDR=address).status_code for _ in range(times)]


def test_an_account_sends_so_much_wherever_it_is_and_reads_as_it_likes_at6(anna: Player, bruno: Player) -> None:
    annas = sign_in(anna)
    assert send(annas, 2) + send(annas, 2, "192.0.2.2") == [302, 302, 302, 429]
    assert annas.get(reverse("home")).status_code == 200
    assert send(sign_in(bruno), 1) == [302]


def test_visitors_of_one_address_send_so_much_and_are_told_to_wait_at6() -> None:
    assert send(Client(), 2) == [302, 302]
    refused = Client().post(reverse("language"), {"language": "en"}, REMOTE_ADDR="192.0.2.1")
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "60")
    assertTemplateUsed(refused, "429.html")
    assert send(Client(), 1, "192.0.2.2") == [302]


def test_in_a_hall_visitors_are_not_counted_at6() -> None:
    mark_hall(key="torneo", address="192.0.2.1", until=timezone.now() + timedelta(hours=1))
    assert send(Client(), 5) == [302] * 5


def test_without_rates_nobody_is_refused(settings: Any) -> None:
    settings.POST_RATES = {}
    assert set(send(Client(), 6)) == {302}
