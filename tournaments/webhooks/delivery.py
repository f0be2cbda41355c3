"""Delivery of the outbox, event by event, by the sweep inside each Celery worker, on a lane that keeps nothing waiting.

Any number of workers may look: who takes an event first has it for a while, and one that dies leaves it to be taken
again, so an event may come twice, always with the same id. After a failure the event waits longer each time, and the
whole webhook rests, so a server that is away costs one request each time it is tried, and keeps no other waiting. No
transaction is open while a request is out.
"""

import json
import logging
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from django.db import transaction
from django.db.models import F, Min, OuterRef, Subquery

from players import caps
from players.outgoing import OutgoingRefused, Resolver, send_request
from tournaments.models import Webhook, WebhookDelivery
from tournaments.webhooks.signing import build_headers

logger = logging.getLogger(__name__)

TAKEN_FOR = timedelta(minutes=1)
PAUSES = tuple(
    timedelta(seconds=seconds) for seconds in (10, 30, 120, 600, 1800, 2 * 3600, 6 * 3600)
)  # the last one for ever
GOOD = range(200, 300)


def list_due_deliveries(now: datetime) -> Iterable[int]:
    """Return one event that is due for each webhook, so that none waits for another's: what failed least often, then
    the oldest."""
    due = WebhookDelivery.objects.filter(due_at__lte=now, webhook=OuterRef("pk")).order_by("attempts", "pk")
    webhooks = Webhook.objects.filter(deliveries__due_at__lte=now).annotate(
        soonest=Min("deliveries__due_at"), first=Subquery(due.values("pk")[:1])
    )
    return webhooks.order_by("soonest", "pk").values_list("first", flat=True)


def deliver_event(*, delivery_id: int, now: datetime, resolve: Resolver | None = None) -> bool:
    """Deliver an event that is due; True if its receiver has it. Safe to call at any time, by any number of workers."""
    due = WebhookDelivery.objects.filter(pk=delivery_id, due_at__lte=now)
    if not due.update(due_at=now + TAKEN_FOR, attempts=F("attempts") + 1):
        return False
    delivery = WebhookDelivery.objects.select_related("webhook").get(pk=delivery_id)
    status, error = _send(delivery, now, resolve)
    delivered = status is not None and status in GOOD
    with transaction.atomic():
        webhook = Webhook.objects.select_for_update().filter(pk=delivery.webhook_id).first()
        if webhook is None:
            return delivered
        WebhookDelivery.objects.filter(pk=delivery.pk).update(status=status, error=error)
        if delivered:
            _note_success(webhook, delivery, now)
        elif webhook.off_at is None:
            _note_failure(webhook, delivery, now)
    return delivered


def write_body(delivery: WebhookDelivery) -> bytes:
    """Return the body of an event: the same bytes at every attempt."""
    hour = delivery.at.astimezone(UTC).isoformat().replace("+00:00", "Z")
    body = {"id": delivery.event_id, "type": delivery.kind, "timestamp": hour, "data": delivery.data}
    return json.dumps(body, separators=(",", ":")).encode()


def list_secrets(webhook: Webhook, now: datetime) -> list[str]:
    """Return the secrets that sign now: two while they are changed (W6)."""
    both = webhook.old_secret_until is not None and now < webhook.old_secret_until
    return [webhook.secret, webhook.old_secret] if both else [webhook.secret]


def _send(delivery: WebhookDelivery, now: datetime, resolve: Resolver | None) -> tuple[int | None, str]:
    """Return the status of the answer, or None and why there was none."""
    body = write_body(delivery)
    headers = build_headers(delivery.event_id, body, list_secrets(delivery.webhook, now), now)
    headers["Content-Type"] = "application/json"
    try:
        return send_request(delivery.webhook.url, body=body, headers=headers, resolve=resolve).status, ""
    except OutgoingRefused as refused:
        return None, refused.code


def _note_success(webhook: Webhook, delivery: WebhookDelivery, now: datetime) -> None:
    WebhookDelivery.objects.filter(pk=delivery.pk).update(due_at=None, delivered_at=now)
    if webhook.failing_since is not None:
        webhook.failures, webhook.failing_since, webhook.rests_until = 0, None, None
        webhook.save(update_fields=["failures", "failing_since", "rests_until"])


def _note_failure(webhook: Webhook, delivery: WebhookDelivery, now: datetime) -> None:
    """Have the event wait, and the webhook rest; off after days without any success (W7)."""
    waiting = WebhookDelivery.objects.filter(webhook=webhook, due_at__isnull=False)
    webhook.failures += 1
    webhook.failing_since = webhook.failing_since or now
    if now - webhook.failing_since >= caps.WEBHOOK_FAILS_FOR:
        webhook.off_at, webhook.rests_until = now, None
        waiting.update(due_at=None)
        logger.warning("webhook %s is off: nobody answered it for days", webhook.public_id)
    else:
        webhook.rests_until = now + find_pause(webhook.failures)
        waiting.filter(due_at__lt=webhook.rests_until).update(due_at=webhook.rests_until)
        next_at = now + find_pause(delivery.attempts)
        over = next_at - delivery.at >= caps.WEBHOOK_FAILS_FOR
        waiting.filter(pk=delivery.pk).update(due_at=None if over else max(next_at, webhook.rests_until))
    webhook.save(update_fields=["failures", "failing_since", "rests_until", "off_at"])


def find_pause(failures: int) -> timedelta:
    """Return how long to wait after so many failures: longer each time."""
    return PAUSES[min(failures, len(PAUSES)) - 1]


def forget_deliveries(now: datetime) -> int:
    """Delete a batch of what was delivered or given up long ago: a step of the housekeeping."""
    old = WebhookDelivery.objects.filter(due_at__isnull=True, at__lte=now - caps.WEBHOOK_LOG_KEPT)
    keys = list(old.order_by("at").values_list("pk", flat=True)[: caps.HOUSEKEEPING_BATCH])
    return WebhookDelivery.objects.filter(pk__in=keys).delete()[0]
