"""Base of every socket of the site: its opener, its frames, their rate, and its end.

A subclass answers frames in ``on_frame`` and joins groups; an exception in it becomes an error frame, never a dead
socket. Redis may be away: a socket opens all the same and joins its groups when it is back. Nothing here knows a table
or a tournament, and nothing here writes.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, ClassVar

from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.db import DatabaseError, InterfaceError
from django.utils import timezone, translation

from players import caps, metrics, wording
from players.addresses import is_proxy, is_this_machine, name_household
from players.broadcast import Message, compute_session_digest
from players.models import Player, User
from players.realtime import db_executor
from players.realtime.connection_limit import ConnectionLimit
from players.realtime.frames import Frame, FrameError, dump, parse, read_frame_id
from players.realtime.language import find_language, parse_cookies
from players.realtime.origin import Scope, is_same_origin
from players.realtime.push import PUSH, refuse_push
from players.realtime.session_watch import get_session_watch
from players.realtime.switchboard import get_switchboard
from players.selectors import Session, is_session_valid, player_for, read_signed_in
from players.services.halls import is_hall

logger = logging.getLogger(__name__)

MAX_FRAMES, FRAME_WINDOW_SECONDS = 100, 20.0  # so many frames in so many seconds, then CLOSE_FLOOD
CLOSE_FLOOD = 1008
CLOSE_UNAVAILABLE = 1012  # as where the server restarts: the browser comes again
CLOSE_SESSION = 4401  # logged out, password changed, account closed
CLOSE_CROWD = 4429  # too many sockets of one person; the browser waits until its page is looked at again


def is_hall_now(address: str) -> bool:
    """Return whether the address is a hall at this moment."""
    return is_hall(address=address, now=timezone.now())


class FrameConsumer(AsyncWebsocketConsumer):
    """Socket of the site. Override ``admit``, ``on_open``, ``on_frame``, ``on_close`` and ``describe_error`` as needed.

    ``self.user`` is the account or None, ``self.player`` its Player or None (visitors may watch public sockets),
    ``self.language`` the language of the person's pages.
    """

    groups: ClassVar[tuple[str, ...]] = ()  # of the channel layer: the switchboard has them
    precedence: ClassVar[int] = 0  # who gives way first when one person holds too many sockets
    connections: ClassVar[ConnectionLimit] = ConnectionLimit(caps.SOCKETS_A_PERSON)
    visitors: ClassVar[ConnectionLimit] = ConnectionLimit(caps.VISITOR_SOCKETS_AN_ADDRESS)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user: Any = None
        self.player: Player | None = None
        self.language: str = settings.LANGUAGE_CODE
        self._session_key: str | None = None
        self._counted_as: str | None = None  # the person, or the address of a visitor
        self._joined: list[str] = []
        self._jobs: set[asyncio.Task[None]] = set()
        self._frames: deque[float] | None = None  # who only watches sends none
        self._inbox: list[Message] | None = None
        self._reading: asyncio.Task[None] | None = None
        self.push: Callable[[bytes], bool] = refuse_push
        self._open = False
        self._was_open = False

    # --- For subclasses ------------------------------------------------------------------------------------------

    async def admit(self) -> bool:
        """Return whether this person may open this socket; a refused one gets 403. ``self.player`` is known."""
        return True

    async def on_open(self) -> None:
        """Join groups first, then read and send. The socket is accepted already."""

    async def on_frame(self, frame: Frame) -> None:
        """Answer a frame (any ``t`` but ping). Raise FrameError(code, id) to refuse it."""
        raise FrameError("unknown", read_frame_id(frame))

    async def take_quickly(self, text: str) -> bool:
        """Answer the one frame that comes most, if this is one; False leaves it to the strict parser."""
        return False

    async def on_late_join(self) -> None:
        """Read again: the groups were joined late, because Redis was away, and earlier messages are lost."""

    async def on_close(self) -> None:
        """Release what the socket held; it is gone."""

    def describe_error(self, code: str) -> str:
        """Return the sentence for a code. A subclass with codes of its own looks among them first."""
        return wording.describe_frame_error(code)

    async def send_frame(self, frame: Frame) -> None:
        """Send one frame; do nothing on a closed socket."""
        await self.send_encoded(dump(frame))

    async def send_encoded(self, frame: bytes) -> None:
        """Send a frame that is already encoded (one view for many sockets)."""
        if self._open and not self.push(frame):
            self._open = await self._give_server(self.base_send({"type": "websocket.send", "text": frame.decode()}))

    async def send_error(self, code: str, about: str | None = None, version: int | None = None) -> None:
        """Refuse a frame. ``about`` is the client's id of it, ``version`` the current version where there is one."""
        with translation.override(self.language):
            frame: Frame = {"t": "error", "code": code, "message": self.describe_error(code), "id": about}
        if version is not None:
            frame["v"] = version
        await self.send_frame(frame)

    async def join(self, group: str) -> None:
        """Listen to ``group``. Without Redis it returns after a second, and ``on_late_join`` is called later."""
        self._joined.append(group)
        if not await get_switchboard().join(group, self, self.hear):
            self.await_hints()

    def await_hints(self) -> None:
        """Have ``on_late_join`` called once Redis is back."""
        get_switchboard().call_when_listening(self, lambda: self._note_late_join())

    def hear(self, message: Message) -> None:
        """Take a message of a group: they are handled one after the other."""
        if not self._open:
            return
        if self._inbox is None:
            self._inbox = []
        self._inbox.append(message)
        if self._reading is None or self._reading.done():
            self._reading = self.start(self._read_inbox())

    def start(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """Run ``work`` for as long as the socket is open."""
        job = asyncio.create_task(work)
        self._jobs.add(job)
        job.add_done_callback(self._note_job_end)
        return job

    async def hang_up(self, code: int) -> None:
        """Close with ``code``; further frames and messages are ignored."""
        if self._open:
            self._open = False
            await self._give_server(self.close(code))

    async def rights_changed(self, message: Message) -> None:
        """Look again at what this person may be shown: a hint says that it may be less. Most sockets show what anybody
        may see."""

    # --- The socket's life ---------------------------------------------------------------------------------------

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        # As AsyncConsumer, but without a channel of its own (switchboard.py) and the tasks to wait for two things.
        self.scope = scope
        self.base_send = send
        self.push = scope.get("extensions", {}).get(PUSH, {}).get("text", refuse_push)
        try:
            while True:
                await self.dispatch(await receive())
        except StopConsumer:
            pass
        finally:
            await self._leave()

    async def dispatch(self, message: Message) -> None:
        """Hand a message to its method. An exception there is logged and sent as an error frame; the socket stays."""
        name = message.get("type", "").replace(".", "_")
        handler = None if name.startswith("_") else getattr(self, name, None)
        if handler is None:
            logger.error("no handler for %r in %s", message.get("type"), type(self).__name__)
            return
        try:
            await handler(message)
        except StopConsumer:
            raise
        except Exception as error:
            if name == "websocket_connect":
                logger.exception("a socket could not be opened: %s", type(self).__name__)
                await self._answer_unavailable()
                return
            await self.answer_failure(error, None)

    async def websocket_connect(self, message: Message) -> None:
        if not is_same_origin(self.scope):
            await self._give_server(self.close())
            return
        cookies = parse_cookies(self.scope["headers"])
        if session_key := cookies.get(settings.SESSION_COOKIE_NAME):
            self.user = await db_executor.run(read_signed_in, session_key)
        if self.user is not None and not self._may_be(self.user):
            self.user = None
        if self.user is not None:
            self.player = player_for(self.user)
            self._session_key = session_key
        self.language = find_language(self.scope["headers"], cookies, self.user)
        if not await self.admit():
            await self._give_server(self.close())
            return
        self.scope["headers"].clear()  # read, and not kept for thousands who only watch
        self._open = self._was_open = await self._give_server(self.accept())
        if self._was_open:
            metrics.SOCKETS_OPEN.labels(type(self).__name__).inc()
        if not self._open or not await self._enter():
            return
        await self.on_open()

    async def websocket_receive(self, message: Message) -> None:
        if not self._open:
            return
        now = time.monotonic()
        if self._frames is None:
            self._frames = deque(maxlen=MAX_FRAMES)
        if len(self._frames) == MAX_FRAMES and now - self._frames[0] < FRAME_WINDOW_SECONDS:
            await self.hang_up(CLOSE_FLOOD)
            return
        self._frames.append(now)
        about = None
        try:
            if await self.take_quickly(message.get("text") or ""):
                return
            frame = parse(message.get("text"), message.get("bytes"))
            about = read_frame_id(frame)
            if frame["t"] == "ping":
                await self._send_pong(frame)
            else:
                await self.on_frame(frame)
        except FrameError as error:
            await self.send_error(error.code, error.about or about)
        except Exception as error:
            await self.answer_failure(error, about)

    async def websocket_disconnect(self, message: Message) -> None:
        self._open = False
        raise StopConsumer

    async def session_ended(self, message: Message) -> None:
        """Close this socket if its session ended. Called by the channel layer after a logout or a new password."""
        if self.user is None:
            return
        ended = message.get("session")
        if ended is not None:
            if ended == self._compute_session_digest():
                await self.hang_up(CLOSE_SESSION)
        elif not await db_executor.run(is_session_valid, self._session_key, self.user.pk):
            await self.hang_up(CLOSE_SESSION)

    def _may_be(self, user: User) -> bool:
        """Tell if a socket may be this user's: from another machine of a network on plain http only a guest's (O9)."""
        if not settings.PLAIN_NETWORK:
            return True
        names = [name.decode("latin-1") for name, _value in self.scope["headers"]]
        player = player_for(user)
        here = is_this_machine(str((self.scope.get("client") or ("",))[0]), names)
        return here or (player is not None and player.is_guest)

    # --- Inside --------------------------------------------------------------------------------------------------

    async def _give_server(self, message: Awaitable[None]) -> bool:
        """Give the server a message for the browser. False on a socket that has just closed: its end is on its way."""
        try:
            await message
        except (OSError, RuntimeError):  # what servers raise then: the line is broken, or its end already noted
            return False
        return True

    async def _answer_unavailable(self) -> None:
        """Refuse a handshake by our own fault: come again. Without the server's help it is 403, as a refusal is.

        What is accepted already is closed: else it would never be told what it listens for.
        """
        if self._was_open:
            await self.hang_up(CLOSE_UNAVAILABLE)
            return
        if "websocket.http.response" not in self.scope.get("extensions", {}):
            await self._give_server(self.close())
            return
        head = {"type": "websocket.http.response.start", "status": 503, "headers": [(b"retry-after", b"1")]}
        await self._give_server(self.base_send(head))
        await self._give_server(self.base_send({"type": "websocket.http.response.body", "body": b""}))

    def _compute_session_digest(self) -> str | None:
        return None if self._session_key is None else compute_session_digest(self._session_key)

    async def _enter(self) -> bool:
        """Count this socket and watch its session. False if it was turned away: too many sockets of one person, or of
        visitors from one address."""
        if self.user is None:
            address = str((self.scope.get("client") or ("",))[0])
            if is_proxy(address, settings.TRUSTED_PROXIES):  # which told no address
                return True
            self._counted_as = name_household(address)
            crowded = self.visitors.enter(self._counted_as, self) is not None
            if crowded and not await self._fits_in_hall(address):
                await self.hang_up(CLOSE_CROWD)  # the newest: nobody sends away who came before
                return False
            return True
        self._counted_as = str(self.user.pk)
        surplus = self.connections.enter(self._counted_as, self)
        if isinstance(surplus, FrameConsumer):
            self.connections.leave(self._counted_as, surplus)
            await surplus.hang_up(CLOSE_CROWD)
            if surplus is self:
                return False
        if self._session_key is not None:
            session = Session(self._session_key, self.user.pk)
            get_session_watch().add(self, session, lambda: self._end_session())
        await self.join(f"user.{self.user.pk}")
        return True

    async def _fits_in_hall(self, address: str) -> bool:
        """Return whether a visitor beyond the limit may stay, because a whole room comes from this address."""
        if self.visitors.size(str(self._counted_as)) > caps.VISITOR_SOCKETS_IN_A_HALL:
            return False
        return await db_executor.run(is_hall_now, address)

    def _end_session(self) -> None:
        self.start(self.hang_up(CLOSE_SESSION))

    async def _send_pong(self, frame: Frame) -> None:
        await self.send_frame({"t": "pong", "c": frame.get("c"), "now": int(time.time() * 1000)})

    async def answer_failure(self, error: Exception, about: str | None) -> None:
        """Log an unforeseen exception and send an error frame."""
        logger.error("a socket's handler failed: %s", type(self).__name__, exc_info=error)
        code = "unavailable" if isinstance(error, DatabaseError | InterfaceError) else "internal"
        await self.send_error(code, about)

    async def _read_inbox(self) -> None:
        while self._inbox:
            await self.dispatch(self._inbox.pop(0))

    def _note_late_join(self) -> None:
        if self._open:
            self.start(self.on_late_join())

    def _note_job_end(self, job: "asyncio.Task[None]") -> None:
        self._jobs.discard(job)
        if not job.cancelled() and (error := job.exception()) is not None:
            logger.error("a socket's task failed: %s", type(self).__name__, exc_info=error)

    async def _leave(self) -> None:
        self._open = False
        if self._was_open:
            metrics.SOCKETS_OPEN.labels(type(self).__name__).dec()
        for job in tuple(self._jobs):
            job.cancel()
        if self._counted_as is not None:
            (self.visitors if self.user is None else self.connections).leave(self._counted_as, self)
        try:
            await self.on_close()
        except Exception:
            logger.exception("a socket's end failed: %s", type(self).__name__)
        get_session_watch().remove(self)
        for group in self._joined:
            get_switchboard().leave(group, self)
