"""Messages to devices (U4): stored with their cause, sent once to whoever wants them and looks at no page, or given
up."""

import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.urls import reverse
from django.utils import timezone, translation

from games.services import seating
from players import caps, presence
from players.models import Player, PushDevice, PushMessage, User
from players.services.push_messages import forget_messages, push_to
from tests.support.mail import open_bar_table
from tests.support.push import Subscriber, send_due, subscribe
from tests.support.receivers import ReceivingServer, receiving, redirect_to, statuses, write_certificates

pytestmark = pytest.mark.django_db

SOON = timedelta(minutes=10)


@pytest.fixture(autouse=True)
def _reachable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[None]:
    """Requests reach the tests' servers, and nobody looks at a page."""
    monkeypatch.setenv("SSL_CERT_FILE", str(write_certificates(tmp_path)))
    settings.OUTGOING_OPEN = True
    presence.forget_here()
    yield
    presence.forget_here()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[ReceivingServer]:
    """A push service that takes everything."""
    with receiving(tmp_path, statuses(201)) as server:
        yield server


def tell(player: Player, now: datetime, key: str = "x", **more: Any) -> None:
    about = {"kind": "table", "title": "Coppa", "path": "/tavoli/x/", "until": now + SOON, **more}
    with transaction.atomic():
        push_to(key=key, player_ids=[player.pk], now=now, **about)


@pytest.fixture
def about_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages about no real table: nobody says that it is over."""
    monkeypatch.setattr("players.services.push_messages._checks", {})


@pytest.mark.rule("U4")
def test_an_open_table_is_told_to_the_devices_of_who_sits_there_sealed_for_each(
    now: datetime, anna: Player, bruno: Player, carla: Player, service: ReceivingServer
) -> None:
    phone, desktop = subscribe(anna, service, now), subscribe(anna, service, now, "/push/b")
    subscribe(carla, service, now, "/push/c")
    match = open_bar_table(now, anna, bruno)
    assert send_due(now) == 2
    told = {request.path: request for request in service.received}
    path = reverse("table", args=[match.public_id])
    assert phone.read(told["/push/a"]) == {
        "title": "Il tuo tavolo è aperto", "body": "Coppa del bar", "url": path, "lang": "it",
    }  # fmt: skip
    assert desktop.read(told["/push/b"])["url"] == path
    headers = told["/push/a"].headers
    assert headers["content-encoding"] == "aes128gcm"
    assert headers["authorization"].startswith("vapid t=")
    assert headers["urgency"] == "high"
    assert headers["ttl"] == "300", "whoever isn't there by then has lost"
    assert match.public_id not in repr(headers), "which table it is, the service isn't told"
    assert send_due(now + timedelta(minutes=1)) == 0, "once"
    assert PushDevice.objects.filter(told_at=now).count() == 2


@pytest.mark.rule("U4")
@pytest.mark.usefixtures("about_nothing")
def test_the_topic_of_a_table_is_the_same_and_that_of_another_device_or_table_is_not(
    now: datetime, anna: Player, service: ReceivingServer
) -> None:
    subscribe(anna, service, now)
    for kind, key, path in (("table", "x", "/tavoli/x/"), ("turn", "x:1", "/tavoli/x/"), ("table", "y", "/tavoli/y/")):
        tell(anna, now, key, kind=kind, path=path)
    subscribe(anna, service, now, "/push/b")
    tell(anna, now, "x", path="/tavoli/x/")
    send_due(now)
    topics = [(request.path, request.headers["topic"]) for request in service.received]
    assert len({topic for _path, topic in topics}) == 3
    assert len([topic for path, topic in topics if path == "/push/a"]) == 3
    assert all(len(topic) <= 32 for _path, topic in topics)


@pytest.mark.rule("U4")
@pytest.mark.parametrize("case", ["no wish", "closed", "suspended", "logged out", "other kind"])
@pytest.mark.usefixtures("about_nothing")
def test_nobody_else_is_told(now: datetime, anna: Player, service: ReceivingServer, case: str) -> None:
    subscribe(anna, service, now)
    user = User.objects.filter(pk=anna.user_id)
    if case == "logged out":
        Session.objects.all().delete()
    user.update(
        push_tables=case != "no wish",
        push_turns=case != "other kind",
        is_active=case != "closed",
        suspended_until=now + SOON if case == "suspended" else None,
    )
    tell(anna, now, kind="turn" if case == "other kind" else "table")
    assert not PushMessage.objects.exists()
    assert send_due(now) == 0


@pytest.mark.rule("U4")
@pytest.mark.parametrize("case", ["wish", "session", "device", "suspended"])
@pytest.mark.usefixtures("about_nothing")
def test_who_changes_their_mind_in_between_is_not_told(
    now: datetime, anna: Player, service: ReceivingServer, case: str
) -> None:
    subscribe(anna, service, now)
    tell(anna, now)
    user = User.objects.filter(pk=anna.user_id)
    match case:
        case "wish":
            user.update(push_tables=False)
        case "session":
            Session.objects.all().delete()
        case "device":
            PushDevice.objects.all().delete()
        case "suspended":
            user.update(suspended_until=now + SOON)
    assert send_due(now) == 0
    assert service.received == []
    assert not PushMessage.objects.filter(due_at__isnull=False).exists()


@pytest.mark.rule("U4")
@pytest.mark.usefixtures("about_nothing")
def test_it_is_said_in_the_readers_language_or_in_that_of_the_browsers_pages(
    now: datetime, anna: Player, bruno: Player, carla: Player, service: ReceivingServer
) -> None:
    User.objects.filter(pk=anna.user_id).update(language="en")
    readers = {
        "/push/a": subscribe(anna, service, now, "/push/a", language="it"),
        "/push/b": subscribe(bruno, service, now, "/push/b", language="en"),
        "/push/c": subscribe(carla, service, now, "/push/c", language="it"),
    }
    for player in (anna, bruno, carla):
        tell(player, now)
    with translation.override("en"):  # whatever the worker's own is
        assert send_due(now) == 3
    said = {request.path: readers[request.path].read(request) for request in service.received}
    assert {path: told["lang"] for path, told in said.items()} == {"/push/a": "en", "/push/b": "en", "/push/c": "it"}
    assert said["/push/a"]["title"] != said["/push/c"]["title"] == "Il tuo tavolo è aperto"


@pytest.mark.usefixtures("about_nothing")
def test_a_tournament_of_the_house_is_named_in_the_readers_language(
    now: datetime, anna: Player, bruno: Player, service: ReceivingServer
) -> None:
    readers = {
        "/push/a": subscribe(anna, service, now, "/push/a", language="en"),
        "/push/b": subscribe(bruno, service, now, "/push/b", language="it"),
    }
    for player in (anna, bruno):
        tell(player, now, title="KO veloce di scopa")
    assert send_due(now) == 2
    said = {request.path: readers[request.path].read(request)["body"] for request in service.received}
    assert said == {"/push/a": "Quick Scopa knockout", "/push/b": "KO veloce di scopa"}


@pytest.mark.rule("U4")
def test_who_looks_at_a_page_is_told_there_and_their_device_once_they_look_away(
    now: datetime, anna: Player, bruno: Player, service: ReceivingServer
) -> None:
    subscribe(anna, service, now)
    open_bar_table(now, anna, bruno)
    presence.mark_watching([anna.pk], now)
    presence.mark_here([anna.pk, bruno.pk], now)
    assert send_due(now) == 0
    assert send_due(now + timedelta(seconds=4)) == 0, "not looked at again so soon"
    later = now + timedelta(seconds=5)
    presence.mark_here([anna.pk, bruno.pk], later)  # the page is open, and nobody looks at it
    assert send_due(later) == 1


@pytest.mark.rule("U4")
def test_who_has_come_to_the_table_is_not_called_there_any_more(
    now: datetime, anna: Player, bruno: Player, service: ReceivingServer
) -> None:
    subscribe(anna, service, now)
    subscribe(bruno, service, now, "/push/b")
    match = open_bar_table(now, anna, bruno)
    seating.sit_down(match_id=match.pk, player_id=anna.pk, token="t", now=now)
    assert send_due(now) == 1
    assert [request.path for request in service.received] == ["/push/b"]


@pytest.mark.rule("U4")
@pytest.mark.usefixtures("about_nothing")
def test_while_redis_is_away_an_open_table_is_told_all_the_same(
    now: datetime, anna: Player, service: ReceivingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    subscribe(anna, service, now)
    tell(anna, now)
    monkeypatch.setattr(presence, "find_watching", lambda _now: None)
    assert send_due(now) == 1


def test_what_was_not_committed_is_not_sent(
    now: datetime, anna: Player, bruno: Player, service: ReceivingServer
) -> None:
    subscribe(anna, service, now)
    with transaction.atomic():
        open_bar_table(now, anna, bruno)
        transaction.set_rollback(True)
    assert send_due(now) == 0


@pytest.mark.rule("U4")
@pytest.mark.parametrize("status", [404, 410])
@pytest.mark.usefixtures("about_nothing")
def test_a_browser_that_is_no_more_is_forgotten(now: datetime, anna: Player, tmp_path: Path, status: int) -> None:
    with receiving(tmp_path, statuses(status)) as server:
        subscribe(anna, server, now)
        tell(anna, now)
        assert send_due(now) == 0
    assert not PushDevice.objects.exists()
    assert not PushMessage.objects.exists()


@pytest.mark.rule("U4")
@pytest.mark.usefixtures("about_nothing")
def test_a_service_that_fails_is_tried_again_a_few_times_and_not_when_it_is_late(
    now: datetime, anna: Player, tmp_path: Path
) -> None:
    with receiving(tmp_path, statuses(503, 429, 201)) as server:
        subscribe(anna, server, now)
        tell(anna, now)
        hours = [now, now + timedelta(seconds=9), now + timedelta(seconds=10), now + timedelta(seconds=30)]
        assert [send_due(hour) for hour in hours] == [0, 0, 0, 1]
        assert len(server.received) == 3
        assert PushDevice.objects.get().failing_since is None
    with receiving(tmp_path, statuses(500)) as server:
        PushDevice.objects.all().delete()
        subscribe(anna, server, now)
        tell(anna, now)
        tell(anna, now, "late", until=now + timedelta(seconds=5))
        for seconds in (0, 10, 30, 70, 600):
            assert send_due(now + timedelta(seconds=seconds)) == 0
        assert len(server.received) == caps.PUSH_ATTEMPTS + 1, "the late one once"
    assert not PushMessage.objects.filter(due_at__isnull=False).exists()


@pytest.mark.rule("U4")
@pytest.mark.parametrize("status", [400, 401, 403, 413])
@pytest.mark.usefixtures("about_nothing")
def test_what_a_service_refuses_for_good_is_not_sent_again(
    now: datetime, anna: Player, tmp_path: Path, status: int
) -> None:
    with receiving(tmp_path, statuses(status)) as server:
        subscribe(anna, server, now)
        tell(anna, now)
        for seconds in (0, 10, 60):
            send_due(now + timedelta(seconds=seconds))
        assert len(server.received) == 1
    assert PushDevice.objects.get().failing_since == now


@pytest.mark.rule("U4")
@pytest.mark.usefixtures("about_nothing")
def test_a_device_that_has_failed_for_days_is_forgotten(now: datetime, anna: Player, tmp_path: Path) -> None:
    with receiving(tmp_path, statuses(400, 400, 201, 400, 400, 400)) as server:
        subscribe(anna, server, now)
        gaps = (timedelta(), caps.PUSH_FAILS_FOR - timedelta(hours=1), timedelta(hours=2), timedelta(hours=1))
        hour = now
        for number, gap in enumerate(gaps):
            hour += gap
            tell(anna, hour, str(number))
            send_due(hour)
        assert PushDevice.objects.exists(), "one went well in between"
        hour += caps.PUSH_FAILS_FOR
        tell(anna, hour, "last")
        send_due(hour)
    assert not PushDevice.objects.exists()


@pytest.mark.rule("W4", "U4")
@pytest.mark.usefixtures("about_nothing")
def test_a_message_goes_by_the_one_way_out_which_follows_nobody_inside(
    now: datetime, anna: Player, tmp_path: Path, settings: Any
) -> None:
    with (
        receiving(tmp_path, statuses(201)) as inner,
        receiving(tmp_path, redirect_to(inner.build_url(host="127.0.0.1"))) as server,
    ):
        subscribe(anna, server, now)
        tell(anna, now)
        assert send_due(now) == 0
        assert (len(server.received), inner.connections) == (1, 0)
        settings.OUTGOING_OPEN = False
        tell(anna, now, "y")
        assert send_due(now + timedelta(minutes=1)) == 0
        assert len(server.received) == 1, "a name that leads inside by now"


@pytest.mark.rule("U4")
@pytest.mark.usefixtures("about_nothing")
def test_nothing_about_a_device_stands_in_the_log(
    now: datetime, anna: Player, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    with receiving(tmp_path, statuses(500)) as server:
        subscriber = subscribe(anna, server, now, "/push/secret")
        tell(anna, now)
        send_due(now)
    assert "was not sent" in caplog.text
    assert not any(secret in caplog.text for secret in ("/push/secret", *list(subscriber.given.values())[1:], "Coppa"))


@pytest.mark.rule("U4")
def test_one_device_is_not_called_all_day(now: datetime, anna: Player, service: ReceivingServer) -> None:
    subscribe(anna, service, now)
    (cap,) = caps.PUSHES_A_DEVICE
    for number in range(cap.most + 5):
        tell(anna, now, str(number))
    assert PushMessage.objects.count() == cap.most
    tell(anna, now + cap.window, "later")
    assert PushMessage.objects.count() == cap.most + 1


@pytest.mark.rule("U4")
@pytest.mark.usefixtures("about_nothing")
def test_who_keeps_the_site_waiting_keeps_nobody_elses_message(
    now: datetime, anna: Player, bruno: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caps, "PUSH_SECONDS", 2.0)  # a busy machine shakes hands slowly
    with (
        receiving(tmp_path, lambda handler, before: handler.rfile.read(1)) as slow,
        receiving(tmp_path, statuses(201)) as quick,
    ):
        subscribe(anna, slow, now)
        subscribe(bruno, quick, now)
        tell(anna, now)
        tell(bruno, now)
        assert send_due(now) == 1
        assert len(quick.received) == 1


@pytest.mark.usefixtures("about_nothing")
def test_old_messages_are_forgotten(now: datetime, anna: Player, service: ReceivingServer) -> None:
    subscribe(anna, service, now)
    tell(anna, now)
    send_due(now)
    assert forget_messages(now=now + caps.PUSH_KEPT - timedelta(seconds=1)) == 0
    assert forget_messages(now=now + caps.PUSH_KEPT) == 1


@pytest.mark.rule("U4")
@pytest.mark.usefixtures("about_nothing")
def test_a_worker_that_died_while_sending_leaves_the_message_to_another(
    now: datetime, anna: Player, service: ReceivingServer
) -> None:
    subscribe(anna, service, now)
    tell(anna, now)
    PushMessage.objects.update(due_at=now + timedelta(minutes=1), attempts=1)  # taken by one that is no more
    assert send_due(now + timedelta(seconds=59)) == 0
    assert send_due(now + timedelta(minutes=1)) == 1


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("about_nothing")
def test_several_workers_at_once_send_a_message_once(now: datetime, anna: Player, service: ReceivingServer) -> None:
    readers: dict[str, Subscriber] = {
        path: subscribe(anna, service, now, path) for path in ("/push/a", "/push/b", "/push/c")
    }
    for number in range(4):
        tell(anna, now, str(number))

    def work(_: int) -> int:
        try:
            return send_due(now)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(work, range(4))) == 12
    assert sorted(request.path for request in service.received) == sorted([*readers] * 4)


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_told_by_two_at_once_it_is_one_message(now: datetime, anna: Player, service: ReceivingServer) -> None:
    subscribe(anna, service, timezone.now())

    def work(_: int) -> None:
        try:
            tell(anna, now)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(8)))
    assert PushMessage.objects.count() == 1


@pytest.mark.both_databases
@pytest.mark.only_on("postgres")  # SQLite has one writer
@pytest.mark.django_db(transaction=True)
def test_a_device_that_goes_at_that_instant_takes_no_tables_opening_with_it(
    now: datetime, anna: Player, service: ReceivingServer
) -> None:
    subscribe(anna, service, timezone.now())

    def forget() -> None:
        try:
            PushDevice.objects.all().delete()
        finally:
            connection.close()

    with transaction.atomic(), ThreadPoolExecutor(1) as pool:
        push_to(
            kind="table", key="x", player_ids=[anna.pk], title="Coppa", path="/tavoli/x/", until=now + SOON, now=now
        )
        pool.submit(forget).result()
        User.objects.filter(pk=anna.user_id).update(vibration=True)
    assert User.objects.get(pk=anna.user_id).vibration, "all else is stored"
    assert send_due(now) == 0
    assert not service.received
    assert not PushMessage.objects.filter(due_at__isnull=False).exists()
