"""The processes of a storm, on either layout, each of which may be killed at any time and comes back.

``deployed``: two web processes, two workers, the beat, Redis and PostgreSQL, as docs/deploy.md has them. ``started``:
what ``make run`` starts on SQLite, kept alive by its supervisor. Both tell when no process of a kind was alive.
"""

import os
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from subprocess import Popen
from typing import Any, Protocol

import psutil
import psycopg

from bench import sites
from bench.storm.history import Span
from config.launcher import processes, programs
from config.launcher.redis_server import RedisServer
from tests.services import PostgresServer
from tests.support import product
from tests.support.live import Site, bound_socket
from tests.support.waiting import until

ROOT = sites.ROOT
SETTINGS = "bench.storm.settings"
READY = " ready."  # what a Celery worker writes once it works


class Layout(Protocol):
    """Running product whose processes can be killed."""

    ports: list[int]
    env: Mapping[str, str]
    clock: "KindClock"

    def list_working(self) -> list[str]:
        """Return the names of the processes that work now."""

    def kill(self, name: str, seconds: float = 0.2) -> None:
        """Kill a process without a word (SIGKILL), with all that it started; start it again after ``seconds``, where
        that is ours to say."""

    def tend(self) -> None:
        """Start again what died, and note what has come back. Called often."""

    def list_pids(self) -> dict[str, int]:
        """Return the process id of each process that runs."""

    def query_together(self, *statements: str) -> list[list[tuple[Any, ...]]]:
        """Read the database past the product, all of it as it was at one moment: turns run out meanwhile."""

    def read_logs(self) -> str:
        """Return all that its processes wrote."""


class KindClock:
    """The spans in which no process of a kind was alive. A process is alive again when it works, not when it starts."""

    def __init__(self) -> None:
        self.alive: dict[str, set[str]] = defaultdict(set)
        self.empty_since: dict[str, float] = {}
        self.outages: list[Span] = []

    def note_up(self, kind: str, name: str) -> None:
        began = self.empty_since.pop(kind, None)
        if began is not None:
            self.outages.append(Span(began, time.time()))
        self.alive[kind].add(name)

    def note_down(self, kind: str, name: str) -> None:
        self.alive[kind].discard(name)
        if not self.alive[kind]:
            self.empty_since.setdefault(kind, time.time())

    def find_outages(self) -> list[Span]:
        """Return the spans, those that last with their end now."""
        return [*self.outages, *(Span(began, time.time()) for began in self.empty_since.values())]


@dataclass
class Process:
    """Process of a layout. ``works`` tells whether it works yet, given its log before it was started."""

    kind: str  # "" where deadlines don't depend on it
    start: Callable[[], Popen[bytes]]
    works: Callable[[], bool]
    running: Popen[bytes] | None = None
    up: bool = False
    leaving: bool = False  # it was asked to end
    start_at: float = 0.0


def works_when_ready(log: Path) -> Callable[[], bool]:
    """Tell of a worker, started just now, whether it wrote that it is ready."""
    before = log.read_text().count(READY) if log.exists() else 0
    return lambda: log.exists() and log.read_text().count(READY) > before


@dataclass
class Deployed:
    """The layout of production on this machine."""

    folder: Path
    database: PostgresServer
    env: dict[str, str]
    ports: list[int] = field(default_factory=list)
    clock: KindClock = field(default_factory=KindClock)
    processes: dict[str, Process] = field(default_factory=dict)

    def list_working(self) -> list[str]:
        return [name for name, process in self.processes.items() if process.up]

    def add(self, name: str, kind: str, start: Callable[[], Popen[bytes]], works: Callable[[], bool]) -> None:
        process = self.processes[name] = Process(kind, start, works)
        process.running = start()

    def kill(self, name: str, seconds: float = 0.2) -> None:
        process = self.processes[name]
        if process.running is None:
            return
        processes.signal_group(process.running, signal.SIGKILL)
        process.running.wait()
        process.running, process.up, process.leaving = None, False, False
        process.start_at = time.monotonic() + seconds
        if process.kind:
            self.clock.note_down(process.kind, name)

    def restart(self, name: str) -> None:
        """Ask a process to end, as docs/operations.md does; it is started again once it has."""
        process = self.processes[name]
        process.up, process.leaving = False, True
        assert process.running is not None
        processes.signal_group(process.running, signal.SIGTERM)

    def tend(self) -> None:
        for name, process in self.processes.items():
            if process.running is not None and process.running.poll() is not None:
                self.kill(name)
            if process.leaving:
                continue
            if process.running is None and time.monotonic() >= process.start_at:
                process.running = process.start()
            if process.running is not None and not process.up and process.works():
                process.up = True
                if process.kind:
                    self.clock.note_up(process.kind, name)

    def list_pids(self) -> dict[str, int]:
        return {name: process.running.pid for name, process in self.processes.items() if process.running}

    def is_up(self) -> bool:
        self.tend()
        return all(process.up for process in self.processes.values())

    def query_together(self, *statements: str, name: str = "postgres") -> list[list[tuple[Any, ...]]]:
        with psycopg.connect(f"host={self.database.folder} user=postgres dbname={name}") as connection:
            connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            return [connection.execute(statement.encode()).fetchall() for statement in statements]

    def read_logs(self) -> str:
        return "".join(path.read_text(errors="replace") for path in sorted(self.folder.glob("*.log")))

    def log(self, name: str) -> Path:
        return self.folder / f"{name}.log"

    def stop(self) -> None:
        for process in reversed(list(self.processes.values())):
            if process.running is not None:
                processes.stop(process.running, patience=3)


@contextmanager
def run_deployed(more: Mapping[str, str]) -> Iterator[Deployed]:
    """Start the layout of production over a new PostgreSQL that waits for the disk, and wait until all of it works."""
    folder = Path(tempfile.mkdtemp(prefix="smazzata-storm-"))
    folder.chmod(0o755)  # PostgreSQL runs as another user
    with ExitStack() as ending:
        ending.callback(shutil.rmtree, folder, ignore_errors=True)
        (folder / "postgres").mkdir()
        database = PostgresServer(folder / "postgres", durable=True)
        redis = RedisServer(folder / "redis", folder / "redis.log")
        env = {name: value for name, value in os.environ.items() if name not in sites.NOT_INHERITED}
        env |= {"DATA_DIR": str(folder / "data"), "REDIS_URL": redis.url, "DATABASE_URL": database.url}
        env |= {"DJANGO_SETTINGS_MODULE": SETTINGS, **more}
        layout = Deployed(folder, database, env)
        ending.callback(layout.stop)
        served = iter([database.start, database.serve])

        def serve() -> Popen[bytes]:
            return next(served, database.serve)()

        layout.add("postgres", "database", serve, lambda: True)
        layout.add("redis", "", lambda: redis.start(env), lambda: True)
        sites.Backing(folder, env).run("manage.py", "migrate", "--verbosity", "0")
        for number in (1, 2):
            add_web(layout, f"web-{number}", ending)
            add_worker(layout, f"worker-{number}")
        schedule = programs.build_beat(folder / "beat-schedule")
        layout.add("beat", "", lambda: spawn(layout, "beat", schedule), lambda: True)
        until(layout.is_up, seconds=120, what="the layout to work")
        yield layout


def add_web(layout: Deployed, name: str, ending: ExitStack) -> None:
    """Add a web process on a port of its own, which stays open while the process is started again."""
    listening = ending.enter_context(bound_socket())
    site = Site(listening.getsockname()[1])
    layout.ports.append(site.port)
    layout.add(name, "web", lambda: spawn(layout, name, programs.WEB, listening.fileno()), site.up)


def add_worker(layout: Deployed, name: str) -> None:
    """Add a worker; it works again once it has written so again."""
    ready: list[Callable[[], bool]] = []

    def start() -> Popen[bytes]:
        ready[:] = [works_when_ready(layout.log(name))]
        return spawn(layout, name, (*programs.WORKER, "--hostname", f"{name}@%h"))

    layout.add(name, "worker", start, lambda: ready[0]())


def spawn(layout: Deployed, name: str, command: tuple[str, ...], fd: int | None = None) -> Popen[bytes]:
    """Start one of our programs."""
    env = layout.env if fd is None else {**layout.env, "LISTEN_FD": str(fd)}
    return processes.spawn(
        [sys.executable, *command],
        env=env,
        log=layout.log(name),
        cwd=ROOT,
        pass_fds=() if fd is None else (fd,),
    )


@dataclass
class Started:
    """Processes that ``make run`` starts: its supervisor starts again what is killed."""

    product: product.Product
    env: dict[str, str]
    clock: KindClock = field(default_factory=KindClock)
    waiting: dict[str, Callable[[], bool]] = field(default_factory=dict)  # for whoever was killed and doesn't work yet

    @property
    def ports(self) -> list[int]:
        return [self.product.port]

    def list_working(self) -> list[str]:
        return [name for name in self.product.children() if name not in self.waiting]

    def list_pids(self) -> dict[str, int]:
        return {name: child.pid for name, child in self.product.children().items()}

    def kill(self, name: str, seconds: float = 0.0) -> None:
        child = self.product.children().get(name)
        if child is None:
            return
        log = self.product.data_dir / "log" / f"{name}.log"
        self.waiting[name] = works_when_ready(log) if name == "worker" else self.product.up
        self.clock.note_down(name, name)
        with suppress(psutil.NoSuchProcess):
            for process in [*child.children(recursive=True), child]:
                process.kill()

    def tend(self) -> None:
        for name, works in list(self.waiting.items()):
            if works():
                del self.waiting[name]
                self.clock.note_up(name, name)

    def query_together(self, *statements: str) -> list[list[tuple[Any, ...]]]:
        (path,) = self.product.data_dir.glob("*.sqlite3")
        reading = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=20, isolation_level=None)
        with closing(reading) as connection:
            connection.execute("BEGIN")
            return [connection.execute(statement).fetchall() for statement in statements]

    def read_logs(self) -> str:
        logs = sorted((self.product.data_dir / "log").glob("*.log"))
        return "".join(path.read_text(errors="replace") for path in logs)


@contextmanager
def run_started(more: Mapping[str, str]) -> Iterator[Started]:
    """Start the product as ``make run`` does, in a new data folder, and wait until it is ready."""
    folder = Path(tempfile.mkdtemp(prefix="smazzata-storm-"))
    chosen = {"DJANGO_SETTINGS_MODULE": SETTINGS, **more}
    try:
        with product.running(folder / "data", fresh=True, env=chosen) as running:
            env = product.environment(running.data_dir, running.port, chosen)
            layout = Started(running, env)
            layout.clock.alive = {"web": {"web"}, "worker": {"worker"}}  # type: ignore[assignment]
            layout.clock.alive = defaultdict(set, layout.clock.alive)
            yield layout
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def read_hour(value: Any) -> float | None:
    """Return the seconds since the epoch of an hour as either database gives it."""
    if value is None:
        return None
    at = datetime.fromisoformat(value) if isinstance(value, str) else value
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()
