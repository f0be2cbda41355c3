"""Hints between processes: the channel layer as configured, over a real Redis that goes away and comes back."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from subprocess import Popen

import pytest
from channels_redis.pubsub import RedisPubSubChannelLayer
from django.conf import settings

from config.launcher import processes
from config.launcher.redis_server import RedisServer


class Redis:
    """A Redis of this test's own, to be killed."""

    def __init__(self, folder: Path) -> None:
        self.server = RedisServer(folder, folder / "redis.log")
        self.process: Popen[bytes] | None = None

    def start(self) -> None:
        self.process = self.server.start(os.environ)

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Redis]:
    server = Redis(tmp_path)
    server.start()
    yield server
    if server.process is not None:
        processes.stop(server.process, patience=5)


def layer_on(url: str) -> RedisPubSubChannelLayer:
    """The layer of the settings, but at another address."""
    configured = settings.CHANNEL_LAYERS["default"]["CONFIG"]
    hosts = [{**host, "address": url} for host in configured["hosts"]]
    return RedisPubSubChannelLayer(**{**configured, "hosts": hosts})


async def heard(sender: RedisPubSubChannelLayer, receiver: RedisPubSubChannelLayer, channel: str, n: int) -> bool:
    """Send until one gets through: what is sent while Redis is away is lost by design."""
    for _ in range(400):
        try:
            await sender.group_send("table", {"type": "changed", "v": n})
        except Exception:
            await asyncio.sleep(0.05)
            continue
        try:
            message = await asyncio.wait_for(receiver.receive(channel), 0.1)
        except TimeoutError:
            continue
        if message["v"] == n:
            return True
    return False


async def closed(layer: RedisPubSubChannelLayer) -> None:
    await layer.flush()


@pytest.mark.parametrize("round_", [1, 2])
async def test_a_group_hears_hints_before_and_after_redis_was_killed(redis: Redis, round_: int) -> None:
    # Twice in one process, each in an event loop of its own: what the settings share must survive a loop's end.
    sender, receiver = layer_on(redis.server.url), layer_on(redis.server.url)
    channel = await receiver.new_channel()
    await receiver.group_add("table", channel)
    try:
        assert await heard(sender, receiver, channel, 1)
        redis.kill()
        await asyncio.to_thread(redis.start)
        assert await heard(sender, receiver, channel, 2)
    finally:
        await closed(receiver)
        await closed(sender)
