"""The cache: Redis, and while that is away the database, so that nobody who logs in waits for Redis.

What is counted in it are limits on attempts. They begin anew when the one takes over from the other: an attacker who
can stop Redis gets the attempts twice, not without end.
"""

import logging
import time
from typing import Any

from django.core.cache import caches
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

logger = logging.getLogger(__name__)

AWAY_SECONDS = 5.0  # Redis isn't asked again after it failed


class RedisOrDatabase(RedisCache):
    """Django's Redis cache; each call falls back to the cache named "database"."""

    _away_until = 0.0  # of the monotonic clock; one for the process

    def _ask_either(self, method: str, *args: Any, **kwargs: Any) -> Any:
        if time.monotonic() >= RedisOrDatabase._away_until:
            try:
                return getattr(super(), method)(*args, **kwargs)
            except (RedisConnectionError, RedisTimeoutError) as error:
                logger.warning("the cache is in the database for now, Redis is away: %r", error)
                RedisOrDatabase._away_until = time.monotonic() + AWAY_SECONDS
        return getattr(caches["database"], method)(*args, **kwargs)

    def add(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask_either("add", *args, **kwargs)

    def get(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask_either("get", *args, **kwargs)

    def set(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask_either("set", *args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask_either("delete", *args, **kwargs)
