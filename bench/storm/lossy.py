"""A channel layer that loses 30 % of what is sent to groups, doubles 10 % and holds back 10 % for a second (H3)."""

import asyncio
from random import Random
from typing import Any

from channels_redis.pubsub import RedisPubSubChannelLayer

LOST, DOUBLED, HELD_BACK = 0.3, 0.1, 0.1
HELD_SECONDS = 1.0


class LossyLayer(RedisPubSubChannelLayer):
    """RedisPubSubChannelLayer over a bad line."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._dice = Random(1)
        self._held: set[asyncio.Task[None]] = set()

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        chance = self._dice.random()
        if chance < LOST:
            return
        if chance < LOST + HELD_BACK:
            held = asyncio.create_task(self._send_late(group, message))
            self._held.add(held)
            held.add_done_callback(self._held.discard)
            return
        for _ in range(2 if chance > 1 - DOUBLED else 1):
            await self._send(group, message)

    async def _send_late(self, group: str, message: dict[str, Any]) -> None:
        await asyncio.sleep(HELD_SECONDS)
        await self._send(group, message)

    async def _send(self, group: str, message: dict[str, Any]) -> None:
        await super().__getattr__("group_send")(group, message)  # the layer of this event loop
