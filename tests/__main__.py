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
import tempfile
import time
from pathlib import Path

from tests.services import KEPT

ROOT = Path(__file__).resolve().parent.parent
PYTEST = ("-m", "pytest", "-q", "--dist", "worksteal")  # a file's tests stay together as long as there are others
NO_BROWSER = ("--ignore=tests/browser",)
SERVICES = tuple(  # to collect all the others takes each worker ten seconds
    str(path.relative_to(ROOT))
    for path in sorted((ROOT / "tests").rglob("test_*.py"))
    if "mark.services" in path.read_text() and path.parent.name != "browser"
)
PATIENCE = 900  # seconds until a step that hangs is ended; none takes a third of it
WINDOWLESS = "/usr/lib/chromium/chromium-headless-shell"
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
    "services on SQLite": (*PYTEST, *WAITING, "-m", "services", *SERVICES),
    "services on PostgreSQL": (*PYTEST, *WAITING, "-m", "both_databases", "--db=postgres", *SERVICES),
    "browser": (*PYTEST, *WAITING, "--dist", "loadfile", "-m", "not soak", "tests/browser"),  # one server a file
}


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
    """Empty if the browser can run, installed now if need be and apt allows; else the sentence for the terminal.

    Chromium without windows (tests/browser/conftest.py) is installed too where that can be done; nothing needs it."""
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


def run_step(command: list[str], kept: str) -> int:
    """Run a step to its end and return its code; one that hangs is stopped, with all it started."""
    # What one process has compiled, the hundreds that tests start read; some machines are told not to keep it.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | {KEPT: kept}
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


def run_steps(steps: dict[str, tuple[str, ...]], kept: str) -> list[str]:
    """Run each step; return the names of those that failed."""
    failed = []
    for name, command in steps.items():
        say(f"\n=== {name} ===")
        began = time.monotonic()
        problem = install_chromium() if name == "browser" else ""
        if problem:
            say(problem)
            failed.append(name)
            continue
        code = run_step([sys.executable, *command], kept)
        say(f"=== {name}: {'ok' if code == 0 else f'FAILED (code {code})'}, {time.monotonic() - began:.0f} s ===")
        if code:
            failed.append(name)
    return failed


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="smazzata-kept-") as kept:
        failed = run_steps(CHECKS if sys.argv[1:] == ["check"] else {**CHECKS, **SUITES}, kept)
    say(f"\nFailed: {', '.join(failed)}." if failed else "\nEverything is green.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
