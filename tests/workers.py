"""Tests beside each other in processes that are forked once everything has been imported and collected.

A pytest plugin (``-p tests.workers``, ``--workers 3``). pytest-xdist has each process collect by itself, twenty seconds
of a core each time; here the controller collects, forks, hands out files as workers ask for them, and says what comes
of each test: a failure the moment it happens, every few seconds how many of all are done and what is left. A worker
that dies fails the test it was at, and another one takes its place.
"""

import contextlib
import ctypes
import os
import signal
import sys
import time
import traceback
from collections import deque
from collections.abc import Iterator, Sequence
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

import pytest

from config.launcher.processes import PR_SET_PDEATHSIG
from tests.services import take_own_place

BUDGET = 2.0  # processor seconds of a quiet core that a test may take, but those marked ``long``
QUIET_LOOK = 0.020  # processor seconds of ``measure_pace`` on that core
SAID_EVERY = 10.0  # seconds between two words on how far it is
SECONDS = "smazzata/seconds"  # of each test in the last runs here, kept by pytest's cache
CONTROLLER = "tests.workers.controller"
LAST = 1_000  # rank of what need not begin first
UNKNOWN, UNKNOWN_FIRST = 0.05, 0.3  # seconds a test is thought to take that was never run here

Group = list[int]  # places in ``session.items`` of tests that run one after the other in one process


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--workers", type=int, default=0, help="how many processes run the tests; 0: this one alone")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("workers") and not config.getoption("collectonly"):
        config.pluginmanager.register(Controller(config), CONTROLLER)


def name_group(item: pytest.Item) -> str:
    """Return what an item has to share a process with: the tests of its file, unless a conftest says otherwise."""
    mark = item.get_closest_marker("process")
    return str(mark.args[0]) if mark else item.nodeid.partition("::")[0]


def begin_first(items: Sequence[pytest.Item], folder: Path, names: Sequence[str]) -> None:
    """Have the tests of these files and folders of a folder begin first, in this order."""
    for item in items:
        if item.path.is_relative_to(folder):
            within = item.path.relative_to(folder).as_posix()
            for number, name in enumerate(names):
                if within.startswith(name):
                    item.add_marker(pytest.mark.first(number))
                    break


class Worker:
    """A forked process, seen from the controller: what it was given, and the test it is at."""

    def __init__(self, number: int, pid: int, channel: Connection) -> None:
        self.number = number
        self.pid = pid
        self.channel = channel
        self.todo: deque[int] = deque()


class Controller:
    """Loop of the tests in the process that has collected them."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.count = config.getoption("workers")
        self.workers: list[Worker] = []
        self.started = 0
        self.groups: deque[Group] = deque()
        self.progress = Progress(config)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed and not session.config.option.continue_on_collection_errors:
            raise session.Interrupted(f"{session.testsfailed} errors during collection")
        self.session = session
        self.groups = self.plan(session.items)
        self.progress.begin(session.items)
        base = self.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
        try:
            for _ in range(min(self.count, len(self.groups))):
                self.fork(base)
            while self.workers:
                for channel in wait([worker.channel for worker in self.workers]):
                    worker = next(worker for worker in self.workers if worker.channel is channel)
                    self.hear(worker, base)
                if session.shouldfail:
                    raise session.Failed(session.shouldfail)
        finally:
            self.stop()
            self.progress.end()
        return True

    def plan(self, items: Sequence[pytest.Item]) -> deque[Group]:
        """Return the items by group, those that take longest first: nobody waits for one of them at the end."""
        groups: dict[str, Group] = {}
        for place, item in enumerate(items):
            groups.setdefault(name_group(item), []).append(place)

        def rank(group: Group) -> tuple[int, float]:
            marks = (items[place].get_closest_marker("first") for place in group)
            seconds = sum(self.progress.weigh(items[place]) for place in group)
            return min((mark.args[0] for mark in marks if mark), default=LAST), -seconds

        return deque(sorted(groups.values(), key=rank))

    def fork(self, base: Any) -> None:
        ours, theirs = Pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        number, self.started = self.started + 1, self.started + 1
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                for worker in self.workers:
                    worker.channel.close()
                ours.close()
                run_worker(self.config, self.session, number, theirs, base / f"worker-{number}")
                code = 0
            except KeyboardInterrupt:
                pass
            except BaseException:
                theirs.send(("broken", traceback.format_exc()))
            finally:
                os._exit(code)
        theirs.close()
        self.workers.append(Worker(number, pid, ours))

    def hear(self, worker: Worker, base: Any) -> None:
        """Take what a worker says: a report, a test that is over, a wish for more; or its death."""
        word, about = "", None
        with contextlib.suppress(EOFError, ConnectionResetError):
            word, about = worker.channel.recv()
        if not word:  # outside the exception, which would be in the traceback of whatever fails in the next worker
            self.bury(worker, base)
        elif word == "more":
            group = self.groups.popleft() if self.groups else []
            worker.todo.extend(group)
            with contextlib.suppress(BrokenPipeError):
                worker.channel.send(group)
        elif word == "report":
            report = self.config.hook.pytest_report_from_serializable(config=self.config, data=about)
            self.config.hook.pytest_runtest_logreport(report=report)
            if report.failed:
                self.progress.name_failure(report)
        elif word == "broken":
            self.progress.write(f"A worker broke down:\n{about}")
        elif word == "over":
            place, seconds, own = about
            worker.todo.remove(place)
            self.progress.count(self.session.items[place], seconds, own)

    def bury(self, worker: Worker, base: Any) -> None:
        """Let go of a worker that has ended; one that died is replaced, and its test has failed."""
        self.workers.remove(worker)
        worker.channel.close()
        _, status = os.waitpid(worker.pid, 0)
        if not worker.todo:
            if status:  # another one would fare no better
                raise self.session.Interrupted(f"a worker ended with status {status} between two tests")
            return
        item = self.session.items[worker.todo.popleft()]
        text = f"its process ended with status {status} while it ran"
        report = pytest.TestReport(item.nodeid, item.location, {}, "failed", text, "call")
        self.config.hook.pytest_runtest_logreport(report=report)
        self.progress.name_failure(report)
        self.progress.count(item, 0.0, 0.0)
        if worker.todo:
            self.groups.appendleft(list(worker.todo))
        self.fork(base)

    def stop(self) -> None:
        """End what is still there, as at a Ctrl-C: whatever a worker started goes with it."""
        for worker in self.workers:
            with contextlib.suppress(ProcessLookupError):
                os.kill(worker.pid, signal.SIGINT)
        for worker in self.workers:
            worker.channel.close()
            with contextlib.suppress(ChildProcessError):
                os.waitpid(worker.pid, 0)
        self.workers.clear()


class Progress:
    """Words on how far a run is, on how long a test took and which failed."""

    def __init__(self, config: pytest.Config) -> None:
        self.cache = getattr(config, "cache", None)  # None: -p no:cacheprovider
        self.seconds: dict[str, float] = self.cache.get(SECONDS, {}) if self.cache else {}
        self.measured: dict[str, float] = {}
        self.reporter = config.pluginmanager.getplugin("terminalreporter")
        self.shown = config.getoption("durations") or 0
        self.done = self.failures = 0
        self.dear: list[tuple[float, str]] = []
        self.longest: list[tuple[float, str]] = []

    def weigh(self, item: pytest.Item) -> float:
        """Return the seconds that a test took here last time, or a guess."""
        guess = UNKNOWN_FIRST if item.get_closest_marker("first") else UNKNOWN
        return self.seconds.get(item.nodeid, guess)

    def begin(self, items: Sequence[pytest.Item]) -> None:
        if self.reporter:
            self.reporter._show_progress_info = False
        self.total = len(items)
        self.left = sum(map(self.weigh, items))
        self.whole = self.left
        self.began = self.said = time.monotonic()

    def count(self, item: pytest.Item, seconds: float, own: float) -> None:
        self.done += 1
        self.left -= self.weigh(item)
        self.measured[item.nodeid] = round(seconds, 2)
        self.longest = sorted([*self.longest, (own, item.nodeid)], reverse=True)[: self.shown]
        if own > BUDGET and not any(item.get_closest_marker(name) for name in ("long", "soak")):
            self.dear.append((own, item.nodeid))
        if time.monotonic() - self.said > SAID_EVERY or self.done == self.total:
            self.said = time.monotonic()
            self.say()

    def say(self) -> None:
        passed = time.monotonic() - self.began
        share = 1 - self.left / self.whole if self.whole else 1.0
        left = f", about {passed / share - passed:.0f} s left" if 0.1 < share < 1 else ""
        red = f", {self.failures} failed" if self.failures else ""
        self.write(f"{self.done:,} of {self.total:,} tests in {passed:.0f} s{red}{left}")

    def name_failure(self, report: pytest.TestReport) -> None:
        self.failures += 1
        self.write(f"FAILED {report.nodeid} ({report.when})")

    def write(self, text: str) -> None:
        if self.reporter:
            self.reporter.ensure_newline()
            self.reporter.write_line(text)
        sys.stdout.flush()

    def end(self) -> None:
        """Keep the seconds for the next run; say which tests took more processor time than their budget."""
        if self.longest:
            self.write(f"The {len(self.longest)} that took most processor time, in seconds of a quiet core:")
        for own, nodeid in self.longest:
            self.write(f"{own:7.2f} {nodeid}")
        for own, nodeid in sorted(self.dear, reverse=True):
            self.write(f"OVER THE BUDGET of {BUDGET:g} s: {own:.1f} s, {nodeid}")
        if self.cache:
            self.cache.set(SECONDS, self.cache.get(SECONDS, {}) | self.measured)  # another run may have ended meanwhile


@pytest.hookimpl(tryfirst=True)
def pytest_report_teststatus(report: pytest.TestReport, config: pytest.Config) -> tuple[str, str, str] | None:
    """Count without a dot for each test: the controller says how many there are, and names those that fail."""
    if not config.pluginmanager.hasplugin(CONTROLLER):
        return None
    if report.when != "call" and not report.failed:
        return "skipped" if report.skipped else "", "", "SKIPPED" if report.skipped else ""
    what = "error" if report.failed and report.when != "call" else report.outcome
    return what, "", "" if report.passed else what.upper()


# --- In a worker --------------------------------------------------------------------------------------------------


class Reports:
    """Reports of a worker's tests to the controller, and the processor seconds of what tests share."""

    def __init__(self, config: pytest.Config, channel: Connection) -> None:
        self.config = config
        self.channel = channel
        self.shared = self.since = 0.0
        self.depth = 0

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Iterator[None]:
        """Reckon apart what is made for more than one test, and its end: it is no cost of the first or the last."""
        if fixturedef.scope == "function":
            return (yield)
        fixturedef.addfinalizer(self.leave)  # the last of its end
        self.enter()
        try:
            return (yield)
        finally:
            self.leave()
            fixturedef.addfinalizer(self.enter)  # the first of its end

    def enter(self) -> None:
        self.depth += 1
        if self.depth == 1:
            self.since = measure_processor()

    def leave(self) -> None:
        self.depth -= 1
        if self.depth == 0:
            self.shared += measure_processor() - self.since

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        data = self.config.hook.pytest_report_to_serializable(config=self.config, report=report)
        self.channel.send(("report", data))


def run_worker(config: pytest.Config, session: pytest.Session, number: int, channel: Connection, base: Any) -> None:
    """Run the groups the controller gives, until it gives none."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    name = f"w{number}"
    config.workerinput = {"workerid": name}  # type: ignore[attr-defined] so plugins know that they aren't alone
    plugins = config.pluginmanager
    for own in ("terminalreporter", CONTROLLER):
        plugins.unregister(name=own)
    plugins.register(reports := Reports(config, channel))
    capture = plugins.getplugin("capturemanager")
    capture.stop_global_capturing()
    capture.start_global_capturing()
    base.mkdir()
    config._tmp_path_factory._basetemp = base  # type: ignore[attr-defined]
    take_own_place(number)
    pace = measure_pace()
    tests = asked(channel)
    place = next(tests, None)
    while place is not None:
        following = next(tests, None)
        nextitem = None if following is None else session.items[following]
        began, spent = time.monotonic(), measure_processor() - reports.shared
        config.hook.pytest_runtest_protocol(item=session.items[place], nextitem=nextitem)
        own = (measure_processor() - reports.shared - spent) / pace
        channel.send(("over", (place, time.monotonic() - began, own)))
        place = following


def asked(channel: Connection) -> Iterator[int]:
    """Yield the places of the tests to run; the next group is asked for before the last test of this one begins."""
    while True:
        channel.send(("more", None))
        group = channel.recv()
        if not group:
            return
        yield from group


def measure_processor() -> float:
    """Return the processor seconds of this process and of those children that have ended.

    A browser outlives the tests of its worker, so it is no cost of any; a site that a test's process serves is its own.
    """
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def measure_pace() -> float:
    """Return how much longer this core takes than the quiet one that the budget is for: the best of three looks."""
    looks = []
    for _ in range(3):
        began = time.process_time()
        words: dict[str, int] = {}
        for number in range(60_000):
            word = f"w{number % 512}"
            words[word] = words.get(word, 0) + number
        looks.append(time.process_time() - began)
    return min(looks) / QUIET_LOOK
