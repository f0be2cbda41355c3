"""The processes that tests run in (tests/workers.py), over tiny projects of their own: what fails, dies, takes long or
is broken off is told, and nothing is left."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest
from django.core.cache import caches

from tests.__main__ import NamedRows, Outcome
from tests.support.waiting import PATIENCE, until

ROOT = Path(__file__).resolve().parents[1]
# No server of the product's here, and a smaller budget: by its definition a look at the pace takes 0.06 s (three times
# QUIET_LOOK).
CONFTEST = """
from tests import workers

workers.take_own_place = lambda number: None
workers.BUDGET = 0.15
"""
MARKERS = """
[pytest]
markers =
    long: may take long
"""
OF_ALL_KINDS = {
    "test_failing.py": """
def test_that_fails():
    assert 1 == 2

def test_after_it():
    pass
""",
    "test_dying.py": """
import os

def test_before_it():
    pass

def test_that_dies():
    os._exit(7)

def test_that_goes_on():
    pass
""",
    "test_dear.py": """
import pytest
from tests.workers import measure_pace

@pytest.mark.parametrize("looks", [4, 0, pytest.param(4, marks=pytest.mark.long)], ids=["dear", "cheap", "may be"])
def test_that_costs(looks):
    for _ in range(looks):
        measure_pace()
""",
}
# Each of two processes tells who it is and what it has started, and waits for good.
WAITING = """
import os, signal, sys
from pathlib import Path
from config.launcher.processes import spawn

def test_that_waits():
    server = spawn([sys.executable, "-c", "import signal; signal.pause()"], env={}, log=Path(__file__ + ".log"))
    Path(__file__ + ".new").write_text(f"{os.getpid()} {server.pid}")
    Path(__file__ + ".new").rename(__file__ + ".pids")
    signal.pause()
"""


def start(folder: Path, files: dict[str, str]) -> "subprocess.Popen[str]":
    """Start a run of these files with two processes, and no plugin but the one that is tried."""
    for name, text in {"conftest.py": CONFTEST, "pytest.ini": MARKERS, **files}.items():
        (folder / name).write_text(text)
    env = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "COLUMNS": "200",
        "PYTEST_ADDOPTS": "",
    }
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.workers", "--workers", "2"]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background has it ignored
    try:
        return subprocess.Popen(
            command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A run of tests of all kinds."""
    return start(tmp_path_factory.mktemp("kinds"), OF_ALL_KINDS).communicate(timeout=PATIENCE)[0]


def test_what_fails_dies_or_takes_long_is_told_by_its_name_and_the_others_go_on(output: str) -> None:
    assert re.search(r"^2 failed, 6 passed", output, re.MULTILINE), output
    assert "8 of 8 tests" in output
    for name in ("test_failing.py::test_that_fails", "test_dying.py::test_that_dies"):
        named = f"FAILED {name} (call)"
        assert output.index(named) < output.index("FAILURES"), "as it happens, not at the end"
    assert "its process ended with status 1792 while it ran" in output
    assert "EOFError" not in output, "a test in the place of a dead one has nothing to do with that"
    over = re.findall(r"^OVER THE BUDGET of 0.15 s: .* s, (\S.*)$", output, re.MULTILINE)
    assert "test_dear.py::test_that_costs[dear]" in over
    assert "test_dear.py::test_that_costs[may be]" not in over


def test_a_step_that_failed_ends_with_its_tests_and_their_reasons(output: str, capsys: Any) -> None:
    rows = NamedRows("tests")
    for piece in (output[:1000], output[1000:]):  # a row may come in two
        rows.write(piece.encode())
    ended = str(Outcome("tests", 1, 12, tuple(rows.failures.values())))
    assert capsys.readouterr().out.count("\n") == output.count("\n")
    assert ended.startswith("tests: FAILED (code 1), 12 s\n"), ended
    assert ended.count("\n") == 2, ended
    for name in ("test_failing.py::test_that_fails - assert", "test_dying.py::test_that_dies"):
        assert f"\n  FAILED {name}" in ended


def test_a_process_has_a_place_of_its_own_in_redis() -> None:
    cache: Any = caches["default"]
    prefix = os.environ.get("REDIS_PREFIX", cache.key_prefix)  # none where one process runs all tests
    assert (cache._servers, cache.key_prefix) == ([os.environ["REDIS_URL"]], prefix)


def test_a_run_that_is_broken_off_leaves_nothing(tmp_path: Path) -> None:
    def list_waiting() -> list[Path]:
        return list(tmp_path.glob("*.pids"))

    run = start(tmp_path, {f"test_{number}.py": WAITING for number in range(4)})  # each process has one in hand
    until(lambda: run.poll() is not None or len(list_waiting()) == 2, what="both processes to wait")
    run.send_signal(signal.SIGINT)
    said = run.communicate(timeout=PATIENCE)[0]
    assert run.returncode == 2, said
    pids = [int(word) for path in list_waiting() for word in path.read_text().split()]
    assert len(pids) == 4
    until(lambda: not any(map(psutil.pid_exists, pids)), what="all that was started to end")
