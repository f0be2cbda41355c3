"""Hints from any process to open sockets: best effort, never blocking, never raising.

A daemon thread with its own event loop talks to the channel layer, so that neither a request, a worker nor the sweep
ever waits for Redis. Hints may be lost; who gets one reads the truth from the database. Nothing hidden travels here:
no card, no hand, no deck. Call it with ``transaction.on_commit``.
"""

import asyncio
import atexit
import hashlib
import logging
import os
import threading
from collections import deque
from collections.abc import Iterable
from typing import Any

from channels.layers import get_channel_layer

from players import metrics

logger = logging.getLogger(__name__)

Message = dict[str, Any]  # of the channel layer: its type, and what its consumers read
SITE_GROUP = "site"  # the one group of the channel layer: every web process is in it
ADDRESS = "to"  # of a hint: the group of sockets it is for
HINTS = "hints"  # of what goes over the channel layer: a list of them
MAX_BATCH_HINTS = 200
MAX_BACKLOG_HINTS = 10_000  # hints kept while Redis is away; the oldest go first
BATCH_TIMEOUT_SECONDS = 1.0
CLOSING_SECONDS = 2.0  # seconds the process's end waits for the last ones


class _Sender:
    """Thread, event loop and queue of this process that send hints."""

    def __init__(self) -> None:
        self._waiting: deque[Message] = deque(maxlen=MAX_BACKLOG_HINTS)
        self._down = False
        self._loop = asyncio.new_event_loop()
        self._wake = asyncio.Event()
        self._ended = False
        self._woken = False  # the loop hasn't looked since it was last told to
        self._thread = threading.Thread(target=self._run, name="broadcast", daemon=True)
        self._thread.start()

    def put(self, group: str, message: Message) -> None:
        if len(self._waiting) == MAX_BACKLOG_HINTS:
            metrics.HINTS_DROPPED.inc()
        self._waiting.append({ADDRESS: group, **message})
        if not self._woken:  # thousands of hints at once wake it once
            self._woken = True
            self._loop.call_soon_threadsafe(self._wake.set)

    def close(self) -> None:
        """Send the waiting hints, unless Redis is away, and end: a thread cut off at the process's end can abort it."""
        self._ended = True
        self._loop.call_soon_threadsafe(self._wake.set)
        self._thread.join(CLOSING_SECONDS)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._send_for_ever())

    async def _send_for_ever(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            self._woken = False  # before the first look: what comes in from here on wakes it again
            while self._waiting and not (self._ended and self._down):
                count = min(len(self._waiting), MAX_BATCH_HINTS)
                await self._send([self._waiting.popleft() for _ in range(count)])
            if self._ended:
                return

    async def _send(self, hints: list[Message]) -> None:
        """Send all that waits in one message: a draw tells thousands. Hints that can't be sent are dropped."""
        try:
            async with asyncio.timeout(BATCH_TIMEOUT_SECONDS):
                await get_channel_layer().group_send(SITE_GROUP, {HINTS: hints})
            self._down = False
            metrics.HINTS_SENT.inc(len(hints))
        except Exception as error:
            if isinstance(error, TypeError) and len(hints) > 1:  # one of them can't be written: it spoils no other
                for hint in hints:
                    await self._send([hint])
                return
            metrics.HINTS_DROPPED.inc(len(hints))
            if not self._down:
                logger.warning("hints are being lost, the channel layer is away: %r", error)
            self._down = True


_sender: _Sender | None = None
_owner = 0
_lock = threading.Lock()


def _forget() -> None:
    """Forget the sender in a forked child: its thread stayed in the parent, which may also hold the lock."""
    global _sender, _lock
    _sender = None
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_forget)


@atexit.register
def _close() -> None:
    if _sender is not None:
        _sender.close()


def publish(group: str, message: Message) -> None:
    """Send a message to every socket in ``group`` and return at once. Its "type" names the consumer's method."""
    global _sender
    try:
        with _lock:
            if _sender is None:
                _sender = _Sender()
            sender = _sender
        sender.put(group, message)
    except Exception:
        logger.exception("a hint could not be queued")


def name_player_group(player_id: int) -> str:
    return f"player.{player_id}"


def notify(player_id: int, message: Message) -> None:
    """Send ``message`` as a frame to every page of that person (W1), e.g. {"t": "table", "url": …, "title": …}."""
    publish(name_player_group(player_id), {"type": "notice", "frame": message})


def compute_session_digest(session_key: str) -> str:
    """Return a digest that names a session in a hint without giving it away."""
    return hashlib.sha256(session_key.encode()).hexdigest()


def announce_session_end(user_id: int, session_key: str | None) -> None:
    """Close a person's sockets: of one session that was logged out, or of all invalid sessions (None)."""
    digest = None if session_key is None else compute_session_digest(session_key)
    publish(f"user.{user_id}", {"type": "session.ended", "session": digest})


def announce_changed_rights(user_ids: Iterable[int]) -> None:
    """Have these people's sockets look again at what they may be shown."""
    for user_id in user_ids:
        publish(f"user.{user_id}", {"type": "rights.changed"})
