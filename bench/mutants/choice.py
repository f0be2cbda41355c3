"""Mutants of a room, chosen by a seed from the names they have, and the tests that should see a fault there."""

import ast
import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.mutants.changes import find_functions, list_changes

ROOT = Path.cwd()


@dataclass(frozen=True, slots=True)
class RoomTests:
    """Files of the product, and the tests that should see a fault in them. What isn't there is passed over."""

    files: tuple[str, ...]
    tests: tuple[str, ...]


ROOMS = {
    "engine": RoomTests(
        ("games/engine",),
        (
            "tests/games/engine",
            "tests/games/rules",
            "tests/games/test_laws.py",
            "tests/games/test_views.py",
            "tests/games/test_services_*.py",
            "tests/games/test_plain_moves.py",
            "tests/records",
        ),
    ),
    "scoring": RoomTests(
        ("scoring",), ("tests/scoring", "tests/tournaments/standings", "tests/tournaments/api/test_levels.py")
    ),
    "formats": RoomTests(("tournaments/formats",), ("tests/tournaments/formats", "tests/tournaments/running")),
    "running": RoomTests(("tournaments/running",), ("tests/tournaments/running", "tests/tournaments/desk")),
    "desk": RoomTests(("tournaments/desk",), ("tests/tournaments/desk", "tests/tournaments/running")),
    "entries": RoomTests(
        ("tournaments/entries", "tournaments/lists", "tournaments/own_names"),
        ("tests/tournaments/entries", "tests/tournaments/lists", "tests/tournaments/own_names"),
    ),
}
LEFT_OUT = {"migrations", "templatetags", "admin.py", "apps.py"}


@dataclass(frozen=True, slots=True)
class Mutant:
    """Change that can be made, by its name on any tree; ``step`` counts those of its function on this one."""

    room: str
    file: str
    function: str
    change: str
    ordinal: int
    line: int
    step: int
    shown: str

    @property
    def name(self) -> str:
        return f"{self.file}::{self.function}::{self.change}::{self.ordinal}"


def list_mutants(room: str) -> Iterator[Mutant]:
    """Yield what can be changed in a room."""
    for file in list_files(ROOMS[room].files):
        source = (ROOT / file).read_text()
        lines, tree = source.splitlines(), ast.parse(source)
        for name, function in find_functions(tree):
            count: Counter[str] = Counter()
            for step, change in enumerate(list_changes(function)):
                line = change.node.lineno if hasattr(change.node, "lineno") else function.lineno
                yield Mutant(room, file, name, change.kind, count[change.kind], line, step, lines[line - 1].strip())
                count[change.kind] += 1


def list_files(paths: Sequence[str]) -> list[str]:
    files = (path for folder in paths for path in (ROOT / folder).rglob("*.py"))
    return sorted(str(path.relative_to(ROOT)) for path in files if not LEFT_OUT.intersection(path.parts))


def choose_mutants(room: str, count: int, seed: int) -> list[Mutant]:
    """Return so many mutants of a room: those whose names come first in the seed's order. No two of one function."""

    def draw(mutant: Mutant) -> bytes:
        return hashlib.sha256(f"{seed} {mutant.name}".encode()).digest()

    chosen: dict[tuple[str, str], Mutant] = {}
    for mutant in sorted(list_mutants(room), key=draw):
        if len(chosen) == count:
            break
        chosen.setdefault((mutant.file, mutant.function), mutant)
    return list(chosen.values())


def list_test_paths(room: str) -> list[str]:
    files = (path for pattern in ROOMS[room].tests for path in sorted(ROOT.glob(pattern)))
    return list(dict.fromkeys(str(path.relative_to(ROOT)) for path in files))


def list_missing_tests(room: str) -> list[str]:
    """Return what a room names and the tree doesn't have: moved, or not there yet."""
    return [pattern for pattern in ROOMS[room].tests if not any(ROOT.glob(pattern))]


def change_source(mutant: Mutant) -> tuple[ast.Module, str]:
    """Return the module's tree with the change made, and what was changed."""
    tree = ast.parse((ROOT / mutant.file).read_text())
    function = dict(find_functions(tree))[mutant.function]
    change = list(list_changes(function))[mutant.step]
    words = change.make()
    ast.fix_missing_locations(tree)
    return tree, words
