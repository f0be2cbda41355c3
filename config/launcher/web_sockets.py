"""The server's WebSocket protocol with one thing more: a text that is encoded is sent at once, without a task.

A move is sent to every socket of its table; the server's own ``send`` wraps each text in a message, a frame and two
lists. A connection says in its scope that it has this way (players/realtime/base.py); where it has it not, or can't
take a text right now, ``send`` is as good.
"""

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Opcode
from websockets.protocol import State

from players.realtime.push import PUSH

FIN = 0x80
SHORT_BYTES, MEDIUM_BYTES = 126, 65_536  # bytes that are counted in one byte, and in two more


class PushProtocol(WebSocketsSansIOProtocol):
    """A connection of uvicorn's that sends encoded texts at once."""

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        scope: Any = getattr(self, "scope", None)
        if scope is not None:
            scope["extensions"][PUSH] = {"text": self.push_text}

    def start_keepalive(self) -> None:
        """Begin an open socket's life: what its handshake was made of isn't kept for thousands who only watch."""
        super().start_keepalive()
        del self.request, self.response

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
