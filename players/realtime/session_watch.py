"""A watch over the sessions of a process's sockets: who is no longer signed in loses their sockets.

A hint tells of most endings at once (FrameConsumer.session_ended); this finds those that nobody told of, all sessions
of the process in a few queries.
"""

import asyncio
from collections.abc import Callable
from weakref import WeakKeyDictionary

from django.db import DatabaseError, InterfaceError

from players.realtime import db_executor
from players.selectors import Session, find_valid_sessions

CHECK_SECONDS = 30.0
MAX_AT_ONCE = 500  # sessions in one query


class SessionWatch:
    """The sockets of one event loop by session."""

    def __init__(self) -> None:
        self._sockets: dict[object, tuple[Session, Callable[[], None]]] = {}
        self._task: asyncio.Task[None] | None = None

    def add(self, socket: object, session: Session, end: Callable[[], None]) -> None:
        """Call ``end`` if the session is found to be no longer valid."""
        self._sockets[socket] = session, end
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._check_for_ever())

    def remove(self, socket: object) -> None:
        """Forget a socket; harmless if it isn't watched."""
        self._sockets.pop(socket, None)

    async def check(self) -> None:
        """Look at every session once. A database that is away ends none."""
        watched = dict(self._sockets)
        sessions = list({session for session, _ in watched.values()})
        for place in range(0, len(sessions), MAX_AT_ONCE):
            some = sessions[place : place + MAX_AT_ONCE]
            try:
                valid = await db_executor.run(find_valid_sessions, some)
            except (DatabaseError, InterfaceError):
                return  # our fault, not theirs
            invalid = set(some) - valid
            for session, end in watched.values() if invalid else ():
                if session in invalid:
                    end()

    async def _check_for_ever(self) -> None:
        while self._sockets:
            await asyncio.sleep(CHECK_SECONDS)
            await self.check()


_watches: WeakKeyDictionary[asyncio.AbstractEventLoop, SessionWatch] = WeakKeyDictionary()


def get_session_watch() -> SessionWatch:
    """Return the watch of the running event loop."""
    loop = asyncio.get_running_loop()
    own = _watches.get(loop)
    if own is None:
        own = _watches[loop] = SessionWatch()
    return own
