"""``python -m tests [check|test|soak]``: the steps of ``make check``, ``make test`` and ``make soak``.

Every step is run, whichever fails, and named again at the end with its seconds and the tests that failed: whoever sees
the last rows alone knows where to look. Two go beside each other: one begins
while the other waits for browsers and servers, or ends on one core. A step that finds no test has failed; one that
writes nothing for a quarter of an hour has hung. Browser tests are a run of their own: Playwright's loop and
pytest-asyncio's can't share a process.
"""

import contextlib
import ctypes
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from tests.services import KEPT

ROOT = Path(__file__).resolve().parent.parent
WINDOWLESS = "/usr/lib/chromium/chromium-headless-shell"
SILENCE = 900.0  # seconds without a word until a step counts as hung; tests say every few how far they are
RUNNING: set[subprocess.Popen[bytes]] = set()
STOPPING = 30.0  # seconds a step has to end what it started
FAILURE = re.compile(r"(FAILED|ERROR) (?P<test>\S+\.py\b.*?)( \(\w+\)| - .*)?$")  # a worker's row and pytest's


@dataclass(frozen=True, slots=True)
class Step:
    """Process of a command. ``quiet``: what it writes is shown at its end, and only if it failed."""

    name: str
    command: tuple[str, ...]
    quiet: bool = False
    silence: float = SILENCE
    env: Mapping[str, str] = field(default_factory=dict)


def list_files(*words: str) -> tuple[str, ...]:
    """Return the test files outside the browser's that hold one of these words: to collect all takes ten seconds."""
    return tuple(
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        if path.parent.name != "browser" and any(word in path.read_text() for word in words)
    )


def build_pytest(*arguments: str) -> tuple[str, ...]:
    browser = () if "tests/browser" in arguments else ("-p", "no:playwright")  # its fixtures are asked of every test
    return ("-m", "pytest", "-q", *browser, *arguments)


BESIDE = 2  # steps at a time, but for the soak's, which measure
# Two cores; browsers are waited for more than they reckon.
BOTH_CORES = ("--workers", "2")
WAITING = ("--workers", "3")

# The fast tests of ``make check``: rules, formats and scoring, which need no database, without the longest of them.
FAST_ROOMS = (
    "tests/games/engine",
    "tests/games/rules",
    "tests/scoring",
    "tests/tournaments/formats",
    "tests/test_lint.py",
)
SLOW = ("tests/games/engine/test_fairness.py", "tests/games/rules/test_perft.py")

# The longest first: what is short fills the gaps at the end.
CHECKS = (
    Step("mypy", ("-m", "mypy"), quiet=True),
    Step("lint", ("-m", "tests.lint"), quiet=True),
    Step("faults to be seen", ("-m", "bench.put_back", "--check"), quiet=True),
    Step("browser scripts", ("-m", "tests.scripts"), quiet=True),
    Step("migrations", ("manage.py", "makemigrations", "--check", "--dry-run"), quiet=True),
    Step(
        "import contracts",
        ("-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-logo"),
        quiet=True,
    ),
    Step("ruff", ("-m", "ruff", "check", "--quiet", "."), quiet=True),
)
FAST = Step(
    "fast tests",
    build_pytest(*BOTH_CORES, "-m", "not soak and not django_db", *FAST_ROOMS, *(f"--ignore={name}" for name in SLOW)),
    quiet=True,
)
TESTS = (
    Step("tests", build_pytest(*BOTH_CORES, "-m", "not soak", "--ignore=tests/browser")),
    *CHECKS,
    Step(
        "tests on PostgreSQL",
        build_pytest(
            *BOTH_CORES, "-m", "both_databases and not soak", "--db=postgres", *list_files("mark.both_databases")
        ),
    ),
    Step("browser", build_pytest(*WAITING, "-m", "not soak", "tests/browser")),
)
SOAK = (
    Step(
        "soak: laws, strength, benches",
        build_pytest(
            *BOTH_CORES,
            *("-m", "soak or thorough", "-o", "timeout=1800"),
            *list_files("support.thorough", "mark.soak", "import given", "tests.games.setups", "tests.crawl"),
        ),
        silence=2400,
        env={"THOROUGH": "1"},
    ),
    Step("soak: PostgreSQL", build_pytest("-m", "both_databases and soak", "--db=postgres", *list_files("mark.soak"))),
    Step("soak: browser", build_pytest(*WAITING, "-m", "soak", "tests/browser")),
    Step("soak: storms", ("-m", "bench.storm.soak"), silence=3600),
)
COMMANDS: dict[str, tuple[Step, ...]] = {"check": (FAST, *CHECKS), "test": TESTS, "soak": SOAK}


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 a program of the terminal


def find_missing_for_the_browser() -> list[str]:
    """Return Debian's packages that the browser tests need and this machine lacks."""
    missing = [] if shutil.which("chromium") else ["chromium"]
    try:
        ctypes.CDLL("libatomic.so.1")  # Playwright's driver is linked with it
    except OSError:
        missing.append("libatomic1")
    return missing


def install_chromium() -> str:
    """Return "" if the browser can run, installed now if needed and apt allows it; else the reason in a sentence.

    Chromium without windows (tests/browser/conftest.py) is installed too where possible; nothing needs it.
    """
    missing = find_missing_for_the_browser()
    lighter = [] if Path(WINDOWLESS).exists() else ["chromium-headless-shell"]
    if (missing or lighter) and os.geteuid() == 0 and shutil.which("apt-get"):
        say(f"Installing {' and '.join(missing + lighter)} (once)…")
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        install = ("install", "--yes", "--no-install-recommends", "--no-remove")
        for command in (("update",), *((*install, *names) for names in (missing, lighter) if names)):
            subprocess.run(["apt-get", "-qq", *command], env=quiet, capture_output=True, check=False)
        missing = find_missing_for_the_browser()
    return f"The browser tests need what is missing here: sudo apt install {' '.join(missing)}" if missing else ""


def run_step(step: Step, kept: str, output: "IO[bytes] | NamedRows") -> int:
    """Run a step to its end and return its code; one that hangs is stopped, with all it started."""
    # What one process has compiled, the hundreds that tests start read; some machines are told not to keep it.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    env |= {KEPT: kept, **step.env}
    command = [sys.executable, *step.command]
    with subprocess.Popen(
        command, cwd=ROOT, env=env, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        RUNNING.add(process)
        try:
            if not pass_on(process, output, step.silence):
                say(f"{step.name} hung: stopped after {step.silence:.0f} s without a word.")
                return 1
            return process.wait(STOPPING)
        finally:  # also at a Ctrl-C, which reaches only us
            stop_group(process)
            RUNNING.discard(process)


def pass_on(process: subprocess.Popen[bytes], output: "IO[bytes] | NamedRows", silence: float) -> bool:
    """Pass on what a process writes until it ends; False if it wrote nothing for ``silence`` seconds."""
    assert process.stdout is not None
    source = process.stdout.fileno()
    heard = time.monotonic()
    while time.monotonic() - heard < silence:
        ended = process.poll() is not None  # what it left behind may hold the pipe for ever
        if select.select([source], [], [], 0.5)[0]:
            piece = os.read(source, 65536)
            if not piece:
                return True
            output.write(piece)
            output.flush()
            heard = time.monotonic()
        elif ended:
            return True
    return False


def stop_group(process: subprocess.Popen[bytes]) -> None:
    """End a process and all that it started, politely first."""
    for number in (signal.SIGINT, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            if process.poll() is None or number == signal.SIGKILL:
                os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(STOPPING)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a step: its code, 0 where all is well, its seconds, and what its tests said of those that failed."""

    name: str
    code: int
    seconds: float
    failures: tuple[str, ...] = ()

    def __str__(self) -> str:
        how = f"FAILED (code {self.code})" if self.code else "ok"
        return "\n  ".join((f"{self.name}: {how}, {self.seconds:.0f} s", *self.failures))


def needs_browser(step: Step) -> bool:
    return "tests/browser" in step.command


def run_named(step: Step, kept: str, browser: Future[str]) -> Outcome:
    """Run a step and say how it went; what it writes has its name before each row, for another may run beside it."""
    began = time.monotonic()
    problem = browser.result() if needs_browser(step) else ""
    if problem:
        say(problem)
        return Outcome(step.name, 1, time.monotonic() - began)
    with tempfile.TemporaryFile() as held:
        named = NamedRows(step.name)
        code = run_step(step, kept, held if step.quiet else named)
        outcome = Outcome(step.name, code, time.monotonic() - began, tuple(named.failures.values()))
        held.seek(0)
        say(f"=== {outcome} ===" + (f"\n{held.read().decode(errors='replace')}" if outcome.code else ""))
    return outcome


class NamedRows:
    """Output of a step on the terminal, row by row, each with the step's name before it.

    ``failures``: of each test that failed, by its name, the last row about it, which says why if pytest got to its end.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.begun = b""
        self.failures: dict[str, str] = {}

    def write(self, piece: bytes) -> None:
        *rows, self.begun = (self.begun + piece).split(b"\n")
        for row in rows:
            text = row.decode(errors="replace")
            say(f"{self.name}: {text}" if text else "")
            if failure := FAILURE.match(text):
                self.failures[failure["test"]] = text

    def flush(self) -> None:
        """Nothing waits but a row that has begun."""


def run_steps(steps: Sequence[Step], kept: str, beside: int) -> list[Outcome]:
    """Run every step, whichever fails, in their order, as many at a time.

    A browser that has to be installed is on its way meanwhile: that is mostly waiting.
    """
    pool, fetching = ThreadPoolExecutor(beside), ThreadPoolExecutor(1)
    try:
        browser = fetching.submit(install_chromium if any(map(needs_browser, steps)) else str)
        return list(pool.map(lambda step: run_named(step, kept, browser), steps))
    except KeyboardInterrupt:
        for process in tuple(RUNNING):
            stop_group(process)
        raise
    finally:
        fetching.shutdown(cancel_futures=True)
        pool.shutdown(cancel_futures=True)


def main() -> int:
    command = sys.argv[1] if sys.argv[1:] else "test"
    try:
        with tempfile.TemporaryDirectory(prefix="smazzata-kept-") as kept:
            outcomes = run_steps(COMMANDS[command], kept, 1 if command == "soak" else BESIDE)
    except KeyboardInterrupt:
        say("\nStopped, with all that it had started.")
        return 130
    say("\n" + "\n".join(str(outcome) for outcome in outcomes))
    failed = [outcome.name for outcome in outcomes if outcome.code]
    say(f"\nFailed: {', '.join(failed)}." if failed else "\nEverything is green.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
