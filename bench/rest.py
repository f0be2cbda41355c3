"""Processor and memory that `make run` takes while nobody is there, process by process, by the system's count.

The site is started as by `make run`, in a folder of its own, its house tournaments made; nobody opens a page. Once it
has settled, each process is read at both ends of a minute: the time it had a processor, and what it holds of memory,
each shared page divided among those who share it (PSS). Beside it run what could be had with nothing of ours: a uvicorn
that serves nothing, a Celery worker that is given nothing, a Redis of their own; and one idle Python. Other programs
may run meanwhile: time of the processor isn't time that passes.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from bench.beside import Goal
from bench.sites import NOT_INHERITED, ROOT
from bench.tables import Table
from config.launcher import processes
from config.launcher.redis_server import RedisServer
from tests.support.live import bound_socket
from tests.support.waiting import until

SETTLE, MEASURE = 45.0, 60.0  # seconds
PROCESSOR_GOAL = Goal(1.0, at_most=True)  # per cent of one core, all processes together
MEMORY_GOAL = Goal(250.0, at_most=True)  # MB
MB = 1_000_000
TICKS = os.sysconf("SC_CLK_TCK")
IDLE = "import time\nwhile True: time.sleep(3600)"
BARE_WEB = """
import uvicorn
async def application(scope, receive, send): ...
uvicorn.run(application, host="127.0.0.1", port=0, lifespan="off", log_config=None)
"""
BARE_WORKER = """
import os
from celery import Celery
app = Celery(broker=os.environ["REDIS_URL"], set_as_current=True)
app.worker_main(["worker", "--pool", "threads", "--concurrency", "4", "--without-gossip", "--without-mingle"])
"""
NAMES = (  # by what a command line has, the first that fits
    ("config.launcher.supervisor", "supervisor"),
    ("redis-server", "Redis"),
    ("config.launcher.web", "web"),
    (" beat ", "beat"),
    ("games.bots.study_process", "thinks for analyses"),
    ("games.bots", "thinks for the house"),
    (" worker ", "worker"),
)


class Reading(NamedTuple):
    """Processor that a process has had, in seconds, and memory it holds, in MB."""

    processor: float
    memory: float


class Rested(NamedTuple):
    """Shares that a process took over the minute: per cent of a core, and MB at its end."""

    share: float
    memory: float


def run(settle: float = SETTLE, measure: float = MEASURE) -> Table:
    with _start_bare() as bare, _start_site() as site:
        time.sleep(settle)
        before = {pid: _read(pid) for pid in [*_list_family(site), *bare.values()]}
        began = time.monotonic()
        time.sleep(measure)
        took = time.monotonic() - began
        rested = {pid: _compare(before.get(pid), _read(pid), took) for pid in [*_list_family(site), *bare.values()]}
        ours = {_name(pid): rested[pid] for pid in _list_family(site)}
        peers = {name: rested[pid] for name, pid in bare.items()}
    return build_table(ours, peers, measure)


def build_table(ours: dict[str, Rested], peers: dict[str, Rested], seconds: float) -> Table:
    """Show each process of ours, all of them, and beside them the bare ones, of which the idle one isn't added."""
    together = [_add(ours), _add({name: one for name, one in peers.items() if name != "an idle Python"})]
    rows = [[name, *_show(one), "", "", ""] for name, one in ours.items()]
    rows.append([
        f"all {len(ours)} together",
        *_show(together[0]),
        *(f"{mine / theirs:.2f}" if theirs else "" for mine, theirs in zip(*together, strict=True)),
        f"≤ {PROCESSOR_GOAL.bound:g} %, ≤ {MEMORY_GOAL.bound:g} MB",
    ])  # fmt: skip
    rows += [[f"bare: {name}", *_show(one), "", "", ""] for name, one in peers.items()]
    rows.append(["bare: web, worker and Redis together", *_show(together[1]), "", "", ""])
    short = []
    if not PROCESSOR_GOAL.met(together[0].share):
        short.append(f"{together[0].share:.2f} % of a core, the goal is {PROCESSOR_GOAL.bound:g} %.")
    if not MEMORY_GOAL.met(together[0].memory):
        short.append(f"{together[0].memory:.0f} MB, the goal is {MEMORY_GOAL.bound:g} MB.")
    return Table(
        title=f"REST: `make run` while nobody is there, over {seconds:g} s",
        headings=("process", "of a core", "memory (PSS)", "processor / bare", "memory / bare", "goal"),
        rows=rows,
        notes=["Bare: uvicorn, a Celery worker and Redis with nothing of ours in them, in the same minute."],
        short=short,
    )


def _add(processes: dict[str, Rested]) -> Rested:
    return Rested(sum(one.share for one in processes.values()), sum(one.memory for one in processes.values()))


def _show(one: Rested) -> list[str]:
    return [f"{one.share:.2f} %", f"{one.memory:.1f} MB"]


@contextmanager
def _start_site() -> Iterator[int]:
    """Start the site as `make run` does and give the number of its first process, once it answers."""
    with tempfile.TemporaryDirectory(prefix="smazzata-bench-") as folder, bound_socket() as taken:
        port = taken.getsockname()[1]
        taken.close()
        env = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
        env |= {"DATA_DIR": f"{folder}/data", "PORT": str(port)}
        log = Path(folder) / "supervisor.log"
        command = [sys.executable, "-m", "config.launcher.supervisor"]
        process = processes.spawn(command, env=env, log=log, cwd=ROOT)
        try:
            until(lambda: process.poll() is not None or "is ready" in log.read_text(), what="the site to be ready")
            if process.poll() is not None:
                raise RuntimeError(log.read_text())
            yield process.pid
        finally:
            processes.stop(process, patience=15)


@contextmanager
def _start_bare() -> Iterator[dict[str, int]]:
    """Start the programs below ours with nothing in them, and give their numbers by name."""
    with tempfile.TemporaryDirectory(prefix="smazzata-bench-") as folder:
        started: list[subprocess.Popen[bytes]] = []
        redis = RedisServer(Path(folder) / "redis", Path(folder) / "redis.log")
        env = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
        env["REDIS_URL"] = redis.url
        try:
            started.append(redis.start(env))
            for program in (BARE_WEB, BARE_WORKER, IDLE):
                command = [sys.executable, "-c", program]
                started.append(processes.spawn(command, env=env, log=Path(folder) / "bare.log", cwd=Path(folder)))
            names = ("Redis", "web", "worker", "an idle Python")
            yield {name: process.pid for name, process in zip(names, started, strict=True)}
        finally:
            for process in reversed(started):
                processes.stop(process, patience=5)


def _list_family(pid: int) -> list[int]:
    """List a process and all that it and its children started, by the system's list."""
    parents: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:  # it has ended meanwhile
                continue
            parents.setdefault(int(fields[1]), []).append(int(folder.name))
    family = [pid]
    for member in family:
        family += sorted(parents.get(member, []))
    return family


def _name(pid: int) -> str:
    line = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    return next((name for mark, name in NAMES if mark in line), line[:60])


def _read(pid: int) -> Reading:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    shared = Path(f"/proc/{pid}/smaps_rollup").read_text().split("Pss:")[1].split()[0]
    return Reading((int(fields[11]) + int(fields[12])) / TICKS, int(shared) * 1024 / MB)


def _compare(before: Reading | None, after: Reading, seconds: float) -> Rested:
    """Compare the two ends; one that was started meanwhile has taken all that it has had."""
    return Rested(100 * (after.processor - (before.processor if before else 0.0)) / seconds, after.memory)
