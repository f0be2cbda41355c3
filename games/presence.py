"""Presence of players at their seats, as the web processes say every few seconds. It decides nothing.

It is kept in the cache and gone with it: while that is away nobody knows.
"""

import logging
from collections.abc import Collection

from django.core.cache import cache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

KEEP_SECONDS = 12  # seconds; two of the hub's polls and a bit

Place = tuple[int, int]  # a match and a seat


def mark_present(places: Collection[Place]) -> None:
    """Note that somebody is at these seats now."""
    try:
        if places:
            cache.set_many({_build_key(place): 1 for place in places}, KEEP_SECONDS)
    except (RedisError, OSError) as error:
        logger.info("who is at the tables can't be said: %r", error)


def find_present(places: Collection[Place]) -> set[Place] | None:
    """Return those of these seats at which somebody is; None where that can't be read."""
    try:
        marks = cache.get_many([_build_key(place) for place in places])
    except (RedisError, OSError):
        return None
    return {place for place in places if _build_key(place) in marks}


def _build_key(place: Place) -> str:
    return f"present:{place[0]}:{place[1]}"
