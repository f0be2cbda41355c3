"""``python -m bench.mutants``: change a few places of the code by chance, and count the changes that tests see.

A mutant is one changed place of a room's functions: a comparison, a condition, a sum, a constant, what is returned, a
call that is dropped. Places are drawn by a seed from the names they have (file, function, change and how many alike
come before it there), so another tree has the same mutants wherever its functions are the same.

The tests of all rooms are collected once. A forked process runs them as everything is, and writes down which of them
run which of the functions. Then one is forked for each mutant: its function gets the changed code in place, and those
tests that run it follow, the quickest first, until one is red. What runs too long counts as seen.

It says nothing of code outside functions, nor of what only a process sees that a test starts: there the code is whole.
Run from the root of a checkout; of the tests there it needs pytest alone.
"""

import argparse
import ast
import builtins
import contextlib
import gc
import hashlib
import importlib
import json
import os
import select
import signal
import sys
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

ROOT = Path.cwd()
MARK = "__mark__"  # a builtin of the process that sees which functions run
PATIENCE, PATIENCE_TIMES = 60.0, 5.0  # seconds, and times what its tests take, until a mutant counts as seen


@dataclass(frozen=True, slots=True)
class Room:
    """Files of the product, and the tests that should see a fault in them. What isn't there is passed over."""

    files: tuple[str, ...]
    tests: tuple[str, ...]


ROOMS = {
    "engine": Room(
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
    "scoring": Room(
        ("scoring",), ("tests/scoring", "tests/tournaments/standings", "tests/tournaments/api/test_levels.py")
    ),
    "formats": Room(("tournaments/formats",), ("tests/tournaments/formats", "tests/tournaments/running")),
    "running": Room(
        ("tournaments/running",),
        ("tests/tournaments/running", "tests/tournaments/desk", "tests/tournaments/test_*.py"),
    ),
    "desk": Room(("tournaments/desk",), ("tests/tournaments/desk", "tests/tournaments/running")),
    "entries": Room(("tournaments/entries",), ("tests/tournaments/entries", "tests/tournaments/organise")),
}
LEFT_OUT = {"migrations", "templatetags", "admin.py", "apps.py"}
SEEN = {"killed", "late"}  # outcomes of a mutant that tests noticed
LOGS = {"logger", "log", "logging"}
WORDS = {"_", "gettext", "ngettext", "pgettext", "gettext_lazy", "_lazy", "npgettext"}


# --- Places -------------------------------------------------------------------------------------------------------

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


@dataclass(frozen=True, slots=True)
class Place:
    """What can be changed, by its name on any tree; ``step`` counts the places of its function on this one."""

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


def _put(holder: Any, key: Any, new: ast.AST, told: str) -> str:
    if isinstance(holder, list):
        holder[key] = new
    else:
        setattr(holder, key, new)
    return told


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


def list_places(room: str) -> Iterator[Place]:
    """Yield what can be changed in a room."""
    for file in list_files(ROOMS[room].files):
        source = (ROOT / file).read_text()
        lines, tree = source.splitlines(), ast.parse(source)
        for name, function in find_functions(tree):
            count: Counter[str] = Counter()
            for step, change in enumerate(list_changes(function)):
                line = change.node.lineno if hasattr(change.node, "lineno") else function.lineno
                yield Place(room, file, name, change.kind, count[change.kind], line, step, lines[line - 1].strip())
                count[change.kind] += 1


def list_files(paths: Sequence[str]) -> list[str]:
    found = (path for place in paths for path in (ROOT / place).rglob("*.py"))
    return sorted(str(path.relative_to(ROOT)) for path in found if not LEFT_OUT.intersection(path.parts))


def choose_places(room: str, count: int, seed: int) -> list[Place]:
    """Return so many places of a room: those whose names come first in the seed's order. No two of one function."""

    def draw(place: Place) -> bytes:
        return hashlib.sha256(f"{seed} {place.name}".encode()).digest()

    chosen: dict[tuple[str, str], Place] = {}
    for place in sorted(list_places(room), key=draw):
        if len(chosen) == count:
            break
        chosen.setdefault((place.file, place.function), place)
    return list(chosen.values())


# --- Changed code in place ----------------------------------------------------------------------------------------


def change_source(place: Place) -> tuple[ast.Module, str]:
    """Return the module's tree with the change made, and what was changed."""
    tree = ast.parse((ROOT / place.file).read_text())
    function = dict(find_functions(tree))[place.function]
    change = list(list_changes(function))[place.step]
    told = change.make()
    ast.fix_missing_locations(tree)
    return tree, told


def mark_source(file: str, marks: Mapping[str, str]) -> ast.Module:
    """Return the module's tree in which functions begin by saying that they run, each by its mark."""
    tree = ast.parse((ROOT / file).read_text())
    functions = dict(find_functions(tree))
    for name, mark in marks.items():
        function = functions[name]
        said = ast.parse(f"{MARK}({mark!r})").body[0]
        for node in ast.walk(said):
            ast.copy_location(node, function.body[0])
        function.body.insert(1 if ast.get_docstring(function) is not None else 0, said)
    ast.fix_missing_locations(tree)
    return tree


def list_codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from list_codes(constant)


class Functions:
    """Functions that are alive, by file and qualified name, whatever they are wrapped in."""

    def __init__(self, files: set[str]) -> None:
        gc.unfreeze()  # what is frozen isn't listed
        names = {str(ROOT / file): file for file in files}
        self.alive: dict[tuple[str, str], list[FunctionType]] = defaultdict(list)
        for thing in gc.get_objects():
            if type(thing) is FunctionType and thing.__code__.co_filename in names:
                self.alive[names[thing.__code__.co_filename], thing.__code__.co_qualname].append(thing)
        gc.freeze()

    def replace(self, file: str, function: str, tree: ast.Module) -> int:
        """Give the living functions of that name, and those made inside it, the code of a tree; return how many."""
        module = compile(tree, str(ROOT / file), "exec", dont_inherit=True)
        done = 0
        for code in list_codes(module):
            if code.co_qualname != function and not code.co_qualname.startswith(f"{function}.<locals>."):
                continue
            for alive in self.alive[file, code.co_qualname]:
                if alive.__code__.co_firstlineno == code.co_firstlineno and (
                    alive.__code__.co_freevars == code.co_freevars
                ):
                    alive.__code__ = code
                    done += 1
        return done

    def change_default(self, place: Place, tree: ast.Module) -> int:
        """Give the living functions the defaults of a tree that are true or false."""
        function = dict(find_functions(tree))[place.function]
        arguments, done = function.args, 0
        names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
        new = dict(zip(names[len(names) - len(arguments.defaults) :], arguments.defaults, strict=True))
        by_word = {
            argument.arg: value for argument, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        }
        for alive in self.alive[place.file, place.function]:
            if alive.__defaults__:
                last = names[len(names) - len(alive.__defaults__) :]
                alive.__defaults__ = tuple(
                    _read_bool(new[name], old) for name, old in zip(last, alive.__defaults__, strict=True)
                )
            if alive.__kwdefaults__:
                alive.__kwdefaults__ = {
                    name: _read_bool(by_word[name], old) for name, old in alive.__kwdefaults__.items()
                }
            done += 1
        return done


def _read_bool(node: ast.AST | None, old: object) -> object:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, bool) else old


# --- In the process that has collected ----------------------------------------------------------------------------


@dataclass(slots=True)
class Verdict:
    """What came of a mutant: the test that saw it, or why none did."""

    place: Place
    change: str
    outcome: str  # killed, late, survived, untested
    by: str = ""
    tests: int = 0
    seconds: float = 0.0


@dataclass(slots=True)
class Runs:
    """What the tests do as everything is: seconds of each, the functions each runs, those that are red anyway."""

    seconds: dict[str, float] = field(default_factory=dict)
    marks: dict[str, set[str]] = field(default_factory=dict)
    red: set[str] = field(default_factory=set)


class Plugin:
    """Loop of the tests in place of pytest's own."""

    def __init__(self, places: Sequence[Place]) -> None:
        self.places = places
        self.verdicts: list[Verdict] = []
        self.runs = Runs()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise session.Interrupted("errors during collection")
        for place in self.places:
            importlib.import_module(place.file.removesuffix(".py").replace("/", "."))
        session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined] one folder for all processes
        functions = Functions({place.file for place in self.places})
        began = time.monotonic()
        self.runs = self.run_unchanged(session, functions)
        say(f"{len(session.items)} tests as everything is: {time.monotonic() - began:.0f} s")
        for nodeid in sorted(self.runs.red):
            say(f"red without a change, left out: {nodeid}")
        for place in self.places:
            verdict = self.try_place(session, functions, place)
            self.verdicts.append(verdict)
            say(f"{verdict.outcome:9} {verdict.seconds:5.1f} s  {place.name}  {verdict.change}  {verdict.by}")
        return True

    def list_tests(self, session: pytest.Session, room: str) -> list[pytest.Item]:
        """Return the items of a room that aren't red anyway."""
        paths = [ROOT / path for path in list_test_paths(room)]
        return [
            item
            for item in session.items
            if any(item.path == path or path in item.path.parents for path in paths)
            and item.nodeid not in self.runs.red
        ]

    def run_unchanged(self, session: pytest.Session, functions: Functions) -> Runs:
        def work(tell: Callable[[Any], None]) -> None:
            marked: set[str] = set()
            setattr(builtins, MARK, marked.add)
            for file in sorted({place.file for place in self.places}):
                marks = {place.function: place.name for place in self.places if place.file == file}
                tree = mark_source(file, {function: f"{file}::{function}" for function in marks})
                for function in marks:
                    functions.replace(file, function, tree)
            reports = Reports()
            shared = SharedFixtures(marked)
            session.config.pluginmanager.register(reports)
            session.config.pluginmanager.register(shared)
            items = session.items
            for item, following in zip(items, [*items[1:], None], strict=True):
                marked.clear()
                reports.red = ""
                began = time.monotonic()
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                marks = sorted(marked | shared.list_marks(item))
                tell((item.nodeid, round(time.monotonic() - began, 3), marks, bool(reports.red)))

        runs = Runs()
        told, status, _ = run_forked(session, work, limit=3600.0)
        for nodeid, seconds, marks, red in told:
            runs.seconds[nodeid], runs.marks[nodeid] = seconds, set(marks)
            if red:
                runs.red.add(nodeid)
        if status:
            raise session.Failed(f"the tests broke off as everything is, with status {status}, after {len(told)}")
        return runs

    def try_place(self, session: pytest.Session, functions: Functions, place: Place) -> Verdict:
        tree, told = change_source(place)
        mark = f"{place.file}::{place.function}"
        tests = [item for item in self.list_tests(session, place.room) if mark in self.runs.marks[item.nodeid]]
        tests.sort(key=lambda item: self.runs.seconds[item.nodeid])
        if not tests:
            return Verdict(place, told, "untested")

        def work(tell: Callable[[Any], None]) -> None:
            done = functions.replace(place.file, place.function, tree)
            done += functions.change_default(place, tree) if place.change == "default" else 0
            if not done:
                tell("unchanged")
                return
            reports = Reports()
            session.config.pluginmanager.register(reports)
            for item, following in zip(tests, [*tests[1:], None], strict=True):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if reports.red:
                    tell(reports.red)
                    with contextlib.suppress(BaseException):
                        session._setupstate.teardown_exact(None)  # what it started ends with it
                    return

        limit = PATIENCE + PATIENCE_TIMES * sum(self.runs.seconds[item.nodeid] for item in tests)
        words, status, seconds = run_forked(session, work, limit=limit)
        verdict = Verdict(place, told, "survived", "", len(tests), round(seconds, 1))
        if words == ["unchanged"]:
            verdict.outcome, verdict.by = "untested", "no living function has this code"
        elif words:
            verdict.outcome, verdict.by = "killed", words[0]
        elif status is None:
            verdict.outcome, verdict.by = "late", f"still running after {limit:.0f} s"
        elif status:
            verdict.outcome, verdict.by = "killed", f"its process ended with status {status}"
        return verdict


class Reports:
    """The first test that was red, in a forked process."""

    def __init__(self) -> None:
        self.red = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.red:
            self.red = f"{report.nodeid} ({report.when})"


class SharedFixtures:
    """Functions that ran for a fixture which several tests share: each of those tests has run them."""

    def __init__(self, marked: set[str]) -> None:
        self.marked = marked
        self.by_fixture: dict[tuple[str, str], set[str]] = defaultdict(set)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[None]:
        before = set(self.marked)
        self.marked.clear()
        try:
            return (yield)
        finally:
            if fixturedef.scope != "function":
                self.by_fixture[fixturedef.baseid, fixturedef.argname] |= self.marked
            self.marked |= before

    def list_marks(self, item: Any) -> set[str]:
        names = set(getattr(item, "fixturenames", ()))
        found = (
            marks for (base, name), marks in self.by_fixture.items() if name in names and item.nodeid.startswith(base)
        )
        return set().union(*found)


def run_forked(
    session: pytest.Session, work: Callable[[Callable[[Any], None]], None], *, limit: float
) -> tuple[list[Any], int | None, float]:
    """Do work in a forked process; return what it told, its ending (None: stopped at the limit) and its seconds."""
    began = time.monotonic()
    read, write = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        code = 70
        try:
            os.close(read)
            os.setpgid(0, 0)
            plugins = session.config.pluginmanager
            reporter = plugins.getplugin("terminalreporter")
            plugins.unregister(reporter)
            capture = plugins.getplugin("capturemanager")
            capture.stop_global_capturing()
            capture.start_global_capturing()
            forget_redis()

            def tell(word: Any) -> None:
                os.write(write, json.dumps(word).encode() + b"\n")

            work(tell)
            code = 0
        except BaseException:
            say(traceback.format_exc())
            raise
        finally:
            os._exit(code)
    os.close(write)
    pieces = bytearray()
    status: int | None = None
    with contextlib.ExitStack() as ends:
        ends.callback(os.close, read)
        while select.select([read], [], [], max(0.0, began + limit - time.monotonic()))[0]:
            piece = os.read(read, 1 << 16)
            if not piece:
                status = 0
                break
            pieces += piece
        if status is None:
            stop_group(pid)
        _, ended = os.waitpid(pid, 0)
        stop_group(pid)  # what it may have left
        status = None if status is None else os.waitstatus_to_exitcode(ended)
    told = [json.loads(line) for line in bytes(pieces).splitlines()]
    return told, status, time.monotonic() - began


def stop_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def forget_redis() -> None:
    """Empty the tests' own Redis: what another mutant left there is no concern of this one."""
    import redis
    from django.conf import settings

    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.flushall()


# --- The table ----------------------------------------------------------------------------------------------------


def list_test_paths(room: str) -> list[str]:
    found = (path for pattern in ROOMS[room].tests for path in sorted(ROOT.glob(pattern)))
    return list(dict.fromkeys(str(path.relative_to(ROOT)) for path in found))


def describe_rooms(verdicts: Sequence[Verdict], rooms: Sequence[str]) -> list[dict[str, Any]]:
    rows = []
    for room in rooms:
        own = [verdict for verdict in verdicts if verdict.place.room == room]
        count = Counter(verdict.outcome for verdict in own)
        rows.append(
            {
                "room": room,
                "mutants": len(own),
                "killed": sum(count[outcome] for outcome in SEEN),
                "survived": count["survived"],
                "untested": count["untested"],
                "seconds": round(sum(verdict.seconds for verdict in own), 1),
            }
        )
    return rows


def show(verdicts: Sequence[Verdict], rooms: Sequence[str]) -> str:
    lines = ["", f"{'room':10} {'mutants':>8} {'killed':>8} {'survived':>8} {'untested':>8} {'seconds':>8}"]
    rows = describe_rooms(verdicts, rooms)
    total = {name: round(sum(row[name] for row in rows), 1) for name in rows[0] if name != "room"}
    lines += [
        f"{row['room']:10} " + " ".join(f"{row[name]:>8}" for name in total)
        for row in [*rows, {"room": "all", **total}]
    ]
    for verdict in verdicts:
        if verdict.outcome in ("survived", "untested"):
            place = verdict.place
            lines += [
                "",
                f"{verdict.outcome}: {place.file}:{place.line} {place.function}, {place.change} ({verdict.change}), "
                f"{verdict.tests} tests",
                f"    {place.shown}",
            ]
    return "\n".join(lines)


def describe(verdicts: Sequence[Verdict], options: argparse.Namespace) -> dict[str, Any]:
    """Return all of it for a file."""
    mutants = [
        {
            "name": verdict.place.name,
            **asdict(verdict.place),
            "what": verdict.change,
            **{name: getattr(verdict, name) for name in ("outcome", "by", "tests", "seconds")},
        }
        for verdict in verdicts
    ]
    return {
        "seed": options.seed,
        "count": options.count,
        "rooms": describe_rooms(verdicts, options.rooms),
        "mutants": mutants,
    }


def compare(verdicts: Sequence[Verdict], other: Mapping[str, Any]) -> str:
    """Tell which mutants another tree has too, and of which of those something else came there."""
    before = {mutant["name"]: mutant["outcome"] for mutant in other["mutants"]}
    both = [verdict for verdict in verdicts if verdict.place.name in before]
    lines = [f"{len(both)} of {len(verdicts)} mutants are in the other file too"]
    for verdict in both:
        outcomes = before[verdict.place.name], verdict.outcome
        if (outcomes[0] in SEEN) != (outcomes[1] in SEEN):
            lines.append(f"{outcomes[0]} → {outcomes[1]}: {verdict.place.name} {verdict.change}")
    return "\n".join(lines)


def say(text: str) -> None:
    os.write(own_output, f"{text}\n".encode())


own_output = 1  # pytest captures what is printed; this is where the program was begun


def main(arguments: Sequence[str] | None = None) -> int:
    global own_output
    parser = argparse.ArgumentParser(prog="python -m bench.mutants", description="Count changes that tests see.")
    parser.add_argument("--rooms", nargs="+", choices=sorted(ROOMS), default=list(ROOMS))
    parser.add_argument("--count", type=int, default=12, help="mutants of each room")
    parser.add_argument("--seed", type=int, default=29)
    parser.add_argument("--out", type=Path, help="a file for the same as JSON")
    parser.add_argument(
        "--beside", type=Path, help="such a file of another tree: what came of a mutant otherwise there"
    )
    parser.add_argument("--list", action="store_true", help="only name the places, without a test")
    options = parser.parse_args(arguments)
    places = [place for room in options.rooms for place in choose_places(room, options.count, options.seed)]
    if options.list:
        for place in places:
            say(f"{place.name}  {change_source(place)[1]}  {place.file}:{place.line}: {place.shown}")
        return 0
    own_output = os.dup(1)
    sys.path.insert(0, str(ROOT))
    plugin = Plugin(places)
    paths = list(dict.fromkeys(path for room in options.rooms for path in list_test_paths(room)))
    began = time.monotonic()
    chosen = ["-q", "-p", "no:playwright", "-p", "no:cacheprovider", "-m", "not soak", "--tb=no", *paths]
    code = pytest.main(chosen, plugins=[plugin])
    if len(plugin.verdicts) < len(places):
        say(f"broken off: pytest ended with {code} after {len(plugin.verdicts)} of {len(places)} mutants")
        return 1
    say(show(plugin.verdicts, options.rooms))
    say(f"seed {options.seed}, {time.monotonic() - began:.0f} s in all")
    if options.out:
        options.out.write_text(json.dumps(describe(plugin.verdicts, options), indent=1, ensure_ascii=False))
    if options.beside:
        say(compare(plugin.verdicts, json.loads(options.beside.read_text())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
