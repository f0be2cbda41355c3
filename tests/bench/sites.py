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
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from config.launcher import processes
from config.launcher.redis_server import RedisServer
from tests.bench import peers
from tests.bench.languages import Place
from tests.bench.load import Job, Measured
from tests.services import PostgresServer
from tests.support.live import Site, bound_socket
from tests.support.waiting import until

ROOT = Path(__file__).resolve().parent.parent.parent
SEATS = 4
NOT_INHERITED = ("DATABASE_URL", "DATA_DIR", "REDIS_URL", "REDIS_PREFIX", "DJANGO_SETTINGS_MODULE", "PORT", "DEBUG")


@dataclass(frozen=True, slots=True)
class Backing:
    """A prepared database and a Redis, and the environment that leads a process to them."""

    folder: Path
    env: Mapping[str, str]

    def run(self, *arguments: str) -> str:
        """Run a Python program on them and return its output; CalledProcessError if it fails."""
        return run_program(self.env, *arguments)

    def tables(self, count: int) -> list[list[Place]]:
        """Open so many new tables whose players are signed in."""
        tables = json.loads(self.run("-m", "tests.bench.stage", str(count)))
        return [
            [Place(table["table"], seat, cookie) for seat, cookie in enumerate(table["cookies"])] for table in tables
        ]


def run_program(env: Mapping[str, str], *arguments: str) -> str:
    """Run a Python program to its end and return its output; CalledProcessError if it fails."""
    done = subprocess.run(
        [sys.executable, *arguments], env=dict(env), cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout


@contextmanager
def backing(database: str = "sqlite") -> Iterator[Backing]:
    """Redis and a migrated database (``sqlite`` or ``postgres``, with every commit on disk as far as each promises)."""
    folder = Path(tempfile.mkdtemp(prefix="smazzata-bench-"))
    folder.chmod(0o755)  # PostgreSQL runs as another user
    with ExitStack() as ending:
        ending.callback(shutil.rmtree, folder, ignore_errors=True)
        env = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
        redis = RedisServer(folder / "redis", folder / "redis.log")
        process = redis.start(env)
        ending.callback(processes.stop, process, patience=5)
        env |= {"DATA_DIR": str(folder / "data"), "REDIS_URL": redis.url, "DJANGO_SETTINGS_MODULE": "config.settings"}
        if database == "postgres":
            (folder / "postgres").mkdir()
            server = PostgresServer(folder / "postgres", durable=True)
            ending.callback(processes.stop, server.start(), patience=5)
            env["DATABASE_URL"] = server.url
        opened_backing = Backing(folder, env)
        opened_backing.run("manage.py", "migrate", "--verbosity", "0")
        yield opened_backing


@contextmanager
def ours(behind: Backing) -> Iterator[Site]:
    """Run a web process of the site."""
    log = behind.folder / "web.log"
    with bound_socket() as listening:
        fd = listening.fileno()
        process = processes.spawn(
            [sys.executable, "-m", "config.launcher.web"],
            env={**behind.env, "LISTEN_FD": str(fd)},
            log=log,
            cwd=ROOT,
            pass_fds=[fd],
        )
        site = Site(listening.getsockname()[1])
        try:
            until(lambda: site.up() or process.poll() is not None, what="the web process to start")
            if process.poll() is not None:
                raise RuntimeError(log.read_text())
            yield site
        finally:
            processes.stop(process, patience=5)


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
        [sys.executable, "-m", "tests.bench.load"],
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
