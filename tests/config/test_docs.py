"""The pages about the house tell the truth where that can be looked up."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"])
FOLDERS = [
    *("bench", "config", "docs", "games", "locale", "players", "records", "scoring", "static", "templates", "tests"),
    "tournaments",
]
PATH = re.compile(rf"`((?:{'|'.join(FOLDERS)})/[\w/.-]*)`")


@pytest.mark.parametrize("app", ["games", "players", "scoring"])
def test_the_layers_of_the_architecture_page_are_those_that_are_checked(app: str) -> None:
    page = (ROOT / "docs/architecture.md").read_text().partition(f"n `{app}`:\n\n")[2].partition("\n\n")[0]
    lines = [re.split(r"   +", line.strip())[0] for line in page.splitlines()]
    (contract,) = [entry for entry in _contracts() if entry["id"] == app]
    layers = [set(re.findall(r"\w+", layer)) - {"querysets"} for layer in contract["layers"]]
    assert [set(line.split(" · ")) for line in lines] == layers


def test_the_rooms_of_the_architecture_page_are_those_that_are_checked() -> None:
    page = (ROOT / "docs/architecture.md").read_text().partition("| room | what it does |")[2].partition("\n\n")[0]
    rooms = [set(re.findall(r"`(\w+)", row.split("|")[1])) for row in page.splitlines()[2:]]
    (contract,) = [entry for entry in _contracts() if entry["id"] == "rooms"]
    layers = [set(re.findall(r"\w+", layer)) - {"querysets", "migrations"} for layer in contract["layers"]]
    assert [layer for layer in layers if layer in rooms] == rooms


def _contracts() -> list[dict[str, Any]]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_a_page_names_is_there(page: Path) -> None:
    text = page.read_text()
    named = {path for path in PATH.findall(text) if "<" not in path}
    linked = set(re.findall(r"\]\(([^):#]+)\)", text))
    missing = {path for path in named if not (ROOT / path).exists()}
    missing |= {path for path in linked if not (page.parent / path).exists()}
    assert missing == set()


# Names of other programs, and of what a decision did not choose.
OUTSIDE = {"certbot", "helpers", "log_statement", "SEQUENCE"}
SOURCE_SUFFIXES = {".py", ".js", ".html", ".css", ".toml", ".json", ".txt", ".conf", ".service"}


def read_words_of_the_code() -> set[str]:
    """Return the words of every source file, and of the names of the files."""
    paths = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file()]
    sources = [path for path in [*paths, *ROOT.glob("*")] if path.suffix in SOURCE_SUFFIXES or path.name == "Makefile"]
    words = {word for path in paths for word in re.findall(r"\w+", path.relative_to(ROOT).as_posix())}
    return words.union(*(re.findall(r"\w+", path.read_text(errors="ignore")) for path in sources))


def test_every_name_a_page_shows_as_code_is_in_the_code() -> None:
    known = read_words_of_the_code() | OUTSIDE
    missing = {
        f"{page.name}: {code}"
        for page in PAGES
        if page.parent.name != "decisions"
        for code in re.findall(r"`([\w.]+)(?:\([^`]*\))?`", page.read_text())
        for word in code.split(".")
        if len(word) > 2 and word not in known
    }
    assert sorted(missing) == []


def test_every_command_of_make_a_page_names_is_one() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {
        command for page in PAGES for command in re.findall(r"(?:`|^    )make (\w+)", page.read_text(), re.MULTILINE)
    }
    assert named - targets == set()
