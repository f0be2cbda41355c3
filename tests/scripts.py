"""``python -m tests.scripts``: the browser's scripts and styles, read by TypeScript (strict) and Biome, where node is.

Both come by name and hash from package-lock.json into node_modules, which the site itself never needs. A machine
without node, or from where they can't be fetched, is told so in one sentence, and nothing has failed.
"""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INSTALLED = ROOT / "node_modules" / ".package-lock.json"  # npm writes it last
LOCK = ROOT / "package-lock.json"
CHECKERS = (
    ("tsc", "--project", "tsconfig.json"),
    ("biome", "ci", "--error-on-warnings", "--colors=off", "static/js", "static/css"),
)


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 a program of the terminal


def have_checkers() -> str:
    """Return "" if the checkers are there, installed now if need be; else the reason in a sentence."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        return "The browser's scripts weren't checked: that needs node and npm (sudo apt install npm)."
    if INSTALLED.exists() and INSTALLED.stat().st_mtime >= LOCK.stat().st_mtime:
        return ""
    command = [npm, "ci", "--no-audit", "--no-fund", "--fetch-retries=0", "--loglevel=error"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return ""
    return f"The browser's scripts weren't checked: npm can't install what that needs. {done.stderr.strip()[:400]}"


def main() -> int:
    missing = have_checkers()
    if missing:
        say(missing)
        return 0
    programs = ROOT / "node_modules" / ".bin"
    return max([subprocess.run([programs / name, *rest], cwd=ROOT, check=False).returncode for name, *rest in CHECKERS])


if __name__ == "__main__":
    sys.exit(main())
