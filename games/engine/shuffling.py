"""The order of a deck, the first dealer and lots, from a secret and what each player added to it (J1, J3, J3a).

Anybody who knows secret, scope and nonces comes to the same cards, and whoever knows the commitment alone to none. The
scheme is ``smazzata-1``: parts are joined by one zero byte, numbers are decimal text, nonces are joined by commas. It
draws nothing: secrets are handed in.
"""

import hashlib
import hmac
import re
from collections.abc import Iterator, Sequence
from itertools import count

from games.engine.cards import DECK_SIZE

SCHEME = "smazzata-1"
SECRET_BYTES = 32
NONCE_BYTES = 16
SCOPE = re.compile(r"[A-Za-z0-9/-]{1,64}")
NONCE = re.compile(r"(?:[0-9a-f]{32})?")
DIGEST = re.compile(r"[0-9a-f]{64}")
NUMBERS = 1 << 16  # two bytes of the stream
LOT_BYTES = 16


def compute_commitment(scope: str, secret: bytes) -> str:
    """Return the commitment to a secret, 64 lower-case hex digits (J1)."""
    return hashlib.sha256(_join("commit", scope) + b"\0" + secret).hexdigest()


def hash_nonce(nonce: str) -> str:
    """Return what a browser sends ahead of its nonce, 64 hex digits: SHA-256 of its 16 bytes (J2)."""
    return hashlib.sha256(bytes.fromhex(nonce)).hexdigest()


def shuffle_deck(secret: bytes, scope: str, nonces: Sequence[str], deal: int) -> list[int]:
    """Return the cards of deal ``deal`` (from 0, void ones counted), the first on top (J3)."""
    return shuffle(DECK_SIZE, secret, "deal", scope, str(deal), ",".join(nonces))


def draw_dealer(secret: bytes, scope: str, nonces: Sequence[str], hands: int) -> int:
    """Return the seat of the first dealer among so many hands (J3a)."""
    return _draw(_read_numbers(secret, "dealer", scope, ",".join(nonces)), hands)


def draw_order(secret: bytes, scope: str, number: int, size: int) -> list[int]:
    """Return the places below ``size`` in the order in which draw ``number`` (from 1) of a tournament draws them (J3a).

    Nobody adds to a draw: its nonces are empty.
    """
    return shuffle(size, secret, "seeds", scope, str(number), "")


def draw_people(secret: bytes, scope: str, number: int, size: int) -> list[int]:
    """Return the places below ``size`` in the order in which draw ``number`` (from 1) makes pairs of people (J3a)."""
    return shuffle(size, secret, "pairs", scope, str(number), "")


def draw_lot(secret: bytes, scope: str, number: int) -> str:
    """Return the lot of draw ``number`` (from 1), 32 hex digits: the first 16 bytes of its stream (J3a)."""
    numbers = _read_numbers(secret, "lot", scope, str(number), "")
    return b"".join(next(numbers).to_bytes(2) for _pair in range(LOT_BYTES // 2)).hex()


def shuffle(size: int, secret: bytes, *parts: str) -> list[int]:
    """Return the numbers below ``size`` in the order that a stream of the secret gives them."""
    order = list(range(size))
    numbers = _read_numbers(secret, *parts)
    for last in range(size - 1, 0, -1):
        place = _draw(numbers, last + 1)
        order[last], order[place] = order[place], order[last]
    return order


def _draw(numbers: Iterator[int], sides: int) -> int:
    """Return a number below ``sides``, each as likely: those of the stream that would favour some are passed over."""
    fair = NUMBERS - NUMBERS % sides
    return next(number for number in numbers if number < fair) % sides


def _read_numbers(secret: bytes, *parts: str) -> Iterator[int]:
    """Yield the stream's pairs of bytes, big-endian: the blocks are HMAC-SHA256 of the parts and the block's number."""
    prefix = _join(*parts)
    for block in count():
        digest = hmac.digest(secret, prefix + b"\0%d" % block, "sha256")
        for place in range(0, len(digest), 2):
            yield digest[place] << 8 | digest[place + 1]


def _join(*parts: str) -> bytes:
    return "\0".join((SCHEME, *parts)).encode()
