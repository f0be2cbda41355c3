"""The load program of readers: asks for one page so many times a second, over lasting connections, as visitors do.

``python -m bench.readers PORT PATH RATE SECONDS WARM_UP`` prints the seconds of each answer as JSON: from when it
was to be asked for, whether or not a connection was free then; those of the warm-up, seconds before, don't count. It
ends with code 1 if an answer isn't 200.
"""

import asyncio
import json
import re
import sys
import time
from typing import cast

import uvloop

CONNECTIONS = 100
LENGTH = re.compile(rb"(?i)content-length: *([0-9]+)")
LANGUAGES = ("it", "en", "it-IT,it;q=0.9,en;q=0.5")


class BadAnswer(Exception):
    """Answer that isn't the page."""


class Connection(asyncio.Protocol):
    """Lasting connection on which one page after the other is asked for. Nothing of a page is kept: a reader of a bench
    must take less of the machine than the server."""

    def __init__(self) -> None:
        self._transport: asyncio.WriteTransport | None = None
        self._answered: asyncio.Future[None] | None = None
        self._head = b""
        self._missing = 0  # bytes of the answer that comes

    async def ask(self, request: bytes) -> None:
        """Ask and wait for the whole answer. Raises BadAnswer, ConnectionError."""
        assert self._transport is not None
        self._answered = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        await self._answered

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.WriteTransport, transport)

    def data_received(self, data: bytes) -> None:
        assert self._answered is not None
        if not self._missing:
            head, end, body = (self._head + data).partition(b"\r\n\r\n")
            if not end:
                self._head = head
                return
            self._head = b""
            length = LENGTH.search(head)
            if not head.startswith(b"HTTP/1.1 200 ") or length is None:
                self._answered.set_exception(BadAnswer(head.partition(b"\r\n")[0].decode("latin-1")))
                return
            self._missing = int(length[1])
            data = body
        self._missing -= len(data)
        if not self._missing:
            self._answered.set_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._answered is not None and not self._answered.done():
            self._answered.set_exception(ConnectionError("the server hung up"))

    def hang_up(self) -> None:
        if self._transport is not None:
            self._transport.close()


async def ask_all(port: int, path: str, rate: float, seconds: float, warm_up: float) -> list[float]:
    """Return how long each of the answers took."""
    loop = asyncio.get_running_loop()
    due: asyncio.Queue[float | None] = asyncio.Queue()
    took: list[float] = []

    async def read(language: str) -> None:
        _, connection = await loop.create_connection(Connection, "127.0.0.1", port)
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept-Language: {language}\r\n\r\n".encode()
        while (at := await due.get()) is not None:
            await connection.ask(request)
            if at >= began + warm_up:
                took.append(time.perf_counter() - at)
        connection.hang_up()

    began = time.perf_counter()
    readers = [asyncio.create_task(read(LANGUAGES[n % len(LANGUAGES)])) for n in range(CONNECTIONS)]
    for number in range(int(rate * (warm_up + seconds))):
        at = began + number / rate
        await asyncio.sleep(max(0.0, at - time.perf_counter()))
        due.put_nowait(at)
    for _ in readers:
        due.put_nowait(None)
    await asyncio.gather(*readers)
    return took


def main() -> int:
    port, path, rate, seconds, warm_up = int(sys.argv[1]), sys.argv[2], *map(float, sys.argv[3:6])
    try:
        took = uvloop.run(ask_all(port, path, rate, seconds, warm_up))
    except (BadAnswer, OSError, EOFError) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)  # noqa: T201 the bench reads it
        return 1
    json.dump(took, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
