"""The load program: sits at tables over real sockets, plays, and measures. A process of its own, beside the server.

``python -m bench.load`` reads a job as JSON from its standard input and prints what it measured as JSON. One
program for our server and for boardgame.io's; only the language differs. It is bounded in sockets and time, speaks to
the loopback only, and ends with code 1 if a server refuses a move or falls silent.
"""

import asyncio
import json
import resource
import sys
import time
from dataclasses import asdict, dataclass, field
from typing import Any

import psutil
import uvloop

from bench.languages import LANGUAGES, Acknowledged, Complaint, Heard, Language, Place
from bench.wire import Socket, dial

MOST_SOCKETS, MOST_SECONDS = 2_000, 60.0
SILENCE = 20.0  # seconds without any move: the server has failed
LONGEST_WARM_UP = 2.0
DIAL_AT_ONCE = 20
SHOWN_SECONDS = 10.0  # the poll's turn has come by then


@dataclass(frozen=True, slots=True)
class Job:
    """``rate`` 0: every seat moves as soon as it may, and moves/s are counted; else so many moves/s over all tables,
    and the time until each of the other seats has the new view is taken. ``seconds`` are measured after ``warm_up``,
    and with them the processor that the processes ``watched`` use."""

    language: str
    port: int
    tables: list[list[Place]]
    seconds: float
    warm_up: float = 1.0
    rate: float = 0.0
    watched: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Measured:
    """Moves acknowledged in ``seconds``, and with a rate the delays in seconds, one for each onlooker and move."""

    moves: int
    seconds: float
    delays: list[float] = field(default_factory=list)
    lost: int = 0  # sockets that were never shown the last version of their table
    processor: float = 0.0  # seconds


class Failed(Exception):
    """The server refused a move or fell silent: nothing measured counts."""


@dataclass(eq=False)
class Seat:
    """Socket at a table."""

    place: Place
    table: "Table"
    language: Language
    socket: Socket | None = None
    version: int = -1
    moved_at: int = -1  # the version it made its last move at

    def heard(self, text: str) -> None:
        reply = self.language.reply(text, self.place)
        if reply and self.socket is not None:
            self.socket.send(reply)
            return
        match self.language.read(text, self.place):
            case Heard(version=version, play=play):
                if version <= self.version:
                    return
                self.version = version
                self.table.seen(self, version)
                if play:
                    self.table.turn(self, version, play)
            case Acknowledged(version=version):
                self.table.done(version)
            case Complaint(text=words):
                self.table.load.fail(words)

    def move(self, version: int, play: str) -> None:
        self.moved_at = version
        assert self.socket is not None
        self.socket.send(self.language.move(play, version, self.place))


class Table:
    """Four seats; at most one of them may move."""

    def __init__(self, load: "Load", places: list[Place], language: Language) -> None:
        self.load = load
        self.seats = [Seat(place, self, language) for place in places]
        self.ready: tuple[Seat, int, str] | None = None
        self.wanted_at: float | None = None  # when the rate asked for a move that isn't made yet
        self.sent: tuple[int, float] = (-1, 0.0)  # the version of the last move and when it was sent

    @property
    def seated(self) -> bool:
        """Tell whether everybody is there and somebody may move."""
        return self.ready is not None and all(seat.version >= 0 for seat in self.seats)

    def turn(self, seat: Seat, version: int, play: str) -> None:
        self.ready = (seat, version, play)
        if self.load.rate == 0 and self.load.playing:
            self.move()
        elif self.wanted_at is not None:
            self.move(self.wanted_at)

    def move(self, since: float | None = None) -> None:
        """Make the move that is ready; its delay counts from ``since``, when it should have been made."""
        assert self.ready is not None
        seat, version, play = self.ready
        self.ready = self.wanted_at = None
        self.sent = (version, since or time.perf_counter())
        seat.move(version, play)

    def due(self, now: float) -> None:
        """The rate asks for a move of this table."""
        if self.ready is not None:
            self.move(now)
        elif self.wanted_at is None:
            self.wanted_at = now

    def seen(self, seat: Seat, version: int) -> None:
        before, at = self.sent
        if version != before + 1:
            return
        if seat.moved_at != before:
            self.load.delay(time.perf_counter() - at)
        elif not seat.language.acks:
            self.load.done()

    def done(self, version: int) -> None:
        self.load.done()


class Load:
    """All tables of one job."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.rate = job.rate
        self.playing = False
        self.measuring = False
        self.moves = 0
        self.last_move = 0.0
        self.delays: list[float] = []
        self.complaint = ""
        language = LANGUAGES[job.language]
        self.tables = [Table(self, places, language) for places in job.tables]

    def done(self) -> None:
        self.last_move = time.perf_counter()
        if self.measuring:
            self.moves += 1

    def delay(self, seconds: float) -> None:
        if self.measuring and self.rate:
            self.delays.append(seconds)

    def fail(self, words: str) -> None:
        self.complaint = self.complaint or words

    async def run(self) -> Measured:
        """Sit down everywhere, play, measure, leave. Failed if the server does."""
        await self._sit_down()
        self.playing, self.last_move = True, time.perf_counter()
        pace = asyncio.create_task(self._pace())
        for table in self.tables:
            if self.rate == 0 and table.ready is not None:
                table.move()
        await asyncio.sleep(self.job.warm_up)
        watched = [psutil.Process(pid) for pid in self.job.watched]
        used, began, self.measuring = sum_processor(watched), time.perf_counter(), True
        await asyncio.sleep(self.job.seconds)
        self.measuring, took, used = False, time.perf_counter() - began, sum_processor(watched) - used
        self.playing = False
        pace.cancel()
        lost = await self._count_lost()
        for seat in self._seats():
            assert seat.socket is not None
            if seat.socket.closed.is_set():
                self.fail("a socket was closed")
            seat.socket.hang_up()
        if self.complaint:
            raise Failed(self.complaint)
        return Measured(self.moves, took, self.delays, lost, used)

    async def _count_lost(self) -> int:
        """Wait until every socket shows what its table has come to; how many never do."""
        limit = time.perf_counter() + SHOWN_SECONDS
        while True:
            behind = sum(
                seat.version < max(other.version for other in table.seats)
                for table in self.tables
                for seat in table.seats
            )
            if not behind or time.perf_counter() > limit:
                return behind
            await asyncio.sleep(0.05)

    async def _sit_down(self) -> None:
        at_once = asyncio.Semaphore(DIAL_AT_ONCE)

        async def sit(seat: Seat) -> None:
            async with at_once:
                port = seat.place.port or self.job.port
                path, headers = seat.language.path(seat.place), seat.language.headers(port, seat.place)
                early: list[str] = []
                seat.socket = await dial(port, path, headers, early.append)
                seat.socket.heard = seat.heard
                for text in early:
                    seat.heard(text)

        await asyncio.gather(*(sit(seat) for seat in self._seats()))
        limit = time.perf_counter() + SILENCE
        while not all(table.seated for table in self.tables):
            if time.perf_counter() > limit or self.complaint:
                raise Failed(self.complaint or "not every table can be played at")
            await asyncio.sleep(0.05)

    async def _pace(self) -> None:
        """Ask table after table for a move, at the rate; fail when nothing moves any more."""
        began, asked = time.perf_counter(), 0
        while True:
            now = time.perf_counter()
            while self.rate and asked < (now - began) * self.rate:
                self.tables[asked % len(self.tables)].due(now)
                asked += 1
            if now - self.last_move > SILENCE:
                self.fail("no move was made for a long time")
                return
            await asyncio.sleep(1 / self.rate if self.rate else 1)

    def _seats(self) -> list[Seat]:
        return [seat for table in self.tables for seat in table.seats]


def sum_processor(watched: list[psutil.Process]) -> float:
    """Return the seconds of processor that these have used."""
    return sum(sum(process.cpu_times()[:2]) for process in watched)


def read_job(text: str) -> Job:
    """A job from JSON. ValueError if it is out of bounds."""
    wanted: dict[str, Any] = json.loads(text)
    job = Job(**{**wanted, "tables": [[Place(**place) for place in places] for places in wanted["tables"]]})
    if sum(map(len, job.tables)) > MOST_SOCKETS or job.seconds > MOST_SECONDS or job.warm_up > LONGEST_WARM_UP:
        raise ValueError("more load than a bench may make")
    return job


def main() -> int:
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    try:
        measured = uvloop.run(Load(read_job(sys.stdin.read())).run())
    except (Failed, OSError, ValueError) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)  # noqa: T201 the bench reads it
        return 1
    json.dump(asdict(measured), sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
