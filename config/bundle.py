"""Script made of a module and all it imports: a browser asks for six files at once, and the table is made of 25.

It reads only the plain ES modules this project writes: named imports by a relative path at the beginning of a line,
and exported functions, classes and constants. Anything else is refused, so that nothing is ever bundled wrongly; the
modules themselves work as they are. What only their writers read is left out, a quarter of what would be sent: indents,
and comments on lines of their own.
"""

import re
from collections.abc import Iterator
from posixpath import dirname, join, normpath
from typing import Protocol

IMPORT = re.compile(r'^import \{([^{}]*)\} from "(\.[\w./-]+\.js)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (async function|function|class|const) (\w+)", re.MULTILINE)
UNKNOWN = re.compile(r"^(?:import|export|await)\b.*|.*(?<![\w.@{])import[(.].*", re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
COMMENT_LINES = re.compile(r"^[ \t]*(?:/\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*\n", re.MULTILINE | re.DOTALL)
INDENT = re.compile(r"^[ \t]+", re.MULTILINE)
OPEN_TEMPLATE = re.compile(r"^[^`\n]*`(?:[^`\n]*`[^`\n]*`)*[^`\n]*$", re.MULTILINE)  # it would go on below
RENAMED = re.compile(r"(\w+) as (\w+)")


class Unbundled(ValueError):
    """A module says something that isn't read here, or imports itself round about."""


class ReadModule(Protocol):
    def __call__(self, name: str, /) -> str:
        """Return the text of the module of that name, a path with slashes."""


def bundle(main: str, read: ReadModule) -> str:
    """Return the text of a module that does what ``main`` does, and imports nothing. Raises Unbundled."""
    return "".join(_write_modules(main, read, [], set()))


def _write_modules(name: str, read: ReadModule, above: list[str], done: set[str]) -> Iterator[str]:
    """Yield each module once, after those it imports."""
    if name in above:
        raise Unbundled(f"{name} imports itself: {' > '.join([*above, name])}")
    if name in done:
        return
    done.add(name)
    text = read(name)
    for _, path in IMPORT.findall(text):
        yield from _write_modules(_resolve_path(name, path), read, [*above, name], done)
    names = [exported for _, exported in EXPORT.findall(text)]
    body = EXPORT.sub(r"\1 \2", IMPORT.sub(lambda statement: _take_names(name, statement), text))
    unknown = UNKNOWN.search(COMMENT.sub("", body)) or OPEN_TEMPLATE.search(COMMENT_LINES.sub("", body))
    if unknown is not None:
        raise Unbundled(f"{name}: {unknown[0].strip()}")
    yield f"const {_name_variable(name)} = (() => {{\n{_squeeze(body)}\nreturn {{ {', '.join(names)} }};\n}})();\n"


def _squeeze(body: str) -> str:
    return INDENT.sub("", COMMENT_LINES.sub("", body))


def _take_names(name: str, statement: re.Match[str]) -> str:
    names = RENAMED.sub(r"\1: \2", statement[1])
    return f"const {{{names}}} = {_name_variable(_resolve_path(name, statement[2]))};"


def _resolve_path(name: str, path: str) -> str:
    return normpath(join(dirname(name), path))


def _name_variable(name: str) -> str:
    return "$" + re.sub(r"\W", "_", name.removesuffix(".js"))
