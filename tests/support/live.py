"""The product's processes over the test database: a web server in a thread or a process, a real Celery worker.

Everything speaks through real sockets. Whoever uses this needs a test that really commits
(``@pytest.mark.django_db(transaction=True)``); the fixtures of conftest.py see to it.
"""

import importlib
import os
import socket
import sys
import threading
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from subprocess import Popen
from typing import Any

import uvicorn
from django.db import connection
from django.test import override_settings

from config.launcher import processes
from players.realtime import db_executor
from tests import settings as served
from tests.support.waiting import PATIENCE, until

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Site:
    """Addresses of a running web server."""

    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def ws_url(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    def up(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=2) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False


def environment(**more: str) -> dict[str, str]:
    """Return the environment of a child process that works on this test's database and Redis."""
    chosen = connection.settings_dict
    if connection.vendor == "sqlite":
        url = f"sqlite:///{chosen['NAME']}"
    else:
        where = f"{chosen['HOST']}:{chosen['PORT']}" if chosen["PORT"] else ""
        who = f"{chosen['USER']}:{chosen['PASSWORD']}@" if chosen["PASSWORD"] else f"{chosen['USER']}@"
        folder = "" if where else f"?host={chosen['HOST'] or chosen['OPTIONS'].get('host', '')}"
        url = f"postgres://{who}{where}/{chosen['NAME']}{folder}"
    return {**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "tests.settings", **more}


def bound_socket() -> socket.socket:
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", 0))
    listening.listen(128)
    return listening


@cache
def build_application(middleware: tuple[str, ...]) -> Any:
    """Return the application with this middleware, static files too, whatever it was imported with before."""
    with override_settings(MIDDLEWARE=[*middleware]):
        return importlib.reload(importlib.import_module("config.asgi")).application


@contextmanager
def web_thread(
    door: socket.socket | None = None, middleware: Sequence[str] = tuple(served.MIDDLEWARE)
) -> Iterator[Site]:
    """The site in a thread of this process: quick, and its exceptions are ours. ``door``: where it listens, which stays
    open for whoever listens there after it."""
    from config.launcher.web_sockets import PushProtocol

    application = build_application(tuple(middleware))

    settings = uvicorn.Config(
        application, log_level="warning", ws=PushProtocol, ws_max_size=8192, ws_per_message_deflate=False
    )
    server = uvicorn.Server(settings)
    with door.dup() if door else bound_socket() as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, name="live-site")
        thread.start()
        site = Site(listening.getsockname()[1])
        try:
            # Its first answer imports every page: on a busy machine that takes longer than one request waits.
            until(lambda: site.up() or not thread.is_alive(), what="the web server to start")
            assert thread.is_alive(), "the web server ended at its start"
            yield site
        finally:
            server.should_exit = True
            server.force_exit = True
            thread.join(PATIENCE)
            db_executor.shut_down()  # its threads hold connections that would keep the test database from being dropped


@contextmanager
def web_process(log: Path, env: Mapping[str, str] | None = None) -> Iterator[tuple[Site, Popen[bytes]]]:
    """The site in a process of its own, to be killed by the test if it likes."""
    with bound_socket() as listening:
        process = processes.spawn(
            [sys.executable, "-m", "config.launcher.web"],
            env={**environment(), **(env or {}), "LISTEN_FD": str(listening.fileno())},
            log=log,
            cwd=ROOT,
            pass_fds=[listening.fileno()],
        )
        site = Site(listening.getsockname()[1])
        try:
            until(lambda: site.up() or process.poll() is not None, what="the web process to start")
            assert process.poll() is None, log.read_text()
            yield site, process
        finally:
            processes.stop(process, patience=5)


@contextmanager
def worker_process(log: Path, env: Mapping[str, str] | None = None) -> Iterator[Popen[bytes]]:
    """A real Celery worker with its sweep."""
    from config.launcher.programs import WORKER

    process = processes.spawn([sys.executable, *WORKER], env={**environment(), **(env or {})}, log=log, cwd=ROOT)
    try:
        until(
            lambda: process.poll() is not None or (log.exists() and " ready." in log.read_text()),
            what="the Celery worker to be ready",
        )
        assert process.poll() is None, log.read_text()
        yield process
    finally:
        processes.stop(process, patience=5)
