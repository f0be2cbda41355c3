"""Question to a Redis that only it can answer: whether it lets in whoever gives no password."""

from urllib.parse import urlsplit

import redis

ANSWER_SECONDS = 2.0


def lets_anybody_in(url: str) -> bool:
    """Tell if the Redis at ``url`` answers without the name and the password that the address has; False where none can
    be reached."""
    address = urlsplit(url)
    bare = address._replace(netloc=address.netloc.rpartition("@")[2]).geturl()
    try:
        with redis.Redis.from_url(bare, socket_connect_timeout=ANSWER_SECONDS, socket_timeout=ANSWER_SECONDS) as client:
            return bool(client.ping())
    except (redis.RedisError, ValueError, OSError):
        return False
