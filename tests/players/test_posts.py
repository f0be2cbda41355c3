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
from tests.support.keys import make_key
from tests.support.people import log_in, sign_in

pytestmark = pytest.mark.django_db

FEW = {"posts_of_account": "3/m/user", "posts_of_visitor": "2/m/ip", "entrances": "2/m/ip"}


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


def test_whoever_logs_in_is_not_kept_out_by_what_others_of_their_address_send_at6(anna: Player) -> None:
    assert send(Client(), 3) == [302, 302, 429]
    here = Client(REMOTE_ADDR="192.0.2.1")
    assert log_in(here, "anna").status_code == 302
    wrong = [log_in(Client(REMOTE_ADDR="192.0.2.1"), "nessuno", "sbagliata").status_code for _ in range(2)]
    assert wrong == [200, 429]


def test_a_program_with_a_key_is_counted_by_its_key_and_wrong_keys_by_their_address_at6(
    anna: Player, settings: Any
) -> None:
    rates = {"address": "2/min", "user": "9/min"}
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": rates}
    key, page = make_key(anna), "/api/v1/tournaments/"

    def write(text: str) -> int:
        headers = {"Authorization": f"Bearer {text}"}
        return Client(REMOTE_ADDR="192.0.2.1", headers=headers).post(page, {}, "application/json").status_code

    assert [write("wrong") for _ in range(3)] == [401, 401, 429]
    assert {write(key) for _ in range(8)} == {400}
    assert send(Client(), 2) == [302, 302], "the address has its own still"


def test_in_a_hall_visitors_are_not_counted_at6() -> None:
    mark_hall(key="torneo", address="192.0.2.1", until=timezone.now() + timedelta(hours=1))
    assert send(Client(), 5) == [302] * 5


def test_without_rates_nobody_is_refused(settings: Any) -> None:
    settings.POST_RATES = {}
    assert set(send(Client(), 6)) == {302}
