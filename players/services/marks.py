"""Marks of the addresses and browsers that a player came with (U3): keyed digests, one a day, forgotten after 30 days.

They are shown to nobody: staff read whether two players of one match have one in common. No address, and nothing that a
browser says of itself, is kept.
"""

import hashlib
import re
import secrets
from datetime import datetime

from django.conf import settings

from players import caps
from players.addresses import NOBODY, clean_address, name_household
from players.models import ConnectionMark, Player

Kind = ConnectionMark.Kind
BROWSER_BYTES = 16
BROWSER = re.compile(r"[0-9a-f]{32}")


def make_browser() -> str:
    """Return a new name for a browser: random, so that it tells nothing of it."""
    return secrets.token_hex(BROWSER_BYTES)


def is_browser(text: str) -> bool:
    """Tell whether this is a name that ``make_browser`` may have made."""
    return BROWSER.fullmatch(text) is not None


def compute_mark(kind: str, text: str) -> str:
    """Return the digest of an address or a browser. Digests of one kind say nothing of those of another, nor of those
    by which acts are counted."""
    key = settings.SECRET_KEY.encode()[:64]
    return hashlib.blake2b(text.encode(), key=key, digest_size=24, person=f"mark:{kind}".encode()[:16]).hexdigest()


def note_marks(*, player: Player, address: str, browser: str, now: datetime) -> None:
    """Store that the player came with these today. Safe to repeat. An address that isn't known is none."""
    digests = {}
    if clean_address(address) != NOBODY:
        digests[Kind.ADDRESS] = compute_mark(Kind.ADDRESS, name_household(address))
    if browser:
        digests[Kind.BROWSER] = compute_mark(Kind.BROWSER, browser)
    rows = [ConnectionMark(player=player, kind=kind, digest=digest, day=now.date()) for kind, digest in digests.items()]
    ConnectionMark.objects.bulk_create(rows, ignore_conflicts=True)


def forget_marks(now: datetime) -> int:
    """Delete a batch of marks that are older than 30 days. Return how many."""
    old = ConnectionMark.objects.filter(day__lt=(now - caps.MARKS_KEPT).date()).values_list("pk", flat=True)
    return ConnectionMark.objects.filter(pk__in=list(old[: caps.HOUSEKEEPING_BATCH])).delete()[0]
