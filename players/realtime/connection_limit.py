"""Limit of the sockets of one person, or of one address's visitors, in a process: counted in memory.

Over the limit the oldest of the least important gives way, so that a player with many tabs open can still sit down at
their table. It decides nothing about who may open which socket.
"""

from dataclasses import dataclass, field
from itertools import count
from typing import Protocol


class Held(Protocol):
    precedence: int  # higher stays longer; a table's socket over a page's


@dataclass
class ConnectionLimit:
    """Open sockets of each person or address. It lives in one event loop, so it needs no lock."""

    limit: int
    _open: dict[str, dict[Held, int]] = field(default_factory=dict)
    _clock: "count[int]" = field(default_factory=count)

    def enter(self, who: str, socket: Held) -> Held | None:
        """Count ``socket`` in. Return the socket that must close for it, possibly itself; None within the limit."""
        held = self._open.setdefault(who, {})
        held[socket] = next(self._clock)
        if len(held) <= self.limit:
            return None
        return min(held, key=lambda socket: (socket.precedence, held[socket]))

    def leave(self, who: str, socket: Held) -> None:
        """Count ``socket`` out. Nothing happens if it isn't counted."""
        held = self._open.get(who)
        if held is None:
            return
        held.pop(socket, None)
        if not held:
            del self._open[who]

    def size(self, who: str) -> int:
        return len(self._open.get(who, ()))
