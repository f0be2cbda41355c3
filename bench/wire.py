"""A WebSocket client for load programs: one small class, so that the load takes little of the machine it shares.

It speaks just enough of RFC 6455 for servers on the loopback: text frames, pings, closes. Its mask is zero, which the
servers can't tell from any other. It decides nothing about what is said.
"""

import asyncio
import base64
import os
from collections.abc import Callable, Mapping

TEXT, CLOSE, PING, PONG = 0x1, 0x8, 0x9, 0xA
FIN, MASKED = 0x80, 0x80
PATIENCE = 20.0  # seconds for a handshake


class Refused(Exception):
    """The server didn't take the socket; the text is its answer's first line."""


class Socket(asyncio.Protocol):
    """Open socket; ``heard`` gets every text, ``closed`` is set once it has ended."""

    def __init__(self, heard: Callable[[str], None], request: bytes) -> None:
        self.heard = heard
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.closed = asyncio.Event()
        self._request = request
        self._buffer = bytearray()
        self._parts: list[bytes] = []
        self._transport: asyncio.Transport | None = None

    # --- asyncio's side ------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport) or hasattr(transport, "write")
        self._transport = transport  # type: ignore[assignment]
        self._write(self._request)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self.opened.done():
            self._shake_hands()
        while self.opened.done() and self._take_frame():
            pass

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed.set()
        if not self.opened.done():
            self.opened.set_exception(Refused("the server hung up"))

    # --- Ours ----------------------------------------------------------------------------------------------------

    def send(self, text: str) -> None:
        """Send one text frame; nothing happens on a socket that has ended."""
        self._send(TEXT, text.encode())

    def hang_up(self) -> None:
        self._send(CLOSE, (1000).to_bytes(2, "big"))
        if self._transport is not None:
            self._transport.close()

    def _send(self, code: int, payload: bytes) -> None:
        size = len(payload)
        length = [MASKED | size] if size < 126 else [MASKED | 126, *divmod(size, 256)]
        self._write(bytes([FIN | code, *length, 0, 0, 0, 0]) + payload)

    def _write(self, data: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    def _shake_hands(self) -> None:
        head, separator, rest = bytes(self._buffer).partition(b"\r\n\r\n")
        if not separator:
            return
        self._buffer = bytearray(rest)
        if b" 101 " in head.partition(b"\r\n")[0]:
            self.opened.set_result(None)
        else:
            self.opened.set_exception(Refused(head.partition(b"\r\n")[0].decode("latin-1")))

    def _take_frame(self) -> bool:
        buffer = self._buffer
        if len(buffer) < 2:
            return False
        size, start = buffer[1], 2
        if size == 126:
            size, start = int.from_bytes(buffer[2:4], "big"), 4
        elif size == 127:
            size, start = int.from_bytes(buffer[2:10], "big"), 10
        if len(buffer) < start + size:
            return False
        first, payload = buffer[0], bytes(buffer[start : start + size])
        del buffer[: start + size]
        code = first & 0xF
        if code == PING:
            self._send(PONG, payload)
        elif code == CLOSE:
            self.closed.set()
        elif code != PONG:
            self._parts.append(payload)
            if first & FIN:
                text, self._parts = b"".join(self._parts), []
                self.heard(text.decode())
        return True


async def dial(
    port: int, path: str, headers: Mapping[str, str], heard: Callable[[str], None], patience: float = PATIENCE
) -> Socket:
    """Open a socket on the loopback. Refused if the server won't."""
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
        "Sec-WebSocket-Version: 13",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    request = "\r\n".join([*lines, "", ""]).encode()
    _, socket = await asyncio.get_running_loop().create_connection(lambda: Socket(heard, request), "127.0.0.1", port)
    await asyncio.wait_for(socket.opened, patience)
    return socket
