"""Digests by which a secret is found again that isn't stored: a link's token, a code on paper, a name taken out.

They are keyed by the site's secret. After a change of it what was stored before is found by the keys of before, as long
as they are in ``SECRET_KEY_FALLBACKS``.
"""

from django.conf import settings
from django.utils.crypto import salted_hmac


def compute_keyed_digest(salt: str, text: str) -> str:
    """Return the digest that is stored, by the present key."""
    return salted_hmac(salt, text, algorithm="sha256").hexdigest()


def list_keyed_digests(salt: str, text: str) -> tuple[str, ...]:
    """Return the digests by which a text may be stored: by the present key first, then by each of before."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return tuple(salted_hmac(salt, text, secret=key, algorithm="sha256").hexdigest() for key in keys)
