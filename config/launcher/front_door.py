"""The front door of a web process: whoever connects and asks nothing, or asks without end, keeps nobody else out.

uvicorn limits how long a connection idles after an answer; nothing of it limits how long a head or a body takes or is,
nor how many connections wait. ``players/caps.py`` says how much of each is too much. Sockets of pages
are counted once they are open (players/realtime/base.py).
"""

import asyncio
import resource
from collections import Counter
from collections.abc import Sequence
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from players import caps
from players.addresses import is_proxy, name_household


def raise_file_limit() -> int:
    """Ask for as many descriptors as a site may need, or as many as the system lets us have; return how many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = caps.FILE_LIMIT if hard == resource.RLIM_INFINITY else min(caps.FILE_LIMIT, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return caps.FILE_LIMIT if soft == resource.RLIM_INFINITY else soft


class Doorkeeper:
    """The connections of one process: those without a whole request yet, the oldest first, and how many an address has.

    ``proxies``: addresses whose connections carry everybody's requests; theirs aren't counted by address.
    """

    def __init__(self, file_limit: int, proxies: Sequence[str]) -> None:
        self.most = max(1, file_limit - caps.SPARE_FILES, file_limit // 2)
        self.most_half_open = min(caps.HALF_OPEN, max(1, file_limit // 4))
        self.proxies = proxies
        self.half_open: dict[FrontDoorProtocol, float] = {}  # since when
        self.by_address: Counter[str] = Counter()

    def enter(self, connection: "FrontDoorProtocol", address: str) -> None:
        """Count a connection in, and close what has no room any more: the oldest that hasn't asked, or this one."""
        if not is_proxy(address, self.proxies):
            connection.household = name_household(address)
            self.by_address[connection.household] += 1
            if self.by_address[connection.household] > caps.CONNECTIONS_AN_ADDRESS:
                connection.transport.abort()
                return
        self.await_request(connection)

    def await_request(self, connection: "FrontDoorProtocol") -> None:
        """Note that a connection owes us a request's head."""
        now = connection.loop.time()
        self.half_open[connection] = now
        full = len(connection.connections) > self.most
        while full or len(self.half_open) > self.most_half_open:
            oldest, since = next(iter(self.half_open.items()))
            if not full and now - since < caps.HALF_OPEN_SECONDS:
                return
            full = False
            self.half_open.pop(oldest)
            oldest.transport.abort()

    def leave(self, connection: "FrontDoorProtocol") -> None:
        """Count a connection out; harmless if it isn't counted."""
        self.half_open.pop(connection, None)
        household, connection.household = connection.household, None
        if household is not None:
            self.by_address[household] -= 1
            if not self.by_address[household]:
                del self.by_address[household]


class FrontDoorProtocol(HttpToolsProtocol):
    """A connection of uvicorn's, with a doorkeeper and a time limit for each request's head and body."""

    keeper: Doorkeeper
    household: str | None = None
    _limit: asyncio.TimerHandle | None = None
    _head_bytes = _body_bytes = 0  # so far

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._limit_to(caps.HEAD_SECONDS)
        self.keeper.enter(self, self.client[0] if self.client else "")

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        self._leave()
        super().handle_websocket_upgrade()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self not in self.keeper.half_open:  # another request by the same connection
            self._limit_to(caps.HEAD_SECONDS)
            self.keeper.await_request(self)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self in self.keeper.half_open:
            self._head_bytes += len(data)
            if self._head_bytes > caps.HEAD_BYTES:
                self.transport.abort()

    def on_headers_complete(self) -> None:
        self._head_bytes = self._body_bytes = 0
        self.keeper.half_open.pop(self, None)
        self._limit_to(caps.BODY_SECONDS)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._body_bytes += len(body)
        if self._body_bytes > caps.BODY_BYTES:
            self.transport.abort()
        else:
            super().on_body(body)

    def on_message_complete(self) -> None:
        self._limit_to(None)
        super().on_message_complete()

    def _limit_to(self, seconds: float | None) -> None:
        if self._limit is not None:
            self._limit.cancel()
        self._limit = None if seconds is None else self.loop.call_later(seconds, self.transport.abort)

    def _leave(self) -> None:
        self._limit_to(None)
        self.keeper.leave(self)


def build_protocol(keeper: Doorkeeper) -> type[FrontDoorProtocol]:
    """Return uvicorn's protocol with this doorkeeper."""
    return type("GuardedProtocol", (FrontDoorProtocol,), {"keeper": keeper})
