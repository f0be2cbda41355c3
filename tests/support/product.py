"""The whole product as a person starts it: the supervisor and its processes, in a data folder of their own."""

import fcntl
import os
import random
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from config.launcher.redis_server import SERVERS
from tests.services import kept
from tests.support.live import Site
from tests.support.waiting import PATIENCE, until

ROOT = Path(__file__).resolve().parents[2]
OURS = (
    "DATABASE_URL",
    "DATABASE_POOL",
    "DATA_DIR",
    "REDIS_URL",
    "REDIS_PREFIX",
    "DJANGO_SETTINGS_MODULE",
    "HOST",
    "PORT",
)
# Below those that systems hand out, to any program, between a look and the start of what was to listen there.
PORTS = range(20_000, 32_000)
MARKS = {"redis": SERVERS, "web": ("config.launcher.web",), "worker": ("worker",)}


def find_port() -> int:
    """Return a port nobody listens on now, which the system gives to no other program meanwhile."""
    while True:
        with socket.socket() as probe:
            port = random.choice(PORTS)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


def environment(data_dir: Path, port: int, more: Mapping[str, str]) -> dict[str, str]:
    """A person's environment: nothing of the test run's own settings in it."""
    clean = {name: value for name, value in os.environ.items() if name not in OURS}
    return {**clean, "DATA_DIR": str(data_dir), "PORT": str(port), **more}


@dataclass
class Product(Site):
    """A running supervisor, its data and what it says."""

    data_dir: Path
    supervisor: "subprocess.Popen[bytes]"
    said: Path
    complaints: Path

    def children(self) -> dict[str, psutil.Process]:
        """Its live processes by name."""
        processes: dict[str, psutil.Process] = {}
        for process in psutil.Process(self.supervisor.pid).children():
            try:
                words = {Path(word).name for part in process.cmdline() for word in part.split()}
            except psutil.NoSuchProcess:
                continue
            for name, marks in MARKS.items():
                if not words.isdisjoint(marks):
                    processes[name] = process
        return processes

    def wait(self) -> int:
        return self.supervisor.wait(PATIENCE)


@contextmanager
def started(data_dir: Path, *, port: int | None = None, env: Mapping[str, str] | None = None) -> Iterator[Product]:
    """Start the supervisor and give it as it is; stopped at the end if it still runs."""
    port = port or find_port()
    out, err = data_dir.with_name(f"{data_dir.name}.{port}.out"), data_dir.with_name(f"{data_dir.name}.{port}.err")
    with out.open("wb") as output, err.open("wb") as complaints:
        process = subprocess.Popen(
            [sys.executable, "-m", "config.launcher.supervisor"],
            cwd=ROOT,
            env=environment(data_dir, port, env or {}),
            stdout=output,
            stderr=complaints,
        )
    try:
        yield Product(port, data_dir, process, out, err)
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait(PATIENCE)


def prepared() -> Path:
    """The data as a start leaves it, made once a run by whoever needs it first."""
    folder = kept() / "prepared"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            growing = folder.with_suffix(".new")
            env = environment(growing, find_port(), {"REDIS_URL": os.environ["REDIS_URL"]})
            subprocess.run([sys.executable, "-m", "config.launcher.prepare"], cwd=ROOT, env=env, check=True)
            growing.rename(folder)
    return folder


@contextmanager
def running(data_dir: Path, *, fresh: bool = False, env: Mapping[str, str] | None = None) -> Iterator[Product]:
    """Start the supervisor and wait until it says that it is ready. Only a ``fresh`` one is the very first start."""
    if not fresh and not data_dir.exists():
        shutil.copytree(prepared(), data_dir, ignore=shutil.ignore_patterns("*.sqlite3*") if env else None)
    with started(data_dir, env=env) as product:
        until(
            lambda: "ready" in product.said.read_text() or product.supervisor.poll() is not None,
            what="the product to be ready",
        )
        assert product.supervisor.poll() is None, product.complaints.read_text()
        yield product
