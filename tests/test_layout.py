"""Layout of the tests: shared code lies in tests/support or in a helper module, never in a test module."""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parent


def imported_modules(path: Path) -> set[str]:
    """Modules that a file imports, with each ``from`` name as a module too."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


def test_no_module_imports_from_a_test_module() -> None:
    tests = {".".join(path.relative_to(ROOT.parent).with_suffix("").parts) for path in ROOT.rglob("test_*.py")}
    faults = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sorted(ROOT.rglob("*.py"))
        for name in sorted(imported_modules(path) & tests)
    ]
    assert faults == []


def test_every_folder_of_tests_is_a_package() -> None:
    folders = {path.parent for path in ROOT.rglob("test_*.py")}
    assert sorted(str(folder) for folder in folders if not (folder / "__init__.py").exists()) == []
