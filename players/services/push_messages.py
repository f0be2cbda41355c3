"""Messages to devices (U4): stored with their cause, in the same transaction; sent afterwards by Celery, each once.

A message is a row with a key that makes it unique for its device. The first sender takes it for a while, so two workers
never send the same one; a worker that dies in between leaves it to be taken again. Its words are written when it is
sent, in the reader's language: no card, no score, nothing but which table waits. Whoever looks at a page of the site is
told there: their message waits until they look away, or until nobody waits for them any more.
"""

import json
import logging
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import Count, F, Q
from django.utils import translation
from django.utils.crypto import salted_hmac

from players import caps, metrics, presence, wording
from players.house_titles import show_title
from players.models import PushDevice, PushMessage
from players.outgoing import OutgoingRefused, Resolver, send_request
from players.services.push_devices import filter_standing
from players.services.worker_calls import call_worker
from players.web_push import build_headers, read_keys, seal

logger = logging.getLogger(__name__)

Kind = PushMessage.Kind
TASK = "players.send_pushes"
WANTED = {Kind.TABLE: "push_tables", Kind.TURN: "push_turns"}  # the preference each kind needs
TAKEN_FOR = timedelta(minutes=1)
LOOK_AGAIN = timedelta(seconds=5)  # whether they still look at a page
RETRY_AFTER = timedelta(seconds=10)  # doubled with each attempt
BATCH = 200
TOPIC_CHARACTERS = 32  # at most (RFC 8030)
GONE = (404, 410)
AGAIN = (408, 429)  # and every fault of the service's own
TRANSIENT = frozenset({"no_answer", "too_late", "unknown_name", "no_tls"})

Awaited = tuple[int, str]  # a player, and the key of what waits for them
FindAwaited = Callable[[Collection[Awaited]], Collection[Awaited]]

_checks: dict[str, FindAwaited] = {}


def register_check(kind: str, find_awaited: FindAwaited) -> None:
    """Have a kind of message sent to those alone who are still waited for: at start, by the app that knows."""
    _checks[kind] = find_awaited


def push_to(
    *, kind: str, key: str, player_ids: Iterable[int], title: str, path: str, until: datetime, now: datetime
) -> None:
    """Store a message for each device of those players who want this kind. Stored twice it is sent once."""
    devices = PushDevice.objects.filter(user__player__in=list(player_ids), **{f"user__{WANTED[Kind(kind)]}": True})
    (cap,) = caps.PUSHES_A_DEVICE
    lately = Count("messages", filter=Q(messages__created_at__gt=now - cap.window))
    reachable = filter_standing(devices, now).annotate(lately=lately).filter(lately__lt=cap.most)
    rows = [
        PushMessage(
            device_id=device_id, kind=kind, key=key, title=title, path=path, created_at=now, until=until, due_at=now
        )
        for device_id in reachable.values_list("pk", flat=True)
    ]
    if rows:
        PushMessage.objects.bulk_create(rows, ignore_conflicts=True)
        transaction.on_commit(partial(call_worker, TASK))


@dataclass(frozen=True, slots=True)
class Sealed:
    """A message as it goes out."""

    message: PushMessage
    body: bytes
    headers: dict[str, str]


def send_due_messages(*, now: datetime, resolve: Resolver | None = None) -> int:
    """Send the messages that are due, each by the first sender to take it. Return how many a service has taken."""
    due = PushMessage.objects.filter(due_at__lte=now).order_by("due_at").values_list("pk", flat=True)
    taken = [message_id for message_id in list(due[:BATCH]) if _take(message_id, now)]
    standing = filter_standing(PushDevice.objects.all(), now)
    rows = PushMessage.objects.filter(pk__in=taken, device__in=standing).select_related("device__user__player")
    wanted = _drop_unwanted({row.pk: row for row in rows}, taken, now)
    sealed = [_seal(message, now) for message in _hold_back(wanted, now)]
    with ThreadPoolExecutor(caps.PUSH_AT_ONCE, thread_name_prefix="push") as pool:
        outcomes = list(pool.map(partial(_post, resolve=resolve), sealed))
    return sum(_note(one.message, outcome, now) for one, outcome in zip(sealed, outcomes, strict=True))


def _take(message_id: int, now: datetime) -> bool:
    free = PushMessage.objects.filter(pk=message_id, due_at__lte=now)
    return bool(free.update(due_at=now + TAKEN_FOR, attempts=F("attempts") + 1))


def _drop_unwanted(rows: dict[int, PushMessage], taken: Sequence[int], now: datetime) -> list[PushMessage]:
    """Return those of the messages taken that somebody still needs; the others are done with."""
    awaited = set(rows)
    for kind, find_awaited in _checks.items():
        asked = {row.pk: (row.device.user.player.pk, row.key) for row in rows.values() if row.kind == kind}
        still = set(find_awaited(set(asked.values()))) if asked else set()
        awaited -= {pk for pk, waited in asked.items() if waited not in still}
    needed = [
        row
        for row in rows.values()
        if row.pk in awaited and now < row.until and getattr(row.device.user, WANTED[Kind(row.kind)])
    ]
    over = set(taken) - {row.pk for row in needed}
    if over:
        PushMessage.objects.filter(pk__in=over).update(due_at=None)
        metrics.PUSHES.labels("dropped").inc(len(over))
    return needed


def _hold_back(messages: Sequence[PushMessage], now: datetime) -> list[PushMessage]:
    """Return those whose readers look at no page; where that can't be known, all. The others wait."""
    watching = (presence.find_watching(now) or set()) if messages else set()
    held = {message.pk for message in messages if message.device.user.player.pk in watching}
    if held:
        PushMessage.objects.filter(pk__in=held).update(due_at=now + LOOK_AGAIN, attempts=F("attempts") - 1)
    return [message for message in messages if message.pk not in held]


def _seal(message: PushMessage, now: datetime) -> Sealed:
    device = message.device
    language = device.user.language or device.language
    with translation.override(language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE):
        text = {
            "title": wording.describe_push(message.kind),
            "body": show_title(message.title),
            "url": message.path,
            "lang": translation.get_language(),
        }
    body = seal(json.dumps(text, ensure_ascii=False).encode(), read_keys(device.p256dh, device.auth))
    # The service reads the topic: it says of which table as little as the rest.
    topic = salted_hmac("players.push", f"{device.pk}:{message.path}", algorithm="sha256").hexdigest()
    headers = build_headers(device.endpoint, ttl=message.until - now, topic=topic[:TOPIC_CHARACTERS], now=now)
    return Sealed(message, body, dict(headers))


def _post(sealed: Sealed, resolve: Resolver | None) -> int | str:
    """Return the service's status, or the code of why there was none. In a thread without a database."""
    try:
        answer = send_request(
            sealed.message.device.endpoint,
            body=sealed.body,
            headers=sealed.headers,
            resolve=resolve,
            seconds=caps.PUSH_SECONDS,
        )
    except OutgoingRefused as refused:
        return refused.code
    return answer.status


def _note(message: PushMessage, outcome: int | str, now: datetime) -> bool:
    """Store what came of a message: it is sent, tried again, or given up. Return True if the service has it."""
    own = PushDevice.objects.filter(pk=message.device_id)
    if outcome in GONE:
        own.delete()
        metrics.PUSHES.labels("gone").inc()
        return False
    if isinstance(outcome, int) and 200 <= outcome < 300:
        PushMessage.objects.filter(pk=message.pk).update(due_at=None, sent_at=now)
        own.update(told_at=now, failing_since=None)
        metrics.PUSHES.labels("sent").inc()
        return True
    logger.warning("message %d to a device was not sent, attempt %d: %s", message.pk, message.attempts, outcome)
    metrics.PUSHES.labels("failed").inc()
    own.filter(failing_since__lte=now - caps.PUSH_FAILS_FOR).delete()
    own.filter(failing_since=None).update(failing_since=now)
    later = now + RETRY_AFTER * 2 ** (message.attempts - 1)
    again = message.attempts < caps.PUSH_ATTEMPTS and later < message.until and _is_transient(outcome)
    PushMessage.objects.filter(pk=message.pk).update(due_at=later if again else None)
    return False


def _is_transient(outcome: int | str) -> bool:
    """Tell if the same message may go well the next time."""
    return outcome in TRANSIENT or outcome in AGAIN or (isinstance(outcome, int) and outcome >= 500)


def forget_messages(*, now: datetime) -> int:
    """Delete a batch of old messages: a step of the housekeeping."""
    old = PushMessage.objects.filter(created_at__lte=now - caps.PUSH_KEPT).values_list("pk", flat=True)
    return PushMessage.objects.filter(pk__in=list(old[: caps.HOUSEKEEPING_BATCH])).delete()[0]
