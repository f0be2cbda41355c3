"""The files of the house, each read and parsed once: whatever git holds or would take in."""

import ast
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[2]
APPS = ("config", "players", "games", "scoring", "records", "tournaments", "api")
PROGRAMS = ("bench", "tests")
TEXTS = {
    *(".py", ".js", ".cjs", ".css", ".html", ".md", ".txt", ".toml", ".json", ".conf", ".service", ".po", ".svg"),
    ".yaml",
}
NAMES = {"Makefile"}  # without an ending


@dataclass(frozen=True)
class Source:
    """File of text, by its path from the root."""

    name: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return list(ast.walk(self.tree))

    @property
    def path(self) -> PurePosixPath:
        return PurePosixPath(self.name)


class Sources:
    """All files, or those of a made-up house that a law is tried on."""

    def __init__(self, texts: Mapping[str, str], others: frozenset[str] = frozenset()) -> None:
        """``others``: the names of the files that hold no text."""
        self.files = {name: Source(name, text) for name, text in sorted(texts.items())}
        self.names = others | set(self.files)

    def __getitem__(self, name: str) -> Source:
        return self.files[name]

    def exists(self, name: str) -> bool:
        """Tell whether there is such a file or folder."""
        return name in self.names or name.rstrip("/") in self.folders

    @cached_property
    def folders(self) -> set[str]:
        return {str(folder) for name in self.names for folder in PurePosixPath(name).parents}

    def list(self, *folders: str, endings: tuple[str, ...] = (".py",)) -> list[Source]:
        """Return the files of some folders whose names end so, migrations left out; of no folder: of all."""
        begins = tuple(f"{folder}/" for folder in folders) or ("",)
        return [
            source
            for name, source in self.files.items()
            if name.startswith(begins) and name.endswith(endings) and "/migrations/" not in name
        ]

    @cached_property
    def shipped(self) -> "list[Source]":
        """Return the modules of the product."""
        return [*self.list(*APPS), *(self.files[name] for name in ("manage.py",) if name in self.files)]

    @cached_property
    def modules(self) -> "list[Source]":
        """Return the modules of the product, of its tests and of its benches."""
        return [*self.shipped, *self.list(*PROGRAMS)]

    def walk_shipped(self) -> Iterator[tuple[Source, ast.AST]]:
        for source in self.shipped:
            for node in source.nodes:
                yield source, node


def read_house() -> Sources:
    """Read the files that git holds, and the new ones that it doesn't ignore."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    there = [name for name in listed if name and (ROOT / name).is_file()]
    texts = {name for name in there if PurePosixPath(name).suffix in TEXTS or PurePosixPath(name).name in NAMES}
    return Sources({name: (ROOT / name).read_text() for name in texts}, frozenset(there) - texts)
