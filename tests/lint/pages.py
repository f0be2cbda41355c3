"""The pages about the house tell the truth where that can be looked up."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import PurePosixPath
from posixpath import normpath
from typing import Any

from tests.lint.sources import APPS, Source, Sources

ARCHITECTURE = "docs/architecture.md"
LAYERS_TOLD = ("games", "players", "scoring")
FOLDERS = (*APPS, "bench", "docs", "locale", "static", "templates", "tests")
PATH = re.compile(rf"`((?:{'|'.join(FOLDERS)})/[\w/.-]*)`")
LINK = re.compile(r"\]\(([^):#]+)\)")
# Names of other programs, and of what a decision did not choose.
OUTSIDE = {"certbot", "helpers", "log_statement", "SEQUENCE"}
SOURCE_ENDINGS = (".py", ".js", ".html", ".css", ".toml", ".json", ".txt", ".conf", ".service", ".yaml")


def list_pages(sources: Sources) -> list[Source]:
    return [*sources.list("docs", endings=(".md",)), sources["README.md"]]


def read_contract(sources: Sources, name: str) -> list[set[str]]:
    """Return the layers of an import contract."""
    contracts: list[dict[str, Any]] = tomllib.loads(sources["pyproject.toml"].text)["tool"]["importlinter"]["contracts"]
    (contract,) = [entry for entry in contracts if entry["id"] == name]
    return [set(re.findall(r"\w+", layer)) - {"querysets"} for layer in contract["layers"]]


def find_untrue_layers(sources: Sources) -> Iterator[str]:
    """Layers and rooms of the architecture page are those that are checked."""
    text = sources[ARCHITECTURE].text
    for app in LAYERS_TOLD:
        page = text.partition(f"n `{app}`:\n\n")[2].partition("\n\n")[0]
        lines = [set(re.split(r"   +", line.strip())[0].split(" · ")) for line in page.splitlines()]
        if lines != (layers := read_contract(sources, app)):
            yield from _compare(f"{ARCHITECTURE}, {app}", lines, layers)
    page = text.partition("| room | what it does |")[2].partition("\n\n")[0]
    rooms = [set(re.findall(r"`(\w+)", row.split("|")[1])) for row in page.splitlines()[2:]]
    layers = [layer - {"migrations"} for layer in read_contract(sources, "rooms")]
    if not rooms or [layer for layer in layers if layer in rooms] != rooms:
        yield from _compare(f"{ARCHITECTURE}, rooms", rooms, layers)


def _compare(where: str, told: list[set[str]], checked: list[set[str]]) -> Iterator[str]:
    only = [sorted(layer) for layer in told if layer not in checked]
    yield f"{where}: the page has {only or 'another order'}, the contract {[sorted(layer) for layer in checked]}"


def find_missing_files(sources: Sources) -> Iterator[str]:
    """Files that a page names are there."""
    for page in list_pages(sources):
        named = [path for path in PATH.findall(page.text) if "<" not in path]
        yield from (f"{page.name}: {path}" for path in named if not sources.exists(path))
        for link in LINK.findall(page.text):
            if not sources.exists(normpath(PurePosixPath(page.name).parent / link)):
                yield f"{page.name}: {link}"


def read_words_of_the_code(sources: Sources) -> set[str]:
    """Return the words of every source file, and of the names of the files."""
    words = {word for name in sources.names for word in re.findall(r"\w+", name)}
    files = [
        source for source in sources.list(endings=(*SOURCE_ENDINGS, "Makefile")) if "node_modules" not in source.name
    ]
    return words.union(*(set(re.findall(r"\w+", source.text)) for source in files))


def find_names_without_code(sources: Sources) -> Iterator[str]:
    """Names that a page shows as code are in the code."""
    words = read_words_of_the_code(sources) | OUTSIDE
    for page in list_pages(sources):
        for code in re.findall(r"`([\w.]+)(?:\([^`]*\))?`", page.text):
            missing = [word for word in code.split(".") if len(word) > 2 and word not in words]
            if missing and not page.name.startswith("docs/decisions/"):
                yield f"{page.name}: {code}"


def find_missing_commands(sources: Sources) -> Iterator[str]:
    """Commands of make that a page names are some."""
    targets = set(re.findall(r"^(\w+):", sources["Makefile"].text, re.MULTILINE))
    for page in list_pages(sources):
        for command in re.findall(r"(?:`|^    )make (\w+)", page.text, re.MULTILINE):
            if command not in targets:
                yield f"{page.name}: make {command}"


LAWS = (find_untrue_layers, find_missing_files, find_names_without_code, find_missing_commands)
