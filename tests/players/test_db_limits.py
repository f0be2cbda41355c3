"""Limits of time on the database: whoever runs into one is answered clearly, and nothing is half done (AT6, AT7)."""

import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from secrets import token_hex

import pytest
from django.db import OperationalError, connection, connections, transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from games.models import FreeSeat, FreeTable
from players import middleware
from players.db_limits import (
    TransactionLimit,
    TransactionTooLong,
    is_lock_refused,
    is_out_of_time,
    limit_lock_wait,
    open_own_connection,
)
from players.models import Player
from tests.support import live
from tests.support.html import read_hooks
from tests.support.lobby import open_free_table
from tests.support.locks import hold
from tests.support.people import sign_in
from tests.support.production import configured
from tests.support.threads import run_at_once
from tests.support.waiting import PATIENCE

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def table(anna: Player, now: datetime) -> FreeTable:
    return open_free_table(anna, now)


@contextmanager
def short_waits() -> Iterator[None]:
    """Have this thread's connection wait like a web process's, only less."""
    short, back = {
        "postgresql": ("SET statement_timeout = 100", "SET statement_timeout = 0"),
        "sqlite": ("PRAGMA busy_timeout = 20", "PRAGMA busy_timeout = 20000"),
    }[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(short)
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(back)


def take(table: FreeTable) -> None:
    """Lock the table's row; on SQLite it takes a write."""
    FreeTable.objects.filter(pk=table.pk).update(public=False)


def sit(player: Player, table: FreeTable, accept: str = "text/html") -> HttpResponse:
    client: Client = sign_in(player)
    return client.post(reverse("free-table-sit", args=[table.public_id]), {"posto": "1"}, headers={"accept": accept})  # type: ignore[return-value]


def test_a_request_that_waits_too_long_is_told_to_try_again_at7(table: FreeTable, bruno: Player) -> None:
    client = sign_in(bruno)
    with hold(lambda: take(table)), short_waits():
        response = client.post(reverse("free-table-sit", args=[table.public_id]), {"posto": "1"})
        assert (response.status_code, response["Retry-After"]) == (503, "5")
        assert read_hooks(response, "note") == ["busy"]
        asked = client.post(
            reverse("free-table-sit", args=[table.public_id]), {"posto": "1"}, headers={"accept": "application/json"}
        )
        assert (asked.status_code, asked.json()["code"]) == (503, "busy")
    assert not FreeSeat.objects.filter(player=bruno).exists()
    assert sit(bruno, table).status_code == 302
    assert FreeSeat.objects.filter(player=bruno).exists()


def test_a_transaction_that_lasts_too_long_is_ended_whole_at6(
    table: FreeTable, bruno: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A limit for each statement would not see thousands of short ones."""
    monkeypatch.setattr(middleware, "WEB_TRANSACTION_SECONDS", -1)
    response = sit(bruno, table)
    assert response.status_code == 503
    assert read_hooks(response, "note") == ["busy"]
    assert not FreeSeat.objects.filter(player=bruno).exists()


def test_the_age_of_a_transaction_is_counted_from_its_first_lock_at6(anna: Player) -> None:
    hour = [0.0]

    def last_too_long() -> None:
        with transaction.atomic():
            Player.objects.update(calendar_token="half done")
            Player.objects.count()
            hour[0] += 11
            Player.objects.count()

    with connection.execute_wrapper(TransactionLimit(10, lambda: hour[0])):
        for _ in range(3):
            with transaction.atomic():
                Player.objects.update(seen_at=None)
                hour[0] += 8
                Player.objects.update(seen_at=None)
                hour[0] += 8
            Player.objects.count()
        with pytest.raises(TransactionTooLong) as refused:
            last_too_long()
    assert is_out_of_time(refused.value)
    assert not Player.objects.filter(calendar_token="half done").exists()


def test_other_faults_of_the_database_are_no_matter_of_time() -> None:
    with pytest.raises(OperationalError) as fault:
        raise OperationalError("the disk is full")
    assert not is_out_of_time(fault.value)
    assert not is_lock_refused(fault.value)


def test_a_thread_has_a_connection_that_waits_for_no_lock_at7(anna: Player) -> None:
    def update() -> None:
        open_own_connection(lock_seconds=0.02, statement_seconds=30, writer_seconds=0.02)
        assert connections["default"].settings_dict["NAME"] == name
        Player.objects.update(seen_at=None)

    name = connection.settings_dict["NAME"]
    with hold(lambda: Player.objects.update(seen_at=None)):
        (refused,) = run_at_once(update)
    assert is_lock_refused(refused), refused
    assert run_at_once(update) == [None]


@pytest.mark.only_on("postgres")
def test_a_limit_for_one_transaction_is_gone_after_it_at7(anna: Player) -> None:

    def read() -> str:
        with connection.cursor() as cursor:
            cursor.execute("SHOW lock_timeout")
            return str(cursor.fetchone()[0])

    before = read()
    with transaction.atomic():
        limit_lock_wait(0.5)
        assert read() == "500ms"
    assert read() == before


def test_web_processes_alone_have_a_limit_for_each_statement_at7(tmp_path: Path) -> None:
    """Migrations and commands take the time they need."""
    (_, web), (_, other) = (configured(tmp_path, PROCESS_ROLE=role) for role in ("web", ""))
    options = web.DATABASES["default"]["OPTIONS"]
    assert options["limits"] == {"statement_timeout": 5000, "idle_in_transaction_session_timeout": 10000}
    assert options["pool"]["timeout"] == 5
    assert "limits" not in other.DATABASES["default"]["OPTIONS"]
    for role, seconds in (("web", 5), ("", 20)):
        _, on_sqlite = configured(tmp_path, ENVIRONMENT="", DATABASE_URL="", PROCESS_ROLE=role)
        assert on_sqlite.DATABASES["default"]["OPTIONS"]["timeout"] == seconds


@pytest.mark.soak
def test_a_real_web_process_gives_a_wait_up_at7(table: FreeTable, bruno: Player, tmp_path: Path) -> None:
    token = token_hex(16)
    session = sign_in(bruno).cookies["sessionid"].value
    with live.web_process(tmp_path / "web.log") as (site, _process), hold(lambda: take(table)):
        request = urllib.request.Request(
            site.url + reverse("free-table-sit", args=[table.public_id]),
            data=b"posto=1",
            headers={"Cookie": f"sessionid={session}; csrftoken={token}", "X-CSRFToken": token},
        )
        with pytest.raises(urllib.error.HTTPError) as answer:
            urllib.request.urlopen(request, timeout=PATIENCE)
        assert answer.value.code == 503
        assert read_hooks(answer.value.read().decode(), "note") == ["busy"]
