"""Layout of the tests, and of what ruff doesn't read: no test imports another, lines are short, templates formatted."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.lint.sources import ROOT, Source, Sources

LONGEST = 120
ARCHIVES = (".whl", ".zip", ".gz", ".bz2", ".xz", ".tar")
KINDS = {"templates": (".html", ".txt"), "static/css": (".css",), "static/js": (".js",)}


def list_imports(source: Source) -> set[str]:
    """Return the modules that a file imports, with each ``from`` name as a module too."""
    names: set[str] = set()
    for node in source.nodes:
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


def list_tests(sources: Sources) -> list[Source]:
    return [source for source in sources.list("tests") if source.path.name.startswith("test_")]


def find_imports_of_tests(sources: Sources) -> Iterator[str]:
    """Test modules are imported by none: what several share lies in tests/support."""
    tests = {".".join(source.path.with_suffix("").parts) for source in list_tests(sources)}
    for source in sources.list("tests", "bench"):
        yield from (f"{source.name} imports {name}" for name in sorted(list_imports(source) & tests))


def find_folders_without_package(sources: Sources) -> Iterator[str]:
    """Folders of tests are packages."""
    folders = {str(source.path.parent) for source in list_tests(sources)}
    return (folder for folder in sorted(folders) if not sources.exists(f"{folder}/__init__.py"))


def find_long_lines(sources: Sources) -> Iterator[str]:
    """Lines of templates, styles and scripts have 120 characters at most; of Python ruff says so."""
    for folder, endings in KINDS.items():
        files = sources.list(folder, endings=endings)
        if not files:
            yield f"{folder} has nothing to read"
        for source in files:
            for number, line in enumerate(source.text.splitlines(), 1):
                if len(line) > LONGEST:
                    yield f"{source.name}:{number}: {len(line)} characters"


def find_unformatted_templates(sources: Sources) -> Iterator[str]:
    """Templates stand as djangofmt writes them: ``.venv/bin/djangofmt templates``."""
    formatter = Path(sys.executable).parent / "djangofmt"
    command = [formatter, "--check", "--quiet", "templates"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        yield done.stdout + done.stderr or "djangofmt failed without a word"


def find_downloads(sources: Sources) -> Iterator[str]:
    """Archives lie nowhere at the top of the checkout: what is installed was fetched elsewhere."""
    return (name for name in sorted(sources.names) if "/" not in name and name.endswith(ARCHIVES))


LAWS = (
    find_imports_of_tests,
    find_folders_without_package,
    find_long_lines,
    find_unformatted_templates,
    find_downloads,
)
