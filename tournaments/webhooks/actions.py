"""Acts of an organiser on webhooks: make, try, change the secret, put on again, delete. It sends nothing itself."""

from datetime import datetime
from typing import Any

from django.db import transaction

from players import caps
from players.models import Player
from players.services.counted_acts import TooMany, count_act
from tournaments.models import Webhook, WebhookDelivery
from tournaments.webhooks import outbox
from tournaments.webhooks.signing import make_secret

WEBHOOK_CODES = frozenset(
    {
        "account_needed",
        "too_many_webhooks",  # values: limit
        "webhooks_often",  # values: wait, the time until it is possible again
        "webhook_off",
        "no_such_webhook",  # another's, or gone
    }
)


class WebhookError(Exception):
    """A refusal about a webhook. ``code`` is one of WEBHOOK_CODES, ``values`` what its sentence needs."""

    def __init__(self, code: str, **values: Any) -> None:
        if code not in WEBHOOK_CODES:
            raise ValueError(f"not a code of webhooks: {code}")
        super().__init__(code)
        self.code = code
        self.values = values


def create_webhook(*, owner: Player, url: str, now: datetime) -> Webhook:
    """Make a webhook of an address that was checked; it hears of what happens from now on."""
    if owner.is_guest:
        raise WebhookError("account_needed")
    outbox.take_stock(owner, now)
    with transaction.atomic():
        Player.objects.select_for_update(no_key=True).get(pk=owner.pk)  # two requests at once are counted in turn
        if Webhook.objects.filter(owner=owner).count() >= caps.WEBHOOKS_A_PERSON:
            raise WebhookError("too_many_webhooks", limit=caps.WEBHOOKS_A_PERSON)
        _count_call(owner, now)
        return Webhook.objects.create(owner=owner, url=url, secret=make_secret(), since=now)


def try_webhook(*, webhook_id: int, by: Player, now: datetime) -> None:
    """Send an event that tells nothing, to this webhook alone."""
    with transaction.atomic():
        webhook = _lock_own(webhook_id, by)
        if webhook.off_at is not None:
            raise WebhookError("webhook_off")
        _count_call(by, now)
        outbox.write_event([webhook], outbox.Event.TEST, {"webhook": webhook.public_id}, now)
        waiting = WebhookDelivery.objects.filter(webhook=webhook, kind=outbox.Event.TEST, attempts=0)
        waiting.filter(due_at__gt=now).update(due_at=now)  # who tries it won't wait for its rest to end


def change_secret(*, webhook_id: int, by: Player, now: datetime) -> None:
    """Make a new secret; for a day the one before it signs too, so that the receiver can follow (W6)."""
    with transaction.atomic():
        webhook = _lock_own(webhook_id, by)
        webhook.old_secret, webhook.old_secret_until = webhook.secret, now + caps.WEBHOOK_SECRET_KEPT
        webhook.secret = make_secret()
        webhook.save(update_fields=["secret", "old_secret", "old_secret_until"])


def put_webhook_on(*, webhook_id: int, by: Player, now: datetime) -> None:
    """Put a webhook on again that went off. What happened meanwhile isn't sent."""
    outbox.take_stock(by, now)
    with transaction.atomic():
        webhook = _lock_own(webhook_id, by)
        if webhook.off_at is None:
            return
        _count_call(by, now)
        webhook.off_at = webhook.failing_since = webhook.rests_until = None
        webhook.failures, webhook.since = 0, now
        webhook.save()


def delete_webhook(*, webhook_id: int, by: Player) -> None:
    """Delete a webhook with what was on its way."""
    with transaction.atomic():
        _lock_own(webhook_id, by).delete()


def _lock_own(webhook_id: int, by: Player) -> Webhook:
    webhook = Webhook.objects.select_for_update().filter(pk=webhook_id, owner=by).first()
    if webhook is None:
        raise WebhookError("no_such_webhook")
    return webhook


def _count_call(owner: Player, now: datetime) -> None:
    try:
        count_act({f"webhook:{owner.pk}": caps.WEBHOOK_TESTS}, now=now)
    except TooMany as refused:
        raise WebhookError("webhooks_often", wait=refused.wait) from None
