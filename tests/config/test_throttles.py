"""Requests to the API are counted by address and by account (AT6); whoever asks too often is told how long to wait."""

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from players import caps
from players.models import Player
from tests.support.people import sign_in

pytestmark = pytest.mark.django_db

LIST = "/api/v1/tournaments/"


@pytest.fixture(autouse=True)
def _few_requests(settings: Any) -> None:
    cache.clear()
    assert set(caps.API_RATES) == {"address", "user"}
    settings.REST_FRAMEWORK = {
        **settings.REST_FRAMEWORK,
        "DEFAULT_THROTTLE_RATES": {"address": "3/min", "user": "4/min"},
    }


def ask(times: int, address: str = "192.0.2.1", client: Client | None = None, **headers: str) -> list[int]:
    asking = client or Client()
    return [asking.get(LIST, REMOTE_ADDR=address, headers=headers).status_code for _ in range(times)]


def test_an_address_may_ask_so_often_and_others_still_may_at6() -> None:
    assert ask(4) == [200, 200, 200, 429]
    assert ask(1, address="192.0.2.2") == [200]


def test_the_answer_has_a_code_a_sentence_and_the_seconds_to_wait_at6() -> None:
    ask(3)
    refused = Client().get(LIST, REMOTE_ADDR="192.0.2.1", headers={"accept-language": "en"})
    assert 0 < int(refused.headers["Retry-After"]) <= 60
    assert (refused.json()["detail"], refused.json()["code"]) == (
        "Too many requests. Try again in 1 minute.",
        "throttled",
    )


def test_no_header_makes_one_address_into_many_at6() -> None:
    codes = [Client().get(LIST, REMOTE_ADDR="192.0.2.1", headers={"x-forwarded-for": f"10.0.0.{n}"}) for n in range(4)]
    assert [answer.status_code for answer in codes] == [200, 200, 200, 429]


def test_an_ipv6_household_is_one_address_at6() -> None:
    assert [ask(1, address=f"2001:db8:0:7::{n}")[0] for n in range(4)] == [200, 200, 200, 429]


def test_an_account_is_counted_by_itself_wherever_it_is_at6(anna: Player, bruno: Player) -> None:
    assert ask(2, client=sign_in(anna)) + ask(3, "192.0.2.9", sign_in(anna)) == [200, 200, 200, 200, 429]
    assert ask(1, client=sign_in(bruno)) == [200]


def test_without_rates_nobody_is_refused(settings: Any) -> None:
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": {}}
    assert set(ask(8)) == {200}


def test_every_refusal_of_the_api_has_a_code() -> None:
    assert Client().get(f"{LIST}xxxx/").json()["code"] == "not_found"


def test_the_schema_tells_of_it_for_every_operation_at6() -> None:
    schema = Client().get("/api/schema/", headers={"accept": "application/json"}).json()
    answers = [operation["responses"] for path in schema["paths"].values() for operation in path.values()]
    assert answers
    assert all("429" in answer for answer in answers)
