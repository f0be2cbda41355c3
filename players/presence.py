"""Presence of people on the site: who has a page open now (B1), and who has one before their eyes (U4), as the web
processes say every couple of seconds.

It is kept in Redis alone and decides nothing: while that is away nobody knows, and pages say so. Who is gone, with or
without a word, isn't here any more after KEEP_SECONDS. Beside them, whether anybody at all is on the site, a visitor
without an account too: while nobody is, the workers rest (games/site_rest.py).
"""

import functools
import logging
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.conf import settings
from redis import Redis, RedisError

logger = logging.getLogger(__name__)

TELL_SECONDS = 2.0  # how often each web process says whose pages it holds
KEEP_SECONDS = 4.5  # two of those and a bit
AWAY_SECONDS = 5.0  # Redis isn't asked again after it failed

VISIT_SECONDS = 15.0  # so long whoever was told of a visit may take it that somebody is still on the site
UNREACHABLE = (RedisError, OSError)

HERE, WATCHING = "here", "watching"
VISITED = "visited"  # a key, and the channel on which it is told

_away_until = 0.0  # of the monotonic clock


@functools.cache
def _connect() -> Any:
    return Redis.from_url(settings.REDIS_URL, socket_connect_timeout=1, socket_timeout=1)


def _name_key(what: str) -> str:
    return f"{settings.CACHES['default']['KEY_PREFIX']}:{what}"


def mark_here(player_ids: Collection[int], now: datetime) -> None:
    """Note that these people have a page open now."""
    _mark(HERE, player_ids, now)


def find_here(now: datetime) -> set[int] | None:
    """Return the players who have a page open, by id; None where that can't be known."""
    return _find(HERE, now)


def mark_watching(player_ids: Collection[int], now: datetime) -> None:
    """Note that these people have a page before their eyes now (U4); nobody is shown that."""
    _mark(WATCHING, player_ids, now)


def find_watching(now: datetime) -> set[int] | None:
    """Return the players who look at a page, by id; None where that can't be known."""
    return _find(WATCHING, now)


def forget_here() -> None:
    """Forget who is here: until the web processes say it again nobody is."""
    _ask(lambda redis: redis.delete(_name_key(HERE), _name_key(WATCHING)))


def mark_visited() -> None:
    """Note that somebody is on the site now, and tell it to whoever listens."""

    def write(redis: Any) -> None:
        pipeline = redis.pipeline(transaction=False)
        pipeline.set(_name_key(VISITED), 1, px=int(1000 * VISIT_SECONDS))
        pipeline.publish(_name_key(VISITED), 1)
        pipeline.execute()

    _ask(write)


def is_visited() -> bool:
    """Tell if somebody is on the site, or was just now. Raises UNREACHABLE."""
    return bool(_connect().exists(_name_key(VISITED)))


@contextmanager
def hear_visits() -> Iterator[Callable[[float], bool]]:
    """Listen to what ``mark_visited`` tells, over a connection of its own: a function that waits for it for so many
    seconds at most, and returns whether it came. Raises UNREACHABLE, inside too."""
    with Redis.from_url(settings.REDIS_URL, socket_connect_timeout=1) as redis, redis.pubsub() as listener:
        listener.subscribe(_name_key(VISITED))

        def hear(seconds: float) -> bool:
            message = listener.get_message(ignore_subscribe_messages=True, timeout=seconds)
            return message is not None

        yield hear


def _mark(what: str, player_ids: Collection[int], now: datetime) -> None:
    if not player_ids:
        return

    def write(redis: Any) -> None:
        pipeline = redis.pipeline(transaction=False)
        pipeline.zadd(_name_key(what), {str(pk): now.timestamp() for pk in player_ids})
        pipeline.zremrangebyscore(_name_key(what), "-inf", now.timestamp() - 10 * KEEP_SECONDS)
        pipeline.expire(_name_key(what), 60)
        pipeline.execute()

    _ask(write)


def _find(what: str, now: datetime) -> set[int] | None:
    since = now.timestamp() - KEEP_SECONDS
    keys = _ask(lambda redis: redis.zrangebyscore(_name_key(what), since, "+inf"))
    return None if keys is None else {int(pk) for pk in keys}


def _ask(act: Any) -> Any:
    global _away_until
    if time.monotonic() < _away_until:
        return None
    try:
        return act(_connect())
    except UNREACHABLE as error:
        logger.info("who is here can't be said: %r", error)
        _away_until = time.monotonic() + AWAY_SECONDS
        return None
