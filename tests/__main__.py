"""``python -m tests``: what ``make test`` runs, in order; ``python -m tests check`` runs only the checks of the code.

Every step is run, whichever fails, and named again at the end. A step that finds no test has failed. Browser tests are
a run of their own: Playwright's loop and pytest-asyncio's can't share a process.
"""

import contextlib
import ctypes
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTEST = ("-m", "pytest", "-q")
NO_BROWSER = ("--ignore=tests/browser",)
PATIENCE = 900  # seconds until a step that hangs is ended; none takes a third of it
WAITING = ("-n", "3")  # on two cores: these tests wait for servers and browsers more than they reckon

CHECKS: dict[str, tuple[str, ...]] = {
    "ruff": ("-m", "ruff", "check", "--quiet", "."),
    "mypy": ("-m", "mypy"),
    "import contracts": ("-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-logo"),
    "rules": ("-m", "tests.rules"),
    "browser scripts": ("-m", "tests.scripts"),
    "migrations": ("manage.py", "makemigrations", "--check", "--dry-run"),
}
SUITES: dict[str, tuple[str, ...]] = {
    "tests": (*PYTEST, "-n", "2", "-m", "not services", *NO_BROWSER),
    "services on SQLite": (*PYTEST, *WAITING, "-m", "services", *NO_BROWSER),
    "services on PostgreSQL": (*PYTEST, *WAITING, "-m", "services and not one_database", "--db=postgres", *NO_BROWSER),
    "browser": (*PYTEST, *WAITING, "--dist", "loadfile", "-m", "not soak", "tests/browser"),  # one server a file
}


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 a program of the terminal


def missing_for_the_browser() -> list[str]:
    """Debian's packages that the browser tests need and this machine lacks."""
    missing = [] if shutil.which("chromium") else ["chromium"]
    try:
        ctypes.CDLL("libatomic.so.1")  # Playwright's driver is linked with it
    except OSError:
        missing.append("libatomic1")
    return missing


def have_chromium() -> str:
    """Empty if the browser can run, installed now if need be and apt allows; else the sentence for the terminal."""
    missing = missing_for_the_browser()
    if missing and os.geteuid() == 0 and shutil.which("apt-get"):
        say(f"Installing {' and '.join(missing)} (once)…")
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (("update",), ("install", "--yes", "--no-install-recommends", *missing)):
            subprocess.run(["apt-get", "-qq", *command], env=quiet, capture_output=True, check=False)
        missing = missing_for_the_browser()
    return f"The browser tests need what is missing here: sudo apt install {' '.join(missing)}" if missing else ""


def ended(command: list[str]) -> int:
    """How the step ended; one that hangs is stopped with all it started, so that the others still have their turn."""
    # What one process has compiled, the hundreds that tests start read; some machines are told not to keep it.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with subprocess.Popen(command, cwd=ROOT, env=env, start_new_session=True) as process:
        try:
            return process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            say(f"It hung: stopped after {PATIENCE} s.")
            return 1
        finally:  # also at a Ctrl-C, which reaches only us
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGINT)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(30)
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)


def run(steps: dict[str, tuple[str, ...]]) -> list[str]:
    """Run each step; the names of those that failed."""
    failed = []
    for name, command in steps.items():
        say(f"\n=== {name} ===")
        began = time.monotonic()
        problem = have_chromium() if name == "browser" else ""
        if problem:
            say(problem)
            failed.append(name)
            continue
        code = ended([sys.executable, *command])
        say(f"=== {name}: {'ok' if code == 0 else f'FAILED (code {code})'}, {time.monotonic() - began:.0f} s ===")
        if code:
            failed.append(name)
    return failed


def main() -> int:
    failed = run(CHECKS if sys.argv[1:] == ["check"] else {**CHECKS, **SUITES})
    say(f"\nFailed: {', '.join(failed)}." if failed else "\nEverything is green.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
