"""Halls: addresses that an organiser has marked for a day, because everybody in one room comes from it.

The caps by address are higher there. A hall is known by the key of whoever marked it, one at a time; nothing here knows
what a tournament is.
"""

from datetime import datetime

from players.addresses import compute_address_digest
from players.models import Hall


def mark_hall(*, key: str, address: str, until: datetime) -> Hall:
    """Mark the address as the hall of ``key``, in the place of the one it had."""
    marked = {"address": compute_address_digest(address), "until": until}
    return Hall.objects.update_or_create(key=key, defaults=marked)[0]


def end_hall(*, key: str) -> bool:
    """Take the mark back. Return False if there was none."""
    return bool(Hall.objects.filter(key=key).delete()[0])


def find_hall(*, key: str, now: datetime) -> Hall | None:
    """Return the hall of ``key`` while it lasts."""
    return Hall.objects.filter(key=key, until__gt=now).first()


def is_hall(*, address: str, now: datetime) -> bool:
    """Return whether this address is a hall now."""
    return Hall.objects.filter(address=compute_address_digest(address), until__gt=now).exists()


def forget_halls(*, now: datetime) -> int:
    """Delete the halls whose day is over. Return how many."""
    return Hall.objects.filter(until__lte=now).delete()[0]
