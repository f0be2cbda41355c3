"""Delivery (W6, W7): signed as the example's receiver checks, retried with growing pauses, off after three days."""

import sys
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from importlib.util import module_from_spec, spec_from_file_location
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from django.conf import settings as django_settings

from games.sweep import Lane, Sweep
from players import caps, outgoing
from players.models import Player
from tests.support.clock import Clock
from tests.support.receivers import NAME, ReceivingServer, receiving, redirect_to, statuses, write_certificates
from tournaments.models import Webhook, WebhookDelivery
from tournaments.webhooks import actions, delivery, outbox

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

EXAMPLE = Path(django_settings.BASE_DIR) / "docs/examples/webhook_receiver.py"
SECOND = timedelta(seconds=1)


def find_loopback(host: str, port: int, seconds: float) -> Sequence[str]:
    return ("127.0.0.1",) if host == NAME else outgoing.resolve_name(host, port, seconds)


@pytest.fixture(autouse=True)
def _reachable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(write_certificates(tmp_path)))
    settings.OUTGOING_OPEN = True


@pytest.fixture(scope="module")
def example() -> ModuleType:
    """The receiver of the documentation."""
    spec = spec_from_file_location("webhook_receiver", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ReceivingServer]:
    with receiving(tmp_path, statuses(200)) as running:
        yield running


def make_webhook(owner: Player, server: ReceivingServer, now: datetime) -> Webhook:
    return actions.create_webhook(owner=owner, url=server.build_url(), now=now)


def tell(webhook: Webhook, now: datetime, number: int = 1) -> WebhookDelivery:
    event_id = outbox.write_event([webhook], outbox.Event.TEST, {"number": number}, now)
    return webhook.deliveries.get(event_id=event_id)


def look(now: datetime) -> int:
    """One round of the lane; how many it tried."""
    due = list(delivery.list_due_deliveries(now))
    for key in due:
        delivery.deliver_event(delivery_id=key, now=now, resolve=find_loopback)
    return len(due)


def find_next(webhook: Webhook) -> datetime | None:
    due: datetime | None = (
        webhook.deliveries.filter(due_at__isnull=False).order_by("due_at").values_list("due_at", flat=True).first()
    )
    return due


@pytest.mark.rule("W6")
def test_the_examples_receiver_takes_what_is_sent_once(
    anna: Player, server: ReceivingServer, example: ModuleType, now: datetime
) -> None:
    webhook = make_webhook(anna, server, now)
    told = tell(webhook, now, number=7)
    assert look(now) == 1
    (request,) = server.received
    receiver = example.Receiver([webhook.secret], clock=now.timestamp)
    event = receiver.read_event(request.headers, request.body)
    assert (event.id, event.kind, event.at, event.data) == (told.event_id, "webhook.test", now, {"number": 7})
    assert receiver.read_event(request.headers, request.body) is None, "the second time it is known"
    for forged in (
        {**request.headers, "webhook-id": "evt_other"},
        {**request.headers, "webhook-timestamp": str(int(now.timestamp()) + 1)},
        {**request.headers, "webhook-signature": "v1,AAAA"},
        {name: value for name, value in request.headers.items() if name != "webhook-id"},
    ):
        with pytest.raises(example.WebhookRejected):
            example.Receiver([webhook.secret], clock=now.timestamp).read_event(forged, request.body)
    with pytest.raises(example.WebhookRejected):
        example.Receiver([webhook.secret], clock=now.timestamp).read_event(request.headers, request.body + b" ")
    late = now + timedelta(minutes=6)
    with pytest.raises(example.WebhookRejected, match="too old"):
        example.Receiver([webhook.secret], clock=late.timestamp).read_event(request.headers, request.body)
    webhook.refresh_from_db()
    assert look(now) == 0
    row = webhook.deliveries.get()
    assert (row.attempts, row.status, row.delivered_at, row.due_at) == (1, 200, now, None)


@pytest.mark.rule("W6")
def test_while_the_secret_changes_both_sign(
    anna: Player, server: ReceivingServer, example: ModuleType, now: datetime
) -> None:
    webhook = make_webhook(anna, server, now)
    before = webhook.secret
    actions.change_secret(webhook_id=webhook.pk, by=anna, now=now)
    webhook.refresh_from_db()

    def takes(secret: str, at: datetime) -> bool:
        tell(webhook, at)
        look(at)
        request = server.received[-1]
        try:
            example.Receiver([secret], clock=at.timestamp).read_event(request.headers, request.body)
        except example.WebhookRejected:
            return False
        return True

    assert webhook.secret != before
    assert [takes(secret, now) for secret in (before, webhook.secret)] == [True, True]
    after = now + caps.WEBHOOK_SECRET_KEPT
    assert [takes(secret, after) for secret in (before, webhook.secret)] == [False, True]


@pytest.mark.rule("W7")
def test_a_server_that_fails_twice_gets_the_same_event_after_growing_pauses(
    anna: Player, tmp_path: Path, now: datetime
) -> None:
    with receiving(tmp_path, statuses(500, 503, 200)) as server:
        webhook = make_webhook(anna, server, now)
        told = tell(webhook, now)
        tried = [now]
        assert look(now) == 1
        while (due := find_next(webhook)) is not None:
            assert look(due - SECOND) == 0, "not before its time"
            assert look(due) == 1
            tried.append(due)
            assert len(tried) < 10
    assert [later - sooner for sooner, later in pairwise(tried)] == list(delivery.PAUSES[:2])
    assert len({(request.headers["webhook-id"], request.body) for request in server.received}) == 1
    assert len({request.headers["webhook-signature"] for request in server.received}) == 3, "each signed anew"
    told.refresh_from_db()
    webhook.refresh_from_db()
    assert (told.attempts, told.status, told.delivered_at) == (3, 200, tried[-1])
    assert (webhook.failures, webhook.failing_since, webhook.rests_until) == (0, None, None)


@pytest.mark.rule("W7")
def test_a_webhook_nobody_answers_for_three_days_is_off(anna: Player, tmp_path: Path, now: datetime) -> None:
    with receiving(tmp_path, statuses(500)) as server:
        webhook = make_webhook(anna, server, now)
        tell(webhook, now)
        asked, at = 0, now
        while (due := find_next(webhook)) is not None:
            at = due
            tell(webhook, at)
            asked += look(at)
            assert asked < 40, "one request each time, however many events wait"
        webhook.refresh_from_db()
        assert webhook.off_at == at
        assert at - now >= caps.WEBHOOK_FAILS_FOR
        with pytest.raises(actions.WebhookError, match=r"^webhook_off$"):
            actions.try_webhook(webhook_id=webhook.pk, by=anna, now=at)
        actions.put_webhook_on(webhook_id=webhook.pk, by=anna, now=at)
        assert find_next(webhook) is None, "what happened meanwhile isn't sent"
        actions.try_webhook(webhook_id=webhook.pk, by=anna, now=at)
        assert look(at) == 1


@pytest.mark.rule("W7")
def test_an_event_that_is_never_taken_keeps_no_other_waiting_for_ever(
    anna: Player, tmp_path: Path, now: datetime
) -> None:
    def answer(handler: Any, before: int) -> None:
        handler.send_response(422 if b'"number":13' in server.received[-1].body else 200)
        handler.end_headers()

    with receiving(tmp_path, answer) as server:
        webhook = make_webhook(anna, server, now)
        poison = tell(webhook, now, number=13)
        good = tell(webhook, now, number=1)
        look(now)
        due = find_next(webhook)
        assert due is not None
        assert look(due) == 1
        assert WebhookDelivery.objects.get(pk=good.pk).delivered_at == due
        while (due := find_next(webhook)) is not None:
            tell(webhook, due)
            look(due)
            look(due)
        poison.refresh_from_db()
        webhook.refresh_from_db()
        assert (poison.delivered_at, poison.due_at, webhook.off_at) == (None, None, None)


@pytest.mark.rule("W4", "W7")
def test_a_webhook_that_redirects_inside_has_failed(anna: Player, tmp_path: Path, now: datetime) -> None:
    with (
        receiving(tmp_path, statuses(200)) as inner,
        receiving(tmp_path, redirect_to(inner.build_url(host="127.0.0.1"))) as server,
    ):
        webhook = make_webhook(anna, server, now)
        told = tell(webhook, now)
        look(now)
    told.refresh_from_db()
    assert (told.error, told.status, told.delivered_at, inner.connections) == ("redirected", None, None, 0)


@pytest.mark.rule("W4", "W7")
@pytest.mark.parametrize(
    ("framing", "code"),
    [
        ("Content-Length: 999999999999999", "too_long"),
        ("Content-Length: 99999999999999999999999", "too_long"),
        ("Transfer-Encoding: chunked\r\n\r\n-5", "not_http"),
    ],
)
def test_a_webhook_that_answers_with_an_impossible_length_has_failed_and_rests(
    anna: Player, tmp_path: Path, now: datetime, framing: str, code: str
) -> None:
    def announce(handler: Any, before: int) -> None:
        handler.wfile.write(f"HTTP/1.1 200 OK\r\n{framing}\r\n\r\n".encode())

    with receiving(tmp_path, announce) as server:
        webhook = make_webhook(anna, server, now)
        told = tell(webhook, now)
        look(now)
    told.refresh_from_db()
    webhook.refresh_from_db()
    assert (told.error, told.status, told.attempts, told.delivered_at) == (code, None, 1, None)
    assert (webhook.failures, webhook.failing_since) == (1, now)
    assert told.due_at == webhook.rests_until == now + delivery.find_pause(1)


def test_two_webhooks_are_served_in_turn(anna: Player, bruno: Player, server: ReceivingServer, now: datetime) -> None:
    first, second = make_webhook(anna, server, now), make_webhook(bruno, server, now)
    for number in range(3):
        tell(first, now, number)
    tell(second, now)
    look(now)
    assert [webhook.deliveries.filter(due_at=None).count() for webhook in (first, second)] == [1, 1]


def test_an_event_is_taken_by_one_worker_and_again_if_that_one_dies(
    anna: Player, server: ReceivingServer, now: datetime
) -> None:
    webhook = make_webhook(anna, server, now)
    told = tell(webhook, now)
    WebhookDelivery.objects.filter(pk=told.pk).update(due_at=now + delivery.TAKEN_FOR, attempts=1)
    assert not delivery.deliver_event(delivery_id=told.pk, now=now, resolve=find_loopback)
    assert server.received == []
    assert delivery.deliver_event(delivery_id=told.pk, now=now + delivery.TAKEN_FOR, resolve=find_loopback)


@pytest.mark.rule("W7")
def test_the_sweep_delivers_on_a_lane_of_its_own(anna: Player, tmp_path: Path, now: datetime) -> None:
    with receiving(tmp_path, statuses(200)) as server:
        webhook = actions.create_webhook(owner=anna, url=server.build_url(host="127.0.0.1"), now=now)
        told = tell(webhook, now)
        for lane in Lane:
            if lane is not Lane.OUTGOING:
                Sweep(Clock(now), lanes=[lane]).round()
        assert server.received == []
        Sweep(Clock(now), lanes=[Lane.OUTGOING]).round()
        assert len(server.received) == 1
    told.refresh_from_db()
    assert told.delivered_at == now


def test_old_events_are_forgotten_and_those_on_their_way_are_not(
    anna: Player, server: ReceivingServer, now: datetime
) -> None:
    webhook = make_webhook(anna, server, now)
    tell(webhook, now)
    look(now)
    waiting = tell(webhook, now)
    assert delivery.forget_deliveries(now + caps.WEBHOOK_LOG_KEPT - SECOND) == 0
    assert delivery.forget_deliveries(now + caps.WEBHOOK_LOG_KEPT) == 1
    assert list(webhook.deliveries.all()) == [waiting]
