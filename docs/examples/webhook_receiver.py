"""Receiver of the site's webhooks, to copy: it checks who speaks, when, and whether it was said before.

It needs nothing but Python 3.11 and follows https://www.standardwebhooks.com, so any library of that standard does as
well. Behind your own https server:

    receiver = Receiver([os.environ["WEBHOOK_SECRET"]])
    event = receiver.read_event(request.headers, request.body)  # answer 400 where it raises WebhookRejected
    if event is not None:  # None: you have had this one; answer 200 all the same
        print(event.kind, event.data)

Answer 2xx within five seconds, and do what takes longer afterwards. Two events may come in another order than they
happened in: ``at`` says when each did, and the API has what holds now.
"""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

TOLERANCE_SECONDS = 300


class WebhookRejected(Exception):
    """A request that didn't come from the site, or not now."""


@dataclass(frozen=True)
class WebhookEvent:
    """Event of a tournament: ``kind`` is ``result.in`` and the like, ``data`` holds ids, codes and points."""

    id: str
    kind: str
    at: datetime
    data: Mapping[str, object]


class Receiver:
    """Checks what comes. ``secrets``: those shown in the profile, both while you change them."""

    def __init__(self, secrets: Iterable[str], clock: Callable[[], float] = time.time) -> None:
        self._keys = [base64.b64decode(secret.removeprefix("whsec_")) for secret in secrets]
        self._clock = clock
        self._seen: dict[str, float] = {}  # keep these in your database, if you have several processes

    def read_event(self, headers: Mapping[str, str], body: bytes) -> WebhookEvent | None:
        """Return the event, or None if it came before. WebhookRejected if it isn't the site's, or is old."""
        sent = {name.lower(): value for name, value in headers.items()}
        try:
            event_id, second, signatures = (sent[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
        except KeyError as missing:
            raise WebhookRejected(f"no header {missing}") from None
        if not second.isdigit() or abs(self._clock() - int(second)) > TOLERANCE_SECONDS:
            raise WebhookRejected("too old, or from the future")
        if not self._is_signed(event_id, second, signatures, body):
            raise WebhookRejected("no signature by a secret of ours")
        if not self._is_new(event_id):
            return None
        event = json.loads(body)
        return WebhookEvent(event["id"], event["type"], datetime.fromisoformat(event["timestamp"]), event["data"])

    def _is_signed(self, event_id: str, second: str, signatures: str, body: bytes) -> bool:
        content = b".".join((event_id.encode(), second.encode(), body))
        wanted = [base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode() for key in self._keys]
        given = [value for version, _, value in (part.partition(",") for part in signatures.split()) if version == "v1"]
        return any(hmac.compare_digest(one.encode(), other.encode()) for one in wanted for other in given)

    def _is_new(self, event_id: str) -> bool:
        """Note the id. False if it was noted before; the same event comes again where an answer got lost."""
        if event_id in self._seen:
            return False
        now = self._clock()
        self._seen = {known: at for known, at in self._seen.items() if now - at < 4 * 86_400}  # retried for three days
        self._seen[event_id] = now
        return True
