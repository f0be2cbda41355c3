"""The clients of a storm: they play, resend, double, cut their own line, and move when the turn is about to run out.

They know the protocol (docs/protocol.md) and nothing of the server. What they do is drawn from a seed; when they do it
depends on the server, so two runs of one seed are alike and not the same.
"""

import asyncio
import contextlib
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from uuid import UUID

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus, WebSocketException
from websockets.typing import Origin

from bench.storm.history import GRACE_SECONDS, UNDECIDED, Answered, Connected, History, Json, Sent

ANSWER_SECONDS = 2.0  # without an answer so long an action is sent again
FIRST_WAIT_SECONDS, MAX_WAIT_SECONDS = 0.05, 1.0  # before dialling again, doubling


@dataclass(frozen=True, slots=True)
class Habits:
    """Shares, of 1, of what clients do that is unusual. ``edge``: moves near the end of the turn or of its grace."""

    edge: float = 0.3
    double: float = 0.1  # a move is sent twice at once
    cut: float = 0.05  # the line is cut right after a move
    sleep: float = 0.03  # a turn is slept through, to its end
    stale: float = 0.05  # a move is sent at a version that is over


@dataclass(frozen=True, slots=True)
class StagedTable:
    """Table that waits for its players, with the Cookie header of each."""

    table: str
    cookies: tuple[str, ...]


@dataclass
class Crowd:
    """All clients of a storm and what they share."""

    ports: Sequence[int]
    history: History
    dice: Random
    habits: Habits = field(default_factory=Habits)
    progress: int = 0  # moves acknowledged

    async def play_tables(self, tables: Sequence[StagedTable]) -> None:
        """Play one table after the other, each to its end."""
        for table in tables:
            async with asyncio.TaskGroup() as group:
                for seat, cookie in enumerate(table.cookies):
                    group.create_task(Client(self, table.table, seat, cookie, Random(self.dice.random())).play())


@dataclass
class Pending:
    """Action that has no answer yet."""

    frame: Json
    sent_at: float = 0.0


class Client:
    """One seat at one table, over as many connections as it takes."""

    def __init__(self, crowd: Crowd, table: str, seat: int, cookie: str, dice: Random) -> None:
        self.crowd, self.table, self.seat, self.cookie, self.dice = crowd, table, seat, cookie, dice
        self.connection = 0
        self.view: Json | None = None  # the last one
        self.pending: Pending | None = None
        self.decided = -1  # the version at which the last move was chosen
        self.done = False
        self._cut = False  # by ourselves
        self._timers: set[asyncio.Task[None]] = set()

    async def play(self) -> None:
        """Stay at the table until its match is over, dialling again whenever the line breaks."""
        wait = FIRST_WAIT_SECONDS
        while not self.done:
            self.connection += 1
            port = self.dice.choice(self.crowd.ports)
            began = time.time()
            try:
                async with asyncio.timeout(10):
                    socket = await connect(
                        f"ws://127.0.0.1:{port}/ws/tavolo/{self.table}/",
                        origin=Origin(f"http://127.0.0.1:{port}"),
                        additional_headers={"Cookie": self.cookie},
                        compression=None,
                        ping_interval=None,
                    )
                await self._stay(socket)
            except (OSError, TimeoutError, WebSocketException) as error:
                if isinstance(error, InvalidStatus) and error.response.status_code < 500:
                    self.crowd.history.strange.append(f"{self.table}: the handshake was refused: {error}")
                    return
            wait = FIRST_WAIT_SECONDS if time.time() - began > 1 else min(MAX_WAIT_SECONDS, 2 * wait)
            if not self.done:
                await asyncio.sleep(wait * (0.5 + self.dice.random()))
        for timer in self._timers:
            timer.cancel()

    async def _stay(self, socket: ClientConnection) -> None:
        if self.pending is not None:
            self.pending.sent_at = 0.0
        self._cut, opened = False, time.time()
        resender = asyncio.create_task(self._resend(socket))
        try:
            async for text in socket:
                assert isinstance(text, str)
                await self._read(socket, json.loads(text))
                if self.done:
                    break
        finally:
            resender.cancel()
            line = Connected(self.table, self.seat, opened, time.time(), self._cut)
            self.crowd.history.connected.append(line)
            hang_up(socket)

    async def _read(self, socket: ClientConnection, frame: Json) -> None:
        now, history = time.time(), self.crowd.history
        match frame["t"]:
            case "view":
                history.note_view(self.table, self.seat, self.connection, frame, now)
                self.view = frame
                self._consider(socket)
            case "ack" | "error":
                code = frame.get("code", "")
                history.answered.append(Answered(self.table, self.seat, frame.get("id", ""), code, frame.get("v"), now))
                if self.pending is not None and frame.get("id") == self.pending.frame["id"] and code not in UNDECIDED:
                    self.pending = None
                    self.crowd.progress += not code
                    if code:
                        self.decided = -1
                        await socket.send(json.dumps({"t": "sync", "v": 0}))
                    self._consider(socket)
            case "replaced":
                history.strange.append(f"{self.table}: seat {self.seat} was replaced")

    def _consider(self, socket: ClientConnection) -> None:
        """Look at the last view, once no action waits for its answer: leave, choose a move, or wait."""
        frame = self.view
        if frame is None or self.pending is not None:
            return
        if frame["status"] == "finished":
            self.done = True
        elif frame["v"] > self.decided and any(move["verb"] == "play" for move in frame["legal"]):
            self.decided = frame["v"]
            self._decide(socket, frame)

    def _decide(self, socket: ClientConnection, frame: Json) -> None:
        """Choose a move and the instant to send it: soon, or about the end of the turn."""
        if frame["clock"]["ends"] is not None and self.dice.random() < self.crowd.habits.sleep:
            return
        plays = [move["move"] for move in frame["legal"] if move["verb"] == "play"]
        ends, now = frame["clock"]["ends"], time.time()
        wait = self.dice.uniform(0.0, 0.05)
        if frame["opening"]:
            wait += max(0.0, frame["opening"]["until"] / 1000 - now)
        if ends is not None and self.dice.random() < self.crowd.habits.edge:
            about = ends / 1000 + self.dice.choice((0.0, GRACE_SECONDS))
            wait = max(wait, about - now + self.dice.uniform(-0.3, 0.3))
        version = frame["v"] - 1 if self.dice.random() < self.crowd.habits.stale else frame["v"]
        action = {
            "t": "move",
            "id": str(UUID(int=self.dice.getrandbits(128))),
            "v": version,
            "move": self.dice.choice(plays),
        }
        self._later(wait, socket, action)

    async def _move(self, socket: ClientConnection, action: Json) -> None:
        self.pending = Pending(action)
        await self._send(socket)
        if self.dice.random() < self.crowd.habits.double:
            await self._send(socket)
        if self.dice.random() < self.crowd.habits.cut:
            self._cut = True
            hang_up(socket)

    async def _send(self, socket: ClientConnection) -> None:
        assert self.pending is not None
        action = self.pending.frame
        self.pending.sent_at = time.time()
        sent = Sent(self.table, self.seat, action["id"], action["v"], action["move"], self.pending.sent_at)
        self.crowd.history.sent.append(sent)
        with contextlib.suppress(OSError, WebSocketException):  # a broken line is found out by whoever reads it
            await socket.send(json.dumps(action))

    async def _resend(self, socket: ClientConnection) -> None:
        """Send what has no answer again, with the same id: at once on a new line, then from time to time."""
        while True:
            if self.pending is not None and (
                self.pending.sent_at == 0 or time.time() - self.pending.sent_at > ANSWER_SECONDS
            ):
                await self._send(socket)
            await asyncio.sleep(0.2)

    def _later(self, seconds: float, socket: ClientConnection, action: Json) -> None:
        async def wait() -> None:
            await asyncio.sleep(seconds)
            await self._move(socket, action)

        timer = asyncio.create_task(wait())
        self._timers.add(timer)
        timer.add_done_callback(self._timers.discard)


def hang_up(socket: ClientConnection) -> None:
    """End a connection without a word, as a line that breaks does."""
    if socket.transport is not None:
        socket.transport.abort()
