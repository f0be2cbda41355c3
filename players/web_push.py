"""Web Push: what is said to one browser, sealed for it alone, and how its push service knows the site.

A push service carries what it can't read (RFC 8291, 8188) and takes it only from the site whose key the browser was
given (RFC 8292). Nothing is sent or stored here.
"""

import base64
import functools
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parseaddr
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings

SECRET_BYTES = SALT_BYTES = 16
KEY_BYTES, NONCE_BYTES = 16, 12
PRIVATE_KEY_BYTES = 32
PUBLIC_KEY_BYTES = 65  # an uncompressed point of P-256
RECORD_BYTES = 4096  # every service takes as much
PADDED_TO_BYTES = 256  # so that a length says nothing of a name
MAX_TEXT_BYTES = 3_800
SIGNED_FOR = timedelta(hours=12)  # a day at most (RFC 8292)


class KeyInvalid(ValueError):
    """A key that no browser made."""


@dataclass(frozen=True, slots=True)
class BrowserKeys:
    """The keys a browser gave with its address: its public key of P-256, and a secret that both sides know."""

    public: ec.EllipticCurvePublicKey
    secret: bytes


def read_keys(p256dh: str, auth: str) -> BrowserKeys:
    """Return the keys as a browser writes them, in base64url. KeyInvalid."""
    public, secret = decode(p256dh), decode(auth)
    if len(public) != PUBLIC_KEY_BYTES or len(secret) != SECRET_BYTES:
        raise KeyInvalid
    try:
        return BrowserKeys(ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), public), secret)
    except ValueError:  # a point elsewhere than on the curve
        raise KeyInvalid from None


def decode(text: str) -> bytes:
    """Return the bytes of a text in base64url, with or without its padding. KeyInvalid."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except ValueError:
        raise KeyInvalid from None


def encode(data: bytes) -> str:
    """Return bytes in base64url, without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def seal(
    text: bytes,
    keys: BrowserKeys,
    *,
    own: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
    padded_to: int = PADDED_TO_BYTES,
) -> bytes:
    """Return ``text`` as one record that this browser alone can read (aes128gcm).

    ``own`` and ``salt`` are made anew for each message, unless given. ValueError for too long a text.
    """
    if len(text) > MAX_TEXT_BYTES:
        raise ValueError("too long for a push message")
    own = own or ec.generate_private_key(ec.SECP256R1())
    salt = salt or os.urandom(SALT_BYTES)
    theirs, ours = _write_point(keys.public), _write_point(own.public_key())
    shared = own.exchange(ec.ECDH(), keys.public)
    secret = _derive(shared, keys.secret, b"WebPush: info\0" + theirs + ours, SHA256.digest_size)
    key = _derive(secret, salt, b"Content-Encoding: aes128gcm\0", KEY_BYTES)
    nonce = _derive(secret, salt, b"Content-Encoding: nonce\0", NONCE_BYTES)
    plain = text + b"\x02"  # the end of the last record; what comes after it is padding
    plain += bytes(-len(plain) % padded_to)
    head = salt + RECORD_BYTES.to_bytes(4, "big") + len(ours).to_bytes(1, "big") + ours
    return head + AESGCM(key).encrypt(nonce, plain, None)


def build_headers(endpoint: str, *, ttl: timedelta, topic: str, now: datetime) -> Mapping[str, str]:
    """Return the headers of a message to a push service: who sends it, how long it is worth keeping, and its topic:
    a later one of the same takes its place while the browser is away."""
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"https://{parts.netloc}",
        "sub": f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}",
        "exp": int((now + SIGNED_FOR).timestamp()),
    }
    return {
        "Authorization": f"vapid t={_sign(claims)},k={read_public_key()}",
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(max(0, int(ttl.total_seconds()))),
        "Topic": topic,
        "Urgency": "high",
    }


def read_public_key() -> str:
    """Return the site's public key, as a browser is given it."""
    return encode(_write_point(_build_key(settings.VAPID_PRIVATE_KEY).public_key()))


def _sign(claims: Mapping[str, object]) -> str:
    """Return the claims as a JSON Web Token of the site's (ES256: RFC 7515, 7518)."""
    words = b".".join(encode(json.dumps(part).encode()).encode() for part in ({"typ": "JWT", "alg": "ES256"}, claims))
    r, s = decode_dss_signature(_build_key(settings.VAPID_PRIVATE_KEY).sign(words, ec.ECDSA(SHA256())))
    signature = b"".join(number.to_bytes(PRIVATE_KEY_BYTES, "big") for number in (r, s))
    return f"{words.decode()}.{encode(signature)}"


@functools.cache
def _build_key(text: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(decode(text), "big"), ec.SECP256R1())


def _write_point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=info).derive(secret)
