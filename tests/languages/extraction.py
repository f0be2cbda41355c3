"""Messages of the product's Python files and templates, found without gettext's own tools.

A second opinion beside ``make messages``: Python is read as a syntax tree (so f-strings are seen through), templates by
Django's own lexer.
"""

import ast
import io
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from babel.messages.extract import extract_python
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent.parent
APPS = ("config", "players", "games", "scoring", "records", "tournaments")
Key = tuple[str | None, str, str | None]  # context, message, plural

# For each function: where its context, message and plural stand.
CALLS: dict[str, tuple[int | None, int, int | None]] = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop"), (None, 0, None)),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), (None, 0, 1)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), (0, 1, None)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), (0, 1, 2)),
}


class NotLiteral(Exception):
    """A message that is put together while the program runs: no catalogue can have it."""


def python_messages(source: str, name: str) -> Iterator[Key]:
    """The messages of a Python file. NotLiteral for one that isn't a plain string."""
    return find_messages(ast.walk(ast.parse(source)), name)


def find_messages(nodes: Iterable[ast.AST], name: str) -> Iterator[Key]:
    """Yield the messages among the nodes of a Python file. NotLiteral for one that isn't a plain string."""
    for node in nodes:
        if not isinstance(node, ast.Call):
            continue
        called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if called not in CALLS or not node.args:
            continue
        given = [arg.value if isinstance(arg, ast.Constant) else None for arg in node.args]

        def text(place: int | None, given: list[object] = given, line: int = node.lineno) -> str | None:
            if place is None:
                return None
            message = given[place]
            if not isinstance(message, str):
                raise NotLiteral(f"{name}:{line}")
            return message

        context, message, plural = CALLS[called]
        yield text(context), text(message) or "", text(plural)


def template_messages(source: str, name: str) -> Iterator[Key]:
    """The messages of a Django template."""
    # In brackets, the lexer's output is a single Python expression, whatever its indentation.
    calls = f"(\n{templatize(source, origin=name)}\n)".encode()
    extracted = extract_python(io.BytesIO(calls), list(CALLS), [], {"encoding": "utf-8"})
    for _line, called, messages, _comments in extracted:
        given = messages if isinstance(messages, tuple) else (messages,)
        context, message, plural = CALLS[called]
        yield (
            None if context is None else str(given[context]),
            str(given[message]),
            None if plural is None else str(given[plural]),
        )


@cache
def said() -> frozenset[Key]:
    """Every message of the product."""
    keys: set[Key] = set()
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            keys.update(python_messages(path.read_text(), str(path.relative_to(ROOT))))
    for path in sorted((ROOT / "templates").rglob("*")):
        if path.suffix in (".html", ".txt"):
            keys.update(template_messages(path.read_text(), str(path.relative_to(ROOT))))
    return frozenset(keys)
