"""A wire between a browser and a site that can be cut, or carry in one direction only, at a moment a test chooses."""

import contextlib
import socket
import threading
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

CHUNK = 65536


class Wire:
    """Carries bytes both ways between a port of its own and a site. ``dropped``: something has been lost."""

    def __init__(self) -> None:
        self._lost = frozenset[str]()
        self.dropped = threading.Event()
        self._there = True
        self._site = ("", 0)
        self._ends: set[socket.socket] = set()
        self._listening = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()

    def to(self, address: str) -> str:
        """Return the address at which this wire leads to that site."""
        parts = urlsplit(address)
        self._site = (str(parts.hostname), int(parts.port or 80))
        return f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def lose(self, *, upwards: bool = False, downwards: bool = False) -> None:
        """Lose all that the browser sends, or all that it is sent, from now on; nobody is told."""
        self.dropped.clear()
        self._lost = frozenset(way for way, lost in (("upwards", upwards), ("downwards", downwards)) if lost)

    def cut(self) -> None:
        """End every connection and let none be made."""
        self._there = False
        for end in list(self._ends):
            _close(end)

    def mend(self) -> None:
        """Let connections be made again, and carry both ways."""
        self._lost = frozenset()
        self._there = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.cut()
        self._listening.close()

    def _accept(self) -> None:
        while True:
            try:
                browser, _ = self._listening.accept()
                site = socket.create_connection(self._site) if self._there else None
            except OSError:
                return
            if site is None:
                _close(browser)
                continue
            self._ends |= {browser, site}
            threading.Thread(target=self._carry, args=(browser, site, "upwards"), daemon=True).start()
            threading.Thread(target=self._carry, args=(site, browser, "downwards"), daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket, way: str) -> None:
        try:
            while data := source.recv(CHUNK):
                if way in self._lost:
                    self.dropped.set()
                else:
                    target.sendall(data)
        except OSError:
            pass
        for end in (source, target):
            _close(end)
            self._ends.discard(end)


def _close(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
