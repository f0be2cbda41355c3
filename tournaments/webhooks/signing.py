"""Signatures of webhooks, as standardwebhooks.com has them: any receiver's library of that standard checks them.

A secret is ``whsec_`` and 32 random bytes. What is signed is the event's id, the second of sending, and the body; both
stand in headers, so a receiver can refuse what it has had already and what is old.
"""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterable
from datetime import datetime

PREFIX = "whsec_"
SECRET_BYTES = 32


def make_secret() -> str:
    """Return a new random secret."""
    return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def build_headers(event_id: str, body: bytes, secrets_: Iterable[str], now: datetime) -> dict[str, str]:
    """Return the headers of a request: what it is, when it is sent, and a signature by each valid secret."""
    second = str(int(now.timestamp()))
    content = b".".join((event_id.encode(), second.encode(), body))
    signatures = (f"v1,{_sign(secret, content)}" for secret in secrets_)
    return {"webhook-id": event_id, "webhook-timestamp": second, "webhook-signature": " ".join(signatures)}


def _sign(secret: str, content: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(PREFIX))
    return base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
