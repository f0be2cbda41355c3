"""The groups that a process's sockets listen to, and the one channel through which it hears of them all.

Every hint of the site comes to every web process, and is passed on here to the listeners of its group: no socket has a
channel or a task of its own for that, and opening one asks Redis for nothing. While Redis is away sockets open all the
same; those that joined before the process could listen are told when it does, for what was sent before is lost. It
decides nothing and reads nothing.
"""

import asyncio
import logging
from collections.abc import Callable
from uuid import uuid4
from weakref import WeakKeyDictionary

from channels.layers import get_channel_layer

from players.broadcast import ADDRESS, HINTS, SITE_GROUP, Message

logger = logging.getLogger(__name__)

JOIN_WAIT_SECONDS = 1.0  # seconds a new socket waits for Redis before it goes on without
RETRY_SECONDS = 1.0

Hear = Callable[[Message], None]


class Switchboard:
    """The listeners of one event loop by group. A listener joins a group once."""

    def __init__(self) -> None:
        self._groups: dict[str, dict[object, Hear]] = {}
        self._listening = asyncio.Event()
        self._late: dict[object, Callable[[], None]] = {}
        self._tasks: list[asyncio.Task[None]] = []

    async def join(self, group: str, listener: object, hear: Hear) -> bool:
        """Have ``hear`` called with every message to ``group``. False if Redis is away, so that none comes for now."""
        self._groups.setdefault(group, {})[listener] = hear
        if self._listening.is_set():
            return True
        self._listen()
        try:
            async with asyncio.timeout(JOIN_WAIT_SECONDS):
                await self._listening.wait()
        except TimeoutError:
            return False
        return True

    def call_when_listening(self, listener: object, act: Callable[[], None]) -> None:
        """Call ``act`` once the process listens, unless the listener has left by then."""
        if self._listening.is_set():
            act()
        else:
            self._late[listener] = act

    def leave(self, group: str, listener: object) -> None:
        """Forget a listener of a group; harmless if it never joined."""
        self._late.pop(listener, None)
        listeners = self._groups.get(group)
        if listeners is not None:
            listeners.pop(listener, None)
            if not listeners:
                del self._groups[group]

    def pass_on(self, message: Message) -> None:
        """Pass a message on to the listeners of its group. No fault of one keeps it from another."""
        for hear in tuple(self._groups.get(message.get(ADDRESS, ""), {}).values()):
            try:
                hear(message)
            except Exception:
                logger.exception("a listener failed: %s", message.get("type"))

    def _listen(self) -> None:
        if not self._tasks:
            channel = f"specific.{uuid4().hex}!{uuid4().hex}"  # asking the layer for one fails while Redis is away
            self._tasks = [asyncio.create_task(self._receive(channel)), asyncio.create_task(self._join(channel))]

    async def _receive(self, channel: str) -> None:
        while True:
            try:
                message = await get_channel_layer().receive(channel)
            except Exception:  # Redis is away; the layer keeps the queue, so nothing is lost by asking again
                await asyncio.sleep(RETRY_SECONDS)
            else:
                for hint in message[HINTS]:
                    self.pass_on(hint)

    async def _join(self, channel: str) -> None:
        while not self._listening.is_set():
            try:
                await get_channel_layer().group_add(SITE_GROUP, channel)
            except RuntimeError:  # the channel isn't there yet
                await asyncio.sleep(0)
            except Exception:  # Redis is away
                await asyncio.sleep(RETRY_SECONDS)
            else:
                self._listening.set()
        late, self._late = self._late, {}
        for act in late.values():
            act()


_switchboards: WeakKeyDictionary[asyncio.AbstractEventLoop, Switchboard] = WeakKeyDictionary()


def get_switchboard() -> Switchboard:
    """Return the switchboard of the running event loop."""
    loop = asyncio.get_running_loop()
    own = _switchboards.get(loop)
    if own is None:
        own = _switchboards[loop] = Switchboard()
    return own
