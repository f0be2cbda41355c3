"""Attempts at a password: counted before anything is hashed, by account and by address, with Redis and without."""

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache, caches
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertTemplateUsed

from config.cache_fallback import RedisOrDatabase
from config.launcher import processes
from config.launcher.redis_server import RedisServer
from players.models import Player
from tests.players.conftest import CountingHasher
from tests.support.people import PASSWORD, give_address, is_logged_in, log_in

pytestmark = pytest.mark.django_db

LIMIT = 10


@pytest.fixture(autouse=True)
def _no_attempts_yet() -> Iterator[None]:
    cache.clear()
    caches["database"].clear()
    RedisOrDatabase._away_until = 0.0
    yield
    RedisOrDatabase._away_until = 0.0


@pytest.fixture
def own_redis(settings: Any, tmp_path: Path) -> Iterator[Any]:
    """A Redis of this test's own, behind the cache, to be stopped by it."""
    server = RedisServer(tmp_path / "redis", tmp_path / "redis.log")
    process = server.start(os.environ)
    settings.CACHES = {**settings.CACHES, "default": {**settings.CACHES["default"], "LOCATION": server.url}}
    yield process
    processes.stop(process, patience=1)


def test_an_account_gives_ten_attempts_however_it_is_called_and_wherever_they_come_from(
    anna: Player, counting: type[CountingHasher]
) -> None:
    address = give_address(anna)
    counting.worked = 0
    for number in range(2 * LIMIT):
        login = ("anna", "ANNA", " Anna ", address, address.upper())[number % 5]
        client = Client(REMOTE_ADDR=f"192.0.2.{number}", headers={"host": f"localhost:{8000 + number}"})
        log_in(client, login, "sbagliata")
    assert counting.worked <= LIMIT
    late = Client(REMOTE_ADDR="198.51.100.1")
    assert log_in(late, "anna").status_code == 200
    assert not is_logged_in(late)


def test_the_owner_still_gets_in_from_a_browser_that_has_been_in_before(anna: Player) -> None:
    owner = Client(REMOTE_ADDR="198.51.100.1")
    log_in(owner, "anna")
    owner.post(reverse("account_logout"))
    for number in range(2 * LIMIT):
        log_in(Client(REMOTE_ADDR=f"192.0.2.{number}"), "anna", "sbagliata")
    assert log_in(owner, "anna").status_code == 302
    assert is_logged_in(owner)


def test_that_browser_too_gives_ten_attempts_and_its_mark_is_good_for_one_account(anna: Player, bruno: Player) -> None:
    owner = Client(REMOTE_ADDR="198.51.100.1")
    log_in(owner, "anna")
    owner.post(reverse("account_logout"))
    for number in range(LIMIT):
        log_in(owner, "anna", "sbagliata", REMOTE_ADDR=f"192.0.2.{number}")
    assert log_in(owner, "anna", REMOTE_ADDR="192.0.2.99").status_code == 200
    for number in range(LIMIT):
        log_in(Client(REMOTE_ADDR=f"192.0.2.{number}"), "bruno", "sbagliata")
    assert log_in(owner, "bruno", REMOTE_ADDR="192.0.2.98").status_code == 200
    assert not is_logged_in(owner)


def test_a_forged_mark_opens_nothing(anna: Player) -> None:
    forger = Client(REMOTE_ADDR="198.51.100.1")
    forger.cookies["device"] = "eyJ1c2VyIjoxfQ:abc:def"
    for number in range(LIMIT):
        log_in(forger, "anna", "sbagliata", REMOTE_ADDR=f"192.0.2.{number}")
    assert log_in(forger, "anna").status_code == 200
    assert not is_logged_in(forger)


def test_one_address_gives_twenty_attempts_a_minute_over_all_accounts(
    counting: type[CountingHasher], anna: Player
) -> None:
    counting.worked = 0
    for number in range(25):
        log_in(Client(REMOTE_ADDR="192.0.2.1"), f"nessuno{number}", "sbagliata")
    assert counting.worked <= 20


def test_the_right_password_is_taken_without_redis_and_limits_still_hold(anna: Player, own_redis: Any) -> None:
    before = Client(REMOTE_ADDR="192.0.2.1")
    assert log_in(before, "anna").status_code == 302
    processes.stop(own_redis, patience=1)
    client = Client(REMOTE_ADDR="192.0.2.2")
    for number in range(LIMIT):
        assert log_in(client, "anna", "sbagliata", REMOTE_ADDR=f"192.0.2.{number}").status_code == 200
    assert log_in(client, "anna").status_code == 200  # too many
    assert not is_logged_in(client)
    assert log_in(before, "anna").status_code == 302  # known here
    assert client.post(reverse("account_reset_password"), {"email": "a@example.org"}).status_code == 302
    form = {"username": "Dino", "email": "", "password1": PASSWORD, "password2": PASSWORD}
    assert client.post(reverse("account_signup"), form).status_code == 302


def test_redis_is_asked_again_when_it_is_back(anna: Player, own_redis: Any) -> None:
    processes.stop(own_redis, patience=1)
    cache.set("one", 1, 60)
    assert caches["database"].get("one") == 1
    assert RedisOrDatabase._away_until > time.monotonic()  # left alone for a while
    RedisOrDatabase._away_until = time.monotonic()
    assert cache.get("one") == 1  # asked, still away


def test_too_many_requests_are_told_in_the_sites_own_look(anna: Player) -> None:
    client = Client(REMOTE_ADDR="192.0.2.1")
    for _ in range(5):
        assert client.post(reverse("account_reset_password"), {"email": "a@example.org"}).status_code == 302
    answer = client.post(reverse("account_reset_password"), {"email": "a@example.org"})
    assert answer.status_code == 429
    assertTemplateUsed(answer, "429.html")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("redis", ["here", "away"])
def test_attempts_side_by_side_are_counted_like_others(
    anna: Player, own_redis: Any, counting: type[CountingHasher], redis: str
) -> None:
    if redis == "away":
        processes.stop(own_redis, patience=1)
        cache.get("asked")
    counting.worked = 0

    def attempt(number: int) -> int:
        try:
            return log_in(Client(REMOTE_ADDR=f"192.0.2.{number}"), "anna", "sbagliata").status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        assert set(pool.map(attempt, range(3 * LIMIT))) == {200}
    assert 0 < counting.worked <= LIMIT


def test_without_the_limit_every_attempt_is_hashed(anna: Player, counting: type[CountingHasher], settings: Any) -> None:
    """The guard switched off: otherwise counting hashes would prove nothing."""
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "login_failed": ""}
    counting.worked = 0
    for number in range(2 * LIMIT):
        log_in(Client(REMOTE_ADDR=f"192.0.2.{number}"), "anna", "sbagliata")
    assert counting.worked == 2 * LIMIT
