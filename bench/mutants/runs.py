"""Runs of the tests: once as everything is, then for each mutant those that run its function, until one is red."""

import builtins
import contextlib
import importlib
import os
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from bench.mutants.choice import ROOT, Mutant, change_source, list_test_paths
from bench.mutants.forks import BROKEN, run_forked, say
from bench.mutants.living import MARK, Functions, mark_source

PATIENT_SECONDS, PATIENT_TIMES = 20.0, 5.0  # and times what a test takes, until it counts as one that saw the mutant
MOST_SECONDS = 3600.0  # of all tests as everything is
LATE = 71  # code of a process in which a test took longer
SEEN = {"killed", "late"}  # outcomes of a mutant that tests noticed


@dataclass(slots=True)
class Verdict:
    """End of a mutant: the test that saw it, or why none did."""

    mutant: Mutant
    change: str
    outcome: str  # killed, late, survived, untested
    by: str = ""
    tests: int = 0
    seconds: float = 0.0


@dataclass(slots=True)
class Runs:
    """Tests as everything is: seconds of each, the functions each runs, those that are red anyway."""

    seconds: dict[str, float] = field(default_factory=dict)
    marks: dict[str, set[str]] = field(default_factory=dict)
    red: set[str] = field(default_factory=set)


class Plugin:
    """Loop of the tests in place of pytest's own."""

    def __init__(self, mutants: Sequence[Mutant]) -> None:
        self.mutants = mutants
        self.verdicts: list[Verdict] = []
        self.runs = Runs()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise session.Interrupted("errors during collection")
        for mutant in self.mutants:
            importlib.import_module(mutant.file.removesuffix(".py").replace("/", "."))
        session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined] one folder for all processes
        functions = Functions({mutant.file for mutant in self.mutants})
        began = time.monotonic()
        self.runs = self.run_unchanged(session, functions)
        say(f"{len(session.items)} tests as everything is: {time.monotonic() - began:.0f} s")
        for nodeid in sorted(self.runs.red):
            say(f"red without a change, left out: {nodeid}")
        for mutant in self.mutants:
            verdict = self.try_mutant(session, functions, mutant)
            self.verdicts.append(verdict)
            say(f"{verdict.outcome:9} {verdict.seconds:5.1f} s  {mutant.name}  {verdict.change}  {verdict.by}")
        return True

    def list_tests(self, session: pytest.Session, room: str) -> list[pytest.Item]:
        """Return the items of a room that aren't red anyway."""
        paths = [ROOT / path for path in list_test_paths(room)]
        return [
            item
            for item in session.items
            if any(item.path == path or path in item.path.parents for path in paths)
            and item.nodeid not in self.runs.red
        ]

    def run_unchanged(self, session: pytest.Session, functions: Functions) -> Runs:
        def work(tell: Callable[[Any], None]) -> None:
            marked: set[str] = set()
            setattr(builtins, MARK, marked.add)
            for file in sorted({mutant.file for mutant in self.mutants}):
                marks = {mutant.function: mutant.name for mutant in self.mutants if mutant.file == file}
                tree = mark_source(file, {function: f"{file}::{function}" for function in marks})
                for function in marks:
                    functions.replace(file, function, tree)
            reports = Reports()
            shared = SharedFixtures(marked)
            session.config.pluginmanager.register(reports)
            session.config.pluginmanager.register(shared)
            items = session.items
            for item, following in zip(items, [*items[1:], None], strict=True):
                marked.clear()
                reports.red = ""
                began = time.monotonic()
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                marks = sorted(marked | shared.list_marks(item))
                tell((item.nodeid, round(time.monotonic() - began, 3), marks, bool(reports.red)))

        runs = Runs()
        rows, status, _ = run_forked(session, work, limit=MOST_SECONDS)
        for nodeid, seconds, marks, red in rows:
            runs.seconds[nodeid], runs.marks[nodeid] = seconds, set(marks)
            if red:
                runs.red.add(nodeid)
        if status:
            raise session.Failed(f"the tests broke off as everything is, with status {status}, after {len(rows)}")
        return runs

    def try_mutant(self, session: pytest.Session, functions: Functions, mutant: Mutant) -> Verdict:
        tree, words = change_source(mutant)
        mark = f"{mutant.file}::{mutant.function}"
        tests = [item for item in self.list_tests(session, mutant.room) if mark in self.runs.marks[item.nodeid]]
        tests.sort(key=lambda item: self.runs.seconds[item.nodeid])
        if not tests:
            return Verdict(mutant, words, "untested")

        def work(tell: Callable[[Any], None]) -> None:
            done = functions.replace(mutant.file, mutant.function, tree)
            done += functions.change_default(mutant, tree) if mutant.change == "default" else 0
            if not done:
                tell("unchanged")
                return
            reports = Reports()
            session.config.pluginmanager.register(reports)
            for item, following in zip(tests, [*tests[1:], None], strict=True):
                limit = PATIENT_SECONDS + PATIENT_TIMES * self.runs.seconds[item.nodeid]
                timer = threading.Timer(limit, os._exit, (LATE,))
                timer.daemon = True
                timer.start()
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                timer.cancel()
                if reports.red:
                    tell(reports.red)
                    with contextlib.suppress(BaseException):
                        session._setupstate.teardown_exact(None)  # what it started ends with it
                    return

        limit = PATIENT_SECONDS * 10 + PATIENT_TIMES * sum(self.runs.seconds[item.nodeid] for item in tests)
        answers, status, seconds = run_forked(session, work, limit=limit)
        verdict = Verdict(mutant, words, "survived", "", len(tests), round(seconds, 1))
        if answers == ["unchanged"]:
            verdict.outcome, verdict.by = "untested", "no living function has this code"
        elif answers:
            verdict.outcome, verdict.by = "killed", answers[0]
        elif status in (None, LATE):
            verdict.outcome, verdict.by = "late", "a test ran far longer than it does"
        elif status == BROKEN:
            raise session.Failed(f"a process broke off beside its tests: {mutant.name}")
        elif status:
            verdict.outcome, verdict.by = "killed", f"its process ended with status {status}"
        return verdict


class Reports:
    """First test that was red, in a forked process."""

    def __init__(self) -> None:
        self.red = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.red:
            self.red = f"{report.nodeid} ({report.when})"


class SharedFixtures:
    """Functions that ran for a fixture which several tests share: each of those tests has run them."""

    def __init__(self, marked: set[str]) -> None:
        self.marked = marked
        self.by_fixture: dict[tuple[str, str], set[str]] = defaultdict(set)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[None]:
        before = set(self.marked)
        self.marked.clear()
        try:
            return (yield)
        finally:
            if fixturedef.scope != "function":
                self.by_fixture[fixturedef.baseid, fixturedef.argname] |= self.marked
            self.marked |= before

    def list_marks(self, item: Any) -> set[str]:
        names = set(getattr(item, "fixturenames", ()))
        shared = (
            marks for (base, name), marks in self.by_fixture.items() if name in names and item.nodeid.startswith(base)
        )
        return set().union(*shared)
