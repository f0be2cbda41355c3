"""Browsers that asked to be told (Web Push): their keys, and how they read what their push service brings.

They decrypt by the words of RFC 8291 and 8188, with no code of the site's.
"""

import base64
import json
import socket
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.test import Client

from players.models import Player, PushDevice
from players.services import push_messages
from players.services.push_devices import add_device
from tests.support.receivers import NAME, Received, ReceivingServer

PHONE = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile Safari/537.36"
SALT, LENGTHS = 16, 21  # of the head of a record


def write(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@dataclass(frozen=True)
class Subscriber:
    """A browser's subscription: where its service listens, and the keys that never leave it."""

    endpoint: str
    private: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = b"sixteen bytes of"

    @property
    def public(self) -> bytes:
        return self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def given(self) -> dict[str, str]:
        """Address and keys, as it tells them to the site."""
        return {"endpoint": self.endpoint, "p256dh": write(self.public), "auth": write(self.secret)}

    def decrypt(self, body: bytes) -> bytes:
        """Read one message, its padding included in nothing."""
        salt, size = body[:SALT], body[LENGTHS - 1]
        theirs, record = body[LENGTHS : LENGTHS + size], body[LENGTHS + size :]
        shared = self.private.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs))
        derive = partial(HKDF, SHA256())
        secret = derive(32, self.secret, b"WebPush: info\0" + self.public + theirs).derive(shared)
        key = derive(16, salt, b"Content-Encoding: aes128gcm\0").derive(secret)
        nonce = derive(12, salt, b"Content-Encoding: nonce\0").derive(secret)
        plain = AESGCM(key).decrypt(nonce, record, None)
        text, delimiter, padding = plain.rpartition(b"\x02")
        assert delimiter == b"\x02"
        assert not padding.strip(b"\0")
        return text

    def read(self, request: Received) -> dict[str, Any]:
        """Read a request that its service got."""
        read: dict[str, Any] = json.loads(self.decrypt(request.body))
        return read


def find_loopback(host: str, port: int, seconds: float) -> Sequence[str]:
    """Resolve the name of the tests' servers."""
    if host == NAME:
        return ("127.0.0.1",)
    return [str(row[4][0]) for row in socket.getaddrinfo(host, port)]


def find_somewhere(host: str, port: int, seconds: float) -> Sequence[str]:
    """Resolve any name to an address of the internet: of services that no test sends to."""
    return ("93.184.215.14",)


def add_browser(
    player: Player, endpoint: str, now: datetime, *, client: Client | None = None, language: str = "it"
) -> Subscriber:
    """Have a browser of this player be told, signed in as ``client`` is, or by a login of its own."""
    browser = client or Client()
    if client is None:
        browser.force_login(player.user)
    subscriber = Subscriber(endpoint)
    add_device(
        user=player.user,
        session_key=str(browser.session.session_key),
        browser=PHONE,
        language=language,
        now=now,
        resolve=find_somewhere,
        **subscriber.given,
    )
    return subscriber


def subscribe(player: Player, server: ReceivingServer, now: datetime, path: str = "/push/a", **more: Any) -> Subscriber:
    """Have a browser of this player be told by that service."""
    return add_browser(player, server.build_url(path), now, **more)


def send_due(now: datetime) -> int:
    """Send what is due, as Celery does, to services of this machine; return how many were taken."""
    return push_messages.send_due_messages(now=now, resolve=find_loopback)


def count_devices(player: Player) -> int:
    return PushDevice.objects.filter(user=player.user).count()
