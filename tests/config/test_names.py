"""Laws of names, docstrings and types (docs/contributing.md): one name for one thing, and a type for each value."""

import ast
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
Function = ast.FunctionDef | ast.AsyncFunctionDef

TWICE_ALLOWED = {"Command", "Migration"}  # Django finds them by these names
# Doors of packages that are found by folder, or a kit's face to its rules: each chooses, none passes on.
DOORS = {"games/__init__.py", "games/bots/__init__.py", "games/rules/__init__.py", "tournaments/formats/__init__.py"}
INDIRECT = {
    *("What", "Who", "Whose", "Whether", "That", "How", "When", "Where", "Whom", "Which", "Why", "Whoever", "Whatever"),
    *("As", "At", "Before", "By", "For", "From", "In", "It", "Never", "So", "Such", "These", "Those", "To", "Until"),
}
RULE_NUMBER = re.compile(r"(?:AT|SP|BR|HP|SC|[A-Z])\d{1,2}\b")
VAGUE = {"found", "said", "told", "each", "there", "came"}
# Irregular participles and past forms; those in -ed are known by their ending.
IRREGULAR = {
    *("begun", "drawn", "found", "given", "gone", "held", "kept", "known", "lost", "made", "said", "seen", "sent"),
    *("shown", "taken", "told", "written"),
}
VERBS = {"embed", "feed", "need", "proceed", "seed", "shed", "speed"}
# Names that others choose: events of sockets, filters of querysets and templates, facts as properties or answers.
PARTICIPLES_ALLOWED = {
    "changed",
    "drawn",
    "played",
    "unconfirmed",
    "closed",
    "entered",
    "opened",
    "signed",
}
PROSE = (".py", ".js", ".css", ".html", ".md", ".txt")
PEOPLE_ALLOWED = {"docs/glossary.md", "tests/config/test_names.py"}  # they name the words
GENDERED = re.compile(r"(?i)(?<![^\W_])(?:he|his|him|himself)(?![^\W_])")


def list_files(*, tests: bool) -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, check=True, capture_output=True, text=True)
    ours = [name for name in listed.stdout.split() if not name.startswith("docs/")]  # examples are programs of others
    names = [name for name in ours if name.startswith("tests/") == tests]
    return [ROOT / name for name in names if "/migrations/" not in name and (ROOT / name).exists()]


@cache
def parse(*, tests: bool) -> list[tuple[str, list[ast.AST]]]:
    files = list_files(tests=tests)
    return [(path.relative_to(ROOT).as_posix(), list(ast.walk(ast.parse(path.read_text())))) for path in files]


def walk(*, tests: bool = False) -> Iterator[tuple[str, ast.AST]]:
    for name, nodes in parse(tests=tests):
        for node in nodes:
            yield name, node


def begins_indirectly(node: ast.AST) -> bool:
    text = ast.get_docstring(node) if isinstance(node, Documented) else None
    return bool(text) and (str(text).split()[0].strip(",.:;") in INDIRECT or bool(RULE_NUMBER.match(str(text))))


def is_participle(name: str) -> bool:
    word = name.strip("_")
    return "_" not in word and word not in VERBS and (word in IRREGULAR or (len(word) > 4 and word.endswith("ed")))


def test_no_class_name_stands_for_two_things() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in list_files(tests=False):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and node.name not in TWICE_ALLOWED:
                places[node.name].append(path.relative_to(ROOT).as_posix())
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def test_no_module_imports_everything_of_another() -> None:
    stars = {
        file
        for file, node in walk()
        if isinstance(node, ast.ImportFrom) and any(name.name == "*" for name in node.names)
    }
    assert stars == set()


def test_no_package_passes_on_the_names_of_its_modules() -> None:
    doors = {
        file
        for file, node in walk()
        if file.endswith("/__init__.py") and isinstance(node, ast.ImportFrom) and file not in DOORS
    }
    assert doors == set()


def test_every_docstring_begins_with_a_verb_or_a_noun() -> None:
    """Neither an indirect question nor a rule's number alone: a stranger reads first what the thing does."""
    indirect = [
        (file, getattr(node, "name", "module"))
        for tests in (False, True)
        for file, node in walk(tests=tests)
        if begins_indirectly(node)
    ]
    assert indirect == []


def test_people_are_they() -> None:
    """A reader, a player, a referee is "they": in code, scripts, templates and pages, names of tests included."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    gendered = [
        f"{name}:{number}: {line.strip()}"
        for name in listed
        if name.endswith(PROSE) and name not in PEOPLE_ALLOWED and (ROOT / name).exists()
        for number, line in enumerate((ROOT / name).read_text().splitlines(), 1)
        if GENDERED.search(line)
    ]
    assert gendered == []


def read_name(node: ast.AST) -> str | None:
    """Return the name that a node gives to a value: a variable, a field, an argument."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return node.id
    return node.arg if isinstance(node, ast.arg) else None


def test_no_value_is_called_after_what_was_done_to_it() -> None:
    assert [(file, read_name(node)) for file, node in walk() if read_name(node) in VAGUE] == []


def test_no_function_is_called_by_a_bare_participle() -> None:
    bare = {
        (file, node.name)
        for file, node in walk()
        if isinstance(node, Function) and is_participle(node.name) and node.name.strip("_") not in PARTICIPLES_ALLOWED
    }
    assert bare == set()


OF_ENTRIES = ("tournaments/", "scoring/standings.py", "scoring/projections.py", "scoring/tiebreaks.py")
# A match's side, a line of text, and the line-up of a fixture keep the word.
SIDES = {
    "tournaments/core/result.py",
    "tournaments/desk/forms.py",
    "tournaments/desk/quick_views.py",
    "tournaments/desk/reinstatement.py",
    "tournaments/desk/results.py",
    "tournaments/running/early_play.py",
    "tournaments/running/withdraw.py",
}
TEXTS = {"tournaments/entries/spreadsheet.py", "tournaments/organise/fields.py"}
CALLED_LINE = re.compile(r"(?i)(?:^|_)lines?(?:$|_(?!ups?(?:$|_)))")
LINE_CLASS = re.compile(r"Lines?(?![a-z])(?!Up)")
LINE_IN_TAG = re.compile(r"{[{%][^}]*(?<![-\w\"])lines?\b[^}]*[%}]}")


def test_an_entry_is_never_called_a_line() -> None:
    """*Line* is a match's side 0 or 1 (docs/glossary.md); an entry is an entry, and its row on a page a row."""
    called = {
        (file, name)
        for file, node in walk()
        if file.startswith(OF_ENTRIES) and file not in SIDES | TEXTS
        for name in [node.name if isinstance(node, Function | ast.ClassDef) else read_name(node)]
        if name is not None and (CALLED_LINE.search(name) or LINE_CLASS.search(name))
    }
    assert called == set()


def test_no_template_of_tournaments_calls_an_entry_a_line() -> None:
    pages = (ROOT / "templates/tournaments").rglob("*.*")
    called = [(path.name, tag) for path in pages for tag in LINE_IN_TAG.findall(path.read_text())]
    assert called == []


UNITS = "seconds|minutes|hours|days|characters|letters|digits|bytes"


def test_a_constant_of_time_or_size_has_its_unit_in_its_name() -> None:
    """A number whose comment begins with a unit has it in its name; a timedelta is its own unit."""
    unnamed = []
    for path in list_files(tests=False):
        lines = path.read_text().splitlines()
        for node in ast.parse(path.read_text()).body:
            if not isinstance(node, ast.Assign) or "timedelta" in ast.unparse(node.value):
                continue
            unit = re.search(rf"#\s*({UNITS})\b", lines[node.lineno - 1])
            names = re.findall(r"\w+", ast.unparse(node.targets[0]))
            if unit and not all(re.search(rf"(?i)({UNITS}|chars)$", name) for name in names):
                unnamed.append((path.relative_to(ROOT).as_posix(), names))
    assert unnamed == []


# Django calls these, and decides what they take and give.
OPEN_BY_DJANGO = {"create_option", "clean", "post_process"}


def list_annotations(node: ast.AST) -> list[ast.expr]:
    """Return the annotations by which a function or a class tells others what it takes, gives or holds."""
    if isinstance(node, Function) and node.name not in OPEN_BY_DJANGO:
        taken = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        return [one for one in (node.returns, *(arg.annotation for arg in taken)) if one is not None]
    if isinstance(node, ast.ClassDef):
        return [row.annotation for row in node.body if isinstance(row, ast.AnnAssign)]
    return []


def test_modules_give_each_other_values_with_a_type() -> None:
    """Content that is really open has a name that says what it is: Json, Frame, Message, PageContext, FormValues."""
    untyped = [
        (file, getattr(node, "name", ""))
        for file, node in walk()
        if any("dict[str, Any]" in ast.unparse(annotation) for annotation in list_annotations(node))
    ]
    assert untyped == []


def test_only_its_own_module_reads_the_details_of_a_log_entry() -> None:
    """Every other one reads them by their type (tournaments/core/log_details.py)."""
    readers = {
        file
        for file, node in walk()
        if file.startswith("tournaments/")
        and (
            (isinstance(node, ast.Subscript) and ast.unparse(node.value).split(".")[-1] == "detail")
            or (isinstance(node, ast.Constant) and node.value == "detail")
            or (isinstance(node, ast.Attribute) and node.attr == "detail" and "entry" in ast.unparse(node.value))
        )
    }
    carriers = {name for name in readers if name.startswith("tournaments/transfer/")}  # as JSON, by log_references
    assert readers - carriers == {"tournaments/core/log_details.py"}
