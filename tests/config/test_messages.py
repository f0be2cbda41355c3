"""Law of messages: the page carries each one's code, so that tests read codes and not sentences."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
APPS = ("players", "games", "scoring", "records", "tournaments", "config")
LEVELS = {"debug", "info", "success", "warning", "error", "add_message"}


def find_codeless(source: str) -> list[int]:
    """Return the lines that show a message without its code."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and (node.func.value.id, node.func.attr in LEVELS) == ("messages", True)
        and "extra_tags" not in [keyword.arg for keyword in node.keywords]
    ]


def test_every_message_carries_its_code() -> None:
    assert find_codeless('messages.error(request, "No.")') == [1], "the law sees what it forbids"
    faults = [
        f"{path.relative_to(ROOT)}:{line}"
        for app in APPS
        for path in sorted((ROOT / app).rglob("*.py"))
        for line in find_codeless(path.read_text())
    ]
    assert faults == []
