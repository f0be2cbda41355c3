"""Servers to measure: our web process over a fresh database and its own Redis, and boardgame.io's.

Each is one process on the loopback, started as in production (config.launcher.web, config.settings) in a folder of its
own that is thrown away. The load comes from other processes.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from bench import peers
from bench.languages import Place
from bench.load import Job, Measured
from config.launcher import processes
from config.launcher.programs import WORKER
from config.launcher.redis_server import RedisServer
from tests.services import PostgresServer
from tests.support.live import Site, bound_socket
from tests.support.waiting import until

ROOT = Path(__file__).resolve().parent.parent
SEATS = 4
DATABASE = os.environ.get("DB", "").strip() or "sqlite"  # or postgres: what benches run on that don't run on both
NOT_INHERITED = ("DATABASE_URL", "DATA_DIR", "REDIS_URL", "REDIS_PREFIX", "DJANGO_SETTINGS_MODULE", "PORT", "DEBUG")


@dataclass(frozen=True, slots=True)
class Backing:
    """A prepared database and a Redis, and the environment that leads a process to them."""

    folder: Path
    env: Mapping[str, str]
    redis_pid: int = 0

    def run(self, *arguments: str) -> str:
        """Run a Python program on them and return its output; CalledProcessError if it fails."""
        return run_program(self.env, *arguments)

    def tables(self, count: int) -> list[list[Place]]:
        """Open so many new tables whose players are signed in."""
        tables = json.loads(self.run("-m", "bench.stage", "tables", str(count)))
        return [
            [Place(table["table"], seat, cookie) for seat, cookie in enumerate(table["cookies"])] for table in tables
        ]

    def people(self, count: int) -> list[str]:
        """Make so many people who are signed in and play nowhere: their Cookie headers."""
        return list(json.loads(self.run("-m", "bench.stage", "people", str(count))))


def run_program(env: Mapping[str, str], *arguments: str) -> str:
    """Run a Python program to its end and return its output; CalledProcessError if it fails."""
    done = subprocess.run(
        [sys.executable, *arguments], env=dict(env), cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout


@contextmanager
def backing(database: str = "") -> Iterator[Backing]:
    """Redis and a migrated database (``sqlite``, ``postgres`` or "" for DATABASE), whose commits are on the disk as far
    as each promises."""
    folder = Path(tempfile.mkdtemp(prefix="smazzata-bench-"))
    folder.chmod(0o755)  # PostgreSQL runs as another user
    with ExitStack() as ending:
        ending.callback(shutil.rmtree, folder, ignore_errors=True)
        env = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
        redis = RedisServer(folder / "redis", folder / "redis.log")
        process = redis.start(env)
        ending.callback(processes.stop, process, patience=5)
        env |= {
            "DATA_DIR": str(folder / "data"),
            "REDIS_URL": redis.url,
            "DJANGO_SETTINGS_MODULE": "bench.settings",
        }
        if (database or DATABASE) == "postgres":
            (folder / "postgres").mkdir()
            server = PostgresServer(folder / "postgres", durable=True)
            ending.callback(processes.stop, server.start(), patience=5)
            env["DATABASE_URL"] = server.url
        opened_backing = Backing(folder, env, process.pid)
        opened_backing.run("manage.py", "migrate", "--verbosity", "0")
        yield opened_backing


@dataclass
class MeasuredSite(Site):
    """A web process of ours, and its number as a process."""

    pid: int = 0


@contextmanager
def ours(behind: Backing, name: str = "web") -> Iterator[MeasuredSite]:
    """Run a web process of the site."""
    log = behind.folder / f"{name}.log"
    with bound_socket() as listening:
        fd = listening.fileno()
        process = processes.spawn(
            [sys.executable, "-m", "config.launcher.web"],
            env={**behind.env, "LISTEN_FD": str(fd)},
            log=log,
            cwd=ROOT,
            pass_fds=[fd],
        )
        site = MeasuredSite(listening.getsockname()[1], process.pid)
        try:
            until(lambda: site.up() or process.poll() is not None, what="the web process to start")
            if process.poll() is not None:
                raise RuntimeError(log.read_text())
            yield site
        finally:
            processes.stop(process, patience=5)


@contextmanager
def worker(behind: Backing) -> Iterator[None]:
    """Run a Celery worker, with its sweep."""
    log = behind.folder / "worker.log"
    process = processes.spawn([sys.executable, *WORKER], env=behind.env, log=log, cwd=ROOT)
    try:
        until(lambda: process.poll() is not None or " ready." in log.read_text(), what="the worker to be ready")
        yield
    finally:
        processes.stop(process, patience=5)


@contextmanager
def crowd(site: Site, lines: Sequence[tuple[str, str]], at_once: int = 100_000) -> Iterator[list[float]]:
    """Thousands of sockets, by table and Cookie header, so many opened at once: the seconds until each had its view.
    They stay open and silent. RuntimeError if one is refused."""
    command = [sys.executable, "-m", "bench.crowd"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps({"port": site.port, "lines": lines, "at_once": at_once}) + "\n")
        process.stdin.flush()
        answer = process.stdout.readline()
        if not answer:
            raise RuntimeError("a socket of the crowd was refused")
        yield json.loads(answer)
        process.stdin.close()


@contextmanager
def boardgame() -> Iterator[Site]:
    """boardgame.io's server with its in-memory storage. Raises peers.Unavailable."""
    script = peers.boardgame()
    folder = Path(tempfile.mkdtemp(prefix="smazzata-bench-"))
    log = folder / "boardgame.log"
    process = processes.spawn(
        ["node", str(script)], env={**os.environ, "NODE_ENV": "production"}, log=log, cwd=script.parent
    )
    try:
        until(lambda: process.poll() is not None or "port" in log.read_text(), what="boardgame.io's server to start")
        if process.poll() is not None:
            raise peers.Unavailable(f"boardgame.io can't be measured, its server stopped: {log.read_text()[-300:]}")
        yield Site(json.loads(log.read_text().splitlines()[0])["port"])
    finally:
        processes.stop(process, patience=5)
        shutil.rmtree(folder, ignore_errors=True)


def peer_tables(count: int, name: str) -> list[list[Place]]:
    """Tables at boardgame.io, which makes them when somebody comes."""
    return [[Place(f"{name}-{number}", seat) for seat in range(SEATS)] for number in range(count)]


def measured(job: Job) -> Measured:
    """Run the load program beside the servers. RuntimeError with its last words if it fails."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.load"],
        input=json.dumps(asdict(job)),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=job.seconds + 60,
    )
    if done.returncode:
        raise RuntimeError(f"the load program failed: {done.stderr.strip()[-500:]}")
    return Measured(**json.loads(done.stdout))
