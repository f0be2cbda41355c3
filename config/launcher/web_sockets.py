"""The server's WebSocket protocol with one thing more: a text that is encoded is sent at once, without a task.

A move is sent to every socket of its table; the server's own ``send`` wraps each text in a message, a frame and two
lists. A connection says in its scope that it has this way (players/realtime/base.py); where it has it not, or can't
take a text right now, ``send`` is as good. And it keeps less of a socket that only listens: asyncio's queue and event
hold 4 kB between them while nothing ever waits.
"""

import asyncio
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Opcode
from websockets.protocol import State
from websockets.streams import StreamReader

from players.realtime.push import PERSON_PATH, PUSH

FIN = 0x80
PERSON_PING_SECONDS = 3.0  # between two questions whether a person's page is still there, and for each answer
SHORT_BYTES, MEDIUM_BYTES = 126, 65_536  # bytes that are counted in one byte, and in two more


def is_between_frames(parser: Any) -> bool:
    """Tell whether a parser waits for a frame to begin: nothing it has read is lost if another takes its place."""
    while parser.gi_yieldfrom is not None:
        parser = parser.gi_yieldfrom
    return bool(parser.gi_code is StreamReader.at_eof.__code__)


class Inbox:
    """Queue of one reader: what of asyncio.Queue the server uses."""

    __slots__ = ("_messages", "_reader")

    def __init__(self) -> None:
        self._messages: list[Any] = []
        self._reader: asyncio.Future[None] | None = None

    def put_nowait(self, message: Any) -> None:
        self._messages.append(message)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> Any:
        while not self._messages:
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        return self._messages.pop(0)

    def empty(self) -> bool:
        return not self._messages


class Gate:
    """Event that is mostly set: what of asyncio.Event the server uses."""

    __slots__ = ("_event",)

    def __init__(self) -> None:
        self._event: asyncio.Event | None = None  # while it is shut

    def is_set(self) -> bool:
        return self._event is None

    def set(self) -> None:
        event, self._event = self._event, None
        if event is not None:
            event.set()

    def clear(self) -> None:
        self._event = self._event or asyncio.Event()

    async def wait(self) -> None:
        if self._event is not None:
            await self._event.wait()


class PushProtocol(WebSocketsSansIOProtocol):
    """A connection of uvicorn's that sends encoded texts at once."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.queue: Any = Inbox()
        self.writable: Any = Gate()

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        scope: Any = getattr(self, "scope", None)
        if scope is not None:
            scope["extensions"][PUSH] = {"text": self.push_text}
            if scope["path"] == PERSON_PATH:  # a laptop that was closed says no good-bye
                self.ping_interval = self.ping_timeout = PERSON_PING_SECONDS

    def start_keepalive(self) -> None:
        """Begin an open socket's life: what its handshake was made of isn't kept for thousands who only watch."""
        super().start_keepalive()
        del self.request, self.response
        if is_between_frames(self.conn.parser):
            self.conn.parser = self.conn.parse()  # the one before still held the request
            next(self.conn.parser)

    async def send(self, message: Any) -> None:
        """Send as the server does. One that is turned away with an answer has had its handshake: no error is logged."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body", False):
            self.handshake_complete = True

    def push_text(self, payload: bytes) -> bool:
        """Send a text. False, and nothing sent, where it must go through ``send``: not open, or a slow reader."""
        if not self.handshake_complete or self.close_sent or self.disconnected or not self.writable.is_set():
            return False
        if self.conn.state is not State.OPEN or self.conn.extensions:
            return False
        size = len(payload)
        if size < SHORT_BYTES:
            head = bytes((FIN | Opcode.TEXT, size))
        elif size < MEDIUM_BYTES:
            head = bytes((FIN | Opcode.TEXT, SHORT_BYTES, size >> 8, size & 0xFF))
        else:
            return False
        self.transport.write(head + payload)
        return True
