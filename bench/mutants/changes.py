"""Changes of a function that can be made in its tree: operators, conditions, constants, what is returned, calls.

It decides what a change is and in which order they come; never which are made. Docstrings, annotations, imports, words
for people and words to the log aren't changed.
"""

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

Function = ast.FunctionDef | ast.AsyncFunctionDef

LOGS = {"logger", "log", "logging"}
WORDS = {"_", "gettext", "ngettext", "pgettext", "gettext_lazy", "_lazy", "npgettext"}

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
SUMS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}


@dataclass(slots=True)
class Change:
    """Replacement of a node: done by ``make`` on the tree, which it changes."""

    node: ast.AST
    kind: str
    make: Callable[[], str]


def list_changes(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Change]:
    """Yield what can be changed in a function and those inside it, in the order of its text."""
    arguments = function.args
    for where in (arguments.defaults, arguments.kw_defaults):
        for place, default in enumerate(where):
            if isinstance(default, ast.Constant) and isinstance(default.value, bool):
                yield Change(default, "default", lambda where=where, place=place: _flip_default(where, place))
    yield from _list_in_block(function.body)


def _flip_default(where: list[Any], place: int) -> str:
    old = where[place].value
    where[place] = ast.copy_location(ast.Constant(not old), where[place])
    return f"default {old} → {not old}"


def _list_in_block(block: list[ast.stmt]) -> Iterator[Change]:
    for place, statement in enumerate(block):
        if isinstance(statement, ast.Import | ast.ImportFrom | ast.ClassDef | ast.Assert | ast.Raise | ast.Global):
            continue
        if isinstance(statement, ast.Expr):
            value = statement.value
            if isinstance(value, ast.Constant) or _is_log(value):
                continue  # a docstring, a word to the log
            if isinstance(value, ast.Call | ast.Await):
                yield Change(
                    statement, "call dropped", lambda block=block, place=place, old=statement: _drop(block, place, old)
                )
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from list_changes(statement)
            continue
        if isinstance(statement, ast.Return) and statement.value is not None and not _is_none(statement.value):
            yield Change(statement, "return None", lambda old=statement: _return_none(old))
        yield from _list_in_fields(statement)


def _list_in_fields(node: ast.AST) -> Iterator[Change]:
    """Yield the changes of a node's expressions, then of its blocks."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "type_comment", "decorator_list"):
            continue
        parts = value if isinstance(value, list) else [value]
        if parts and isinstance(parts[0], ast.stmt):
            yield from _list_in_block(parts)
            continue
        for place, part in enumerate(parts):
            if isinstance(part, ast.AST):
                holder = value if isinstance(value, list) else node
                yield from _list_in_expression(part, holder, place if isinstance(value, list) else name)


def _list_in_expression(node: ast.AST, holder: Any, key: Any) -> Iterator[Change]:
    if isinstance(node, ast.Call) and (_is_log(node) or _name_of(node.func) in WORDS):
        return
    if isinstance(node, ast.JoinedStr):
        return
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            if type(operator) in COMPARISONS:
                yield Change(node, "comparison", lambda place=place: _swap_comparison(node, place))
    elif isinstance(node, ast.BoolOp):
        yield Change(node, "and/or", lambda: _swap_connection(node))
    elif isinstance(node, ast.BinOp) and type(node.op) in SUMS and not _is_text(node):
        yield Change(node, "sum", lambda: _swap_sum(node))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield Change(node, "not dropped", lambda: _put(holder, key, node.operand, "not … → …"))
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield Change(node, "bool", lambda: _put_constant(holder, key, node, not node.value))
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield Change(node, "constant", lambda: _put_constant(holder, key, node, node.value + 1))
        if node.value:
            yield Change(node, "constant less", lambda: _put_constant(holder, key, node, node.value - 1))
    if isinstance(node, ast.IfExp):
        yield Change(node, "negated", lambda: _negate(node))
    yield from _list_in_fields(node)
    if isinstance(node, ast.comprehension):
        for place, condition in enumerate(node.ifs):
            yield Change(condition, "negated", lambda place=place: _negate_filter(node, place))


def _name_of(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _is_log(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _name_of(node.func.value) in LOGS


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_text(node: ast.BinOp) -> bool:
    return any(
        isinstance(side, ast.JoinedStr)
        or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        or (isinstance(side, ast.Call) and _name_of(side.func) in WORDS)
        for side in (node.left, node.right)
    )


def _put(holder: Any, key: Any, new: ast.AST, words: str) -> str:
    if isinstance(holder, list):
        holder[key] = new
    else:
        setattr(holder, key, new)
    return words


def _put_constant(holder: Any, key: Any, node: ast.Constant, value: Any) -> str:
    return _put(holder, key, ast.copy_location(ast.Constant(value), node), f"{node.value} → {value}")


def _drop(block: list[ast.stmt], place: int, old: ast.stmt) -> str:
    block[place] = ast.copy_location(ast.Pass(), old)
    return "dropped"


def _return_none(node: ast.Return) -> str:
    node.value = ast.copy_location(ast.Constant(None), node)
    return "return None"


def _swap_comparison(node: ast.Compare, place: int) -> str:
    old = type(node.ops[place])
    node.ops[place] = COMPARISONS[old]()
    return f"{old.__name__} → {COMPARISONS[old].__name__}"


def _swap_connection(node: ast.BoolOp) -> str:
    old = type(node.op)
    node.op = ast.Or() if old is ast.And else ast.And()
    return "and → or" if old is ast.And else "or → and"


def _swap_sum(node: ast.BinOp) -> str:
    old = type(node.op)
    node.op = SUMS[old]()
    return f"{old.__name__} → {SUMS[old].__name__}"


def _negate(node: ast.IfExp) -> str:
    node.test = ast.copy_location(ast.UnaryOp(ast.Not(), node.test), node.test)
    return "… if → … if not"


def _negate_filter(node: ast.comprehension, place: int) -> str:
    node.ifs[place] = ast.copy_location(ast.UnaryOp(ast.Not(), node.ifs[place]), node.ifs[place])
    return "if → if not"


def find_functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Yield the functions of a module and of its classes, not those inside functions, by qualified name."""

    def walk(body: Sequence[ast.stmt], above: str) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
        for node in body:
            if isinstance(node, ast.ClassDef):
                yield from walk(node.body, f"{above}{node.name}.")
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name not in ("__repr__", "__str__"):
                yield f"{above}{node.name}", node

    yield from walk(tree.body, "")
