"""Peers of the benches: other people's programs, installed for development only, never with the site.

They go into ``bench/`` of the data folder, in the versions that pyproject.toml (extra ``bench``) and
boardgame/package.json name. A peer that can't be installed here is Unavailable: the bench says why and prints ours.
"""

import os
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BOARDGAME = Path(__file__).resolve().parent / "boardgame"
BRACKETS = BOARDGAME.with_name("brackets")
SECONDS = 300.0  # for one installation


class Unavailable(Exception):
    """This peer isn't here and can't be installed; the text is one sentence."""


def folder() -> Path:
    """Return the folder of the peers, outside the repository and the virtual environment."""
    return Path(os.environ.get("BENCH_DIR") or ROOT / "var" / "bench")


@cache
def open_spiel() -> Path:
    """Put OpenSpiel where Python can be told to find it, and give that folder. Its compiled module needs nothing else.

    Raises Unavailable.
    """
    with (ROOT / "pyproject.toml").open("rb") as file:
        wanted = tomllib.load(file)["project"]["optional-dependencies"]["bench"]
    target = folder() / "python"
    _once(
        target / "installed",
        " ".join(wanted),
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--upgrade", "--target", str(target), *wanted],
        "OpenSpiel",
    )
    return target


@cache
def boardgame() -> Path:
    """Put boardgame.io and our game for it into a folder of their own, and give its server's script.

    Raises Unavailable.
    """
    return _of_node("boardgame.io", BOARDGAME, "server.cjs")


@cache
def brackets() -> Path:
    """The same of brackets-manager, and the script that makes a stage with it."""
    return _of_node("brackets-manager", BRACKETS, "draw.cjs")


def _of_node(name: str, source: Path, script: str) -> Path:
    if shutil.which("node") is None or shutil.which("npm") is None:
        raise Unavailable(f"{name} can't be measured: Node and npm are not installed.")
    target = folder() / source.name
    target.mkdir(parents=True, exist_ok=True)
    for file in ("package.json", script):
        shutil.copyfile(source / file, target / file)
    _once(
        target / "installed",
        (source / "package.json").read_text(),
        ["npm", "install", "--prefix", str(target), "--no-audit", "--no-fund", "--no-package-lock", "--silent"],
        name,
    )
    return target / script


def _once(stamp: Path, wanted: str, command: list[str], name: str) -> None:
    """Run an installation unless the stamp says that this very one was run."""
    if stamp.exists() and stamp.read_text() == wanted:
        return
    stamp.parent.mkdir(parents=True, exist_ok=True)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"{name} can't be measured: {error}.") from error
    if done.returncode:
        words = (done.stderr or done.stdout).strip().splitlines() or ["no reason given"]
        raise Unavailable(f"{name} can't be measured, its installation failed: {words[-1]}")
    stamp.write_text(wanted)
