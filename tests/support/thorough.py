"""Thoroughness of the laws: few tries at every ``make test``, many in ``make soak``, which sets THOROUGH=1."""

import ast
import os
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import is_hypothesis_test

Amount = TypeVar("Amount")
THOROUGH = os.environ.get("THOROUGH") == "1"
ROOT = Path(__file__).parents[2]


def tries(few: Amount, many: Amount) -> Amount:
    """Return how many examples, seeds or sizes to try: ``few`` can fail still, ``many`` look everywhere."""
    return many if THOROUGH else few


def mark_thorough(items: list[pytest.Item]) -> None:
    """Mark the tests that try more in a soak: what else their files hold, ``make test`` has tried as well."""
    for item in items:
        function = getattr(item, "function", None)
        if is_hypothesis_test(function) or item.name.partition("[")[0] in find_names(item.path):
            item.add_marker(pytest.mark.thorough)


@cache
def find_names(path: Path) -> frozenset[str]:
    """Return what a module has from ``tries``: the name itself, and functions, classes and values made with such names.

    Everything imported from a module of the tests with ``tries`` in it counts.
    """
    tree = ast.parse(path.read_text())
    names = {"tries", "THOROUGH"}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and has_tries(node.module or ""):
            names |= {alias.asname or alias.name for alias in node.names}
    while True:
        more = {name for node in tree.body if reaches(node, names) for name in list_bound(node)} - names
        if not more:
            return frozenset(names)
        names |= more


def has_tries(module: str) -> bool:
    path = ROOT / f"{module.replace('.', '/')}.py"
    return module.startswith("tests.") and path.exists() and "support.thorough import" in path.read_text()


def reaches(node: ast.stmt, names: set[str]) -> bool:
    """Return whether a statement speaks of one of these names, be it as a fixture's."""
    return any(
        (isinstance(part, ast.Name) and part.id in names) or (isinstance(part, ast.arg) and part.arg in names)
        for part in ast.walk(node)
    )


def list_bound(node: ast.stmt) -> list[str]:
    """Return the names that a module's statement gives."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return [node.name]
        case ast.Assign():
            return [part.id for target in node.targets for part in ast.walk(target) if isinstance(part, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []
