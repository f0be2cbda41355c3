"""The pages about the house tell the truth where that can be looked up."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"])
FOLDERS = [
    *("config", "docs", "games", "locale", "players", "records", "scoring", "static", "templates", "tests"),
    "tournaments",
]
PATH = re.compile(rf"`((?:{'|'.join(FOLDERS)})/[\w/.-]*)`")


def test_the_layers_of_the_architecture_page_are_those_that_are_checked() -> None:
    page = (ROOT / "docs/architecture.md").read_text().partition("Inside an app")[2].partition("The list is")[0]
    lines = [re.split(r"   +", line.strip())[0] for line in page.splitlines() if line.startswith("    ")]
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (inside,) = [contract for contract in contracts if contract["id"] == "inside"]
    assert [set(line.split(" · ")) for line in lines] == [set(re.findall(r"\w+", layer)) for layer in inside["layers"]]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_a_page_names_is_there(page: Path) -> None:
    text = page.read_text()
    named = {path for path in PATH.findall(text) if "<" not in path}
    linked = set(re.findall(r"\]\(([^):#]+)\)", text))
    missing = {path for path in named if not (ROOT / path).exists()}
    missing |= {path for path in linked if not (page.parent / path).exists()}
    assert missing == set()
