"""Values that modules give each other, and what stands in one module alone: types, units, codes, caps, details."""

import ast
import re
from collections.abc import Iterator

from tests.lint.names import Function
from tests.lint.sources import Source, Sources

UNITS = "seconds|minutes|hours|days|characters|letters|digits|bytes"
UNIT = re.compile(rf"#\s*({UNITS})\b")
OPEN_BY_DJANGO = {"create_option", "clean", "post_process"}  # Django calls these, and decides what they take and give
LEVELS = {"debug", "info", "success", "warning", "error", "add_message"}
LOG_DETAILS = "tournaments/core/log_details.py"
CAPS = "players/caps.py"
PLAIN = {"MINUTE", "HOUR", "DAY", "Caps"}  # what the caps are written with


def find_constants_without_unit(sources: Sources) -> Iterator[str]:
    """Constants of time or size have their unit in their name: that of the comment beside it, unless a timedelta."""
    for source in sources.shipped:
        if not UNIT.search(source.text):
            continue
        lines = source.text.splitlines()
        for node in source.tree.body:
            if not isinstance(node, ast.Assign) or not (unit := UNIT.search(lines[node.lineno - 1])):
                continue
            names = re.findall(r"\w+", ast.unparse(node.targets[0]))
            named = all(re.search(rf"(?i)({UNITS}|chars)$", name) for name in names)
            if not named and "timedelta" not in ast.unparse(node.value):
                yield f"{source.name}:{node.lineno}: {', '.join(names)} counts {unit[1]}"


def list_annotations(node: ast.AST) -> list[ast.expr]:
    """Return the annotations by which a function or a class tells others what it takes, gives or holds."""
    if isinstance(node, Function) and node.name not in OPEN_BY_DJANGO:
        taken = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        return [one for one in (node.returns, *(arg.annotation for arg in taken)) if one is not None]
    if isinstance(node, ast.ClassDef):
        return [row.annotation for row in node.body if isinstance(row, ast.AnnAssign)]
    return []


def find_values_without_type(sources: Sources) -> Iterator[str]:
    """Modules give each other values with a type; what is really open is named: Json, Frame, Message, PageContext."""
    for source in sources.shipped:
        if "dict[str, Any]" in source.text:
            for node in source.nodes:
                if any("dict[str, Any]" in ast.unparse(annotation) for annotation in list_annotations(node)):
                    yield f"{source.name}:{getattr(node, 'lineno', 0)}: {getattr(node, 'name', '')}"


def find_readers_of_log_details(sources: Sources) -> Iterator[str]:
    """Details of a log entry are read by their type, but in tournaments/core/log_details.py itself."""
    for source in (*sources.list("api"), *sources.list("tournaments")):
        # tournaments/transfer carries them as JSON, by its log_references
        if source.name != LOG_DETAILS and not source.name.startswith("tournaments/transfer/"):
            yield from (f"{source.name}:{getattr(node, 'lineno', 0)}" for node in source.nodes if reads_details(node))
    if not any(reads_details(node) for node in sources[LOG_DETAILS].nodes):
        yield f"{LOG_DETAILS}: reads no details any more"


def reads_details(node: ast.AST) -> bool:
    if isinstance(node, ast.Subscript):
        return ast.unparse(node.value).split(".")[-1] == "detail"
    if isinstance(node, ast.Constant):
        return node.value == "detail"
    return isinstance(node, ast.Attribute) and node.attr == "detail" and "entry" in ast.unparse(node.value)


def find_messages_without_code(sources: Sources) -> Iterator[str]:
    """Messages carry their code, so that tests read codes and not sentences."""
    for source in sources.shipped:
        for node in source.nodes if "messages." in source.text else ():
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id == "messages"
                and node.func.attr in LEVELS
                and "extra_tags" not in [keyword.arg for keyword in node.keywords]
            ):
                yield f"{source.name}:{node.lineno}"


def name_constant(node: ast.stmt) -> str | None:
    """Return the name a statement gives to a cap, None for any other statement."""
    targets = [node.target] if isinstance(node, ast.AnnAssign) else node.targets if isinstance(node, ast.Assign) else []
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    return next((name for name in names if name not in PLAIN), None)


def find_mute_caps(sources: Sources) -> Iterator[str]:
    """Caps stand in one plain module, and each says what it counts, right after it or on its line (AT6)."""
    source = sources[CAPS]
    lines, body = source.text.splitlines(), source.tree.body
    for node, after in zip(body, [*body[1:], ast.Pass()], strict=True):
        name = name_constant(node)
        if name is not None and not isinstance(after, ast.Expr) and "#" not in lines[(node.end_lineno or 1) - 1]:
            yield f"{CAPS}:{node.lineno}: {name}"
    yield from (f"{CAPS}:{node.lineno}: isn't plain" for node in body if not is_plain(node))


def is_plain(node: ast.stmt) -> bool:
    if isinstance(node, ast.ImportFrom):
        return node.module in {"dataclasses", "datetime"}
    return not isinstance(node, ast.Import | ast.FunctionDef)


# --- No format's id outside its file --------------------------------------------------------------------------------

FOLDER = "tournaments/formats"
CONTEXTS = {"ko", "round_robin", "free"}  # of a match, in games: one is called like a format


def find_ids_of_formats(sources: Sources) -> Iterator[str]:
    """A format's id stands in its own file alone: nobody else asks which one a tournament has."""
    from tournaments.formats import FORMATS

    ids = set(FORMATS)
    for source in sources.shipped:
        own = source.path.stem if str(source.path.parent) == FOLDER else ""
        if any(name in source.text for name in ids - {own}):
            yield from _find_ids(source, ids - {own})
    names = "|".join(ids)
    quoted = re.compile(rf"""(["'])(?:{names})\1|\b(?:for|format)-(?:{names})\b""")
    for source in sources.list("templates", "static", endings=(".html", ".css", ".js", ".txt")):
        for number, line in enumerate(source.text.splitlines() if quoted.search(source.text) else (), start=1):
            if quoted.search(line) and "context" not in line:
                yield f"{source.name}:{number}: {line.strip()[:80]}"


def _find_ids(source: Source, ids: set[str]) -> Iterator[str]:
    """Yield the strings of a module that are a format's id: neither a word for readers nor a match's context."""
    named = [node for node in source.nodes if isinstance(node, ast.Constant) and node.value in ids]
    if not named:
        return
    lines = source.text.splitlines()
    translated = {
        call.args[0] for call in source.nodes if isinstance(call, ast.Call) and call.args and _translates(call)
    }
    of_contexts = {
        number
        for function in source.nodes
        if isinstance(function, ast.FunctionDef) and "context" in function.name
        for number in range(function.lineno, (function.end_lineno or 0) + 1)
    }
    for node in named:
        context = "context" in lines[node.lineno - 1].lower() or node.lineno in of_contexts
        allowed = node.value in CONTEXTS and (context or not source.name.startswith(("api/", "tournaments/")))
        if node not in translated and not allowed:
            yield f"{source.name}:{node.lineno}: {node.value!r}"


def _translates(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and (call.func.id == "_" or call.func.id.startswith("gettext"))


LAWS = (
    find_constants_without_unit,
    find_values_without_type,
    find_readers_of_log_details,
    find_messages_without_code,
    find_mute_caps,
    find_ids_of_formats,
)
