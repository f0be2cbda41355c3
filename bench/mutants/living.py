"""Living functions that get other code in place: whatever holds them, wraps them or has imported them runs it."""

import ast
import gc
from collections import defaultdict
from collections.abc import Iterator, Mapping
from types import CodeType, FunctionType

from bench.mutants.changes import find_functions
from bench.mutants.choice import ROOT, Mutant

MARK = "__mark__"  # a builtin of the process that sees which functions run


def mark_source(file: str, marks: Mapping[str, str]) -> ast.Module:
    """Return the module's tree in which functions begin by saying that they run, each by its mark."""
    tree = ast.parse((ROOT / file).read_text())
    functions = dict(find_functions(tree))
    for name, mark in marks.items():
        function = functions[name]
        marking = ast.parse(f"{MARK}({mark!r})").body[0]
        for node in ast.walk(marking):
            ast.copy_location(node, function.body[0])
        function.body.insert(1 if ast.get_docstring(function) is not None else 0, marking)
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

    def change_default(self, mutant: Mutant, tree: ast.Module) -> int:
        """Give the living functions the defaults of a tree that are true or false."""
        function = dict(find_functions(tree))[mutant.function]
        arguments, done = function.args, 0
        names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
        new = dict(zip(names[len(names) - len(arguments.defaults) :], arguments.defaults, strict=True))
        by_word = {
            argument.arg: value for argument, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        }
        for alive in self.alive[mutant.file, mutant.function]:
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
