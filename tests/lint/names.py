"""Names and docstrings (docs/contributing.md): one name for one thing, and words that a stranger reads once."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator

from tests.lint.sources import Source, Sources

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
Function = ast.FunctionDef | ast.AsyncFunctionDef

TWICE_ALLOWED = {"Command", "DatabaseWrapper", "Migration"}  # Django finds them by these names
# Doors of packages that are found by folder, or a kit's face to its rules: each chooses, none passes on.
DOORS = {
    "games/__init__.py", "games/bots/__init__.py", "games/rules/__init__.py", "tournaments/formats/__init__.py",
    "tournaments/models/__init__.py",  # Django looks there for them
}  # fmt: skip
INDIRECT = {
    *("What", "Who", "Whose", "Whether", "That", "How", "When", "Where", "Whom", "Which", "Why", "Whoever", "Whatever"),
    *("As", "At", "Before", "By", "For", "From", "In", "It", "Never", "So", "Such", "These", "Those", "To", "Until"),
}
RULE_NUMBER = re.compile(r"(?:AT|SP|BR|HP|SC|[A-Z])\d{1,2}\b")
VAGUE = {"found", "said", "told", "each", "there", "came"}
# Irregular participles and past forms; those in -ed are recognised by their ending.
IRREGULAR = {
    *("begun", "drawn", "found", "given", "gone", "held", "kept", "known", "lost", "made", "said", "seen", "sent"),
    *("shown", "taken", "told", "written"),
}
VERBS = {"embed", "feed", "need", "proceed", "seed", "shed", "speed"}
# Names that others choose: events of sockets, filters of querysets and templates, facts as properties or answers.
PARTICIPLES_ALLOWED = {"changed", "drawn", "played", "unconfirmed", "closed", "entered", "opened", "signed"}
PROSE = (".py", ".js", ".css", ".html", ".md", ".txt")
PEOPLE_ALLOWED = {"docs/glossary.md", "tests/lint/names.py", "tests/test_lint.py"}  # they name the words
BARE_WHO = re.compile(r"\b(?:to|for|with|from|against|beside) who(?= (?!in\b)[a-z])")
GENDERED = re.compile(r"(?i)(?<![^\W_])(?:he|his|him|himself)(?![^\W_])")


def find_classes_of_one_name(sources: Sources) -> Iterator[str]:
    """Class names stand for one thing each."""
    places: dict[str, list[str]] = defaultdict(list)
    for source in sources.shipped:
        for node in source.tree.body:
            if isinstance(node, ast.ClassDef) and node.name not in TWICE_ALLOWED:
                places[node.name].append(source.name)
    return (f"{', '.join(files)}: class {name}" for name, files in places.items() if len(files) > 1)


def find_packages_that_pass_on(sources: Sources) -> Iterator[str]:
    """Packages don't pass on the names of their modules."""
    for source in sources.shipped:
        if source.path.name == "__init__.py" and source.name not in DOORS:
            for node in source.nodes:
                if isinstance(node, ast.ImportFrom):
                    yield f"{source.name}:{node.lineno}: from {node.module} import …"


def find_indirect_docstrings(sources: Sources) -> Iterator[str]:
    """Docstrings begin with a verb or a noun, neither with an indirect question nor with a rule's number."""
    for source in sources.modules:
        for node in source.nodes:
            text = ast.get_docstring(node) if isinstance(node, Documented) else None
            if text and (text.split()[0].strip(",.:;") in INDIRECT or RULE_NUMBER.match(text)):
                yield f"{source.name}:{getattr(node, 'lineno', 1)}: {text.splitlines()[0]}"


def find_gendered_people(sources: Sources) -> Iterator[str]:
    """People are "they": in code, scripts, templates and pages, names of tests included."""
    for source in sources.list(endings=PROSE):
        if source.name not in PEOPLE_ALLOWED and GENDERED.search(source.text):
            for number, line in enumerate(source.text.splitlines(), 1):
                if GENDERED.search(line):
                    yield f"{source.name}:{number}: {line.strip()}"


def find_bare_who(sources: Sources) -> Iterator[str]:
    """People are *whoever* or *those who* after a preposition; *who* asks a question."""
    for source in sources.list(endings=PROSE):
        if BARE_WHO.search(source.text):
            for number, line in enumerate(source.text.splitlines(), 1):
                if BARE_WHO.search(line):
                    yield f"{source.name}:{number}: {line.strip()}"


def read_name(node: ast.AST) -> str | None:
    """Return the name that a node gives to a value: a variable, a field, an argument."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return node.id
    return node.arg if isinstance(node, ast.arg) else None


def find_vague_values(sources: Sources) -> Iterator[str]:
    """Values aren't called after what was done to them."""
    for source, node in sources.walk_shipped():
        if (name := read_name(node)) in VAGUE:
            yield f"{source.name}:{getattr(node, 'lineno', 0)}: {name}"


def is_participle(name: str) -> bool:
    word = name.strip("_")
    return "_" not in word and word not in VERBS and (word in IRREGULAR or (len(word) > 4 and word.endswith("ed")))


def find_bare_participles(sources: Sources) -> Iterator[str]:
    """Functions aren't called by a bare participle."""
    for source, node in sources.walk_shipped():
        if isinstance(node, Function) and is_participle(node.name) and node.name.strip("_") not in PARTICIPLES_ALLOWED:
            yield f"{source.name}:{node.lineno}: {node.name}"


# --- An entry on a page is a player, a pair or a team, never a line -------------------------------------------------

OF_ENTRIES = ("tournaments/", "scoring/standings.py", "scoring/projections.py", "scoring/tiebreaks.py")
# A match's side, a line of text, and the line-up of a fixture keep the word.
SIDES = {
    "tournaments/core/result.py",
    "tournaments/desk/forms.py",
    "tournaments/hall/quick_views.py",
    "tournaments/desk/reinstatement.py",
    "tournaments/desk/results.py",
    "tournaments/running/early_play.py",
    "tournaments/running/withdraw.py",
}
TEXT_LINES = {"tournaments/lists/spreadsheet.py", "tournaments/organise/fields.py"}
CALLED_LINE = re.compile(r"(?i)(?:^|_)lines?(?:$|_(?!ups?(?:$|_)))")
LINE_CLASS = re.compile(r"Lines?(?![a-z])(?!Up)")
LINE_IN_TAG = re.compile(r"{[{%][^}]*(?<![-\w\"])lines?\b[^}]*[%}]}")
ITALIAN_LINE = re.compile(r"\bline[ae]\b", re.IGNORECASE)
ENGLISH_LINE = re.compile(r"\blines?\b", re.IGNORECASE)


def find_entries_called_lines(sources: Sources) -> Iterator[str]:
    """Entries are never called lines: a *line* is a match's side 0 or 1 (docs/glossary.md), a table's row a row."""
    for source in sources.shipped:
        if source.name.startswith(OF_ENTRIES) and source.name not in SIDES | TEXT_LINES:
            yield from _find_names_of_lines(source)
    for source in sources.list("templates/tournaments", endings=(".html", ".txt")):
        yield from (f"{source.name}: {tag}" for tag in LINE_IN_TAG.findall(source.text))


def _find_names_of_lines(source: Source) -> Iterator[str]:
    for node in source.nodes:
        name = node.name if isinstance(node, Function | ast.ClassDef) else read_name(node)
        if name is not None and (CALLED_LINE.search(name) or LINE_CLASS.search(name)):
            yield f"{source.name}:{getattr(node, 'lineno', 0)}: {name}"


def find_entries_called_lines_to_readers(sources: Sources) -> Iterator[str]:
    """No page, script or sentence calls an entry a *linea*, no English page of the rules a side a *line*."""
    texts = [
        *sources.list("templates", endings=(".html", ".txt")),
        *sources.list("static/js", endings=(".js",)),
        *sources.shipped,
    ]
    for source in texts:
        for hit in ITALIAN_LINE.finditer(source.text):
            yield f"{source.name}: {source.text[hit.start() - 40 : hit.end() + 40]}"
    for source in sources.list("templates/records/rules/en", endings=(".html",)):
        yield from (f"{source.name}: {hit[0]}" for hit in ENGLISH_LINE.finditer(source.text))


LAWS = (
    find_classes_of_one_name,
    find_packages_that_pass_on,
    find_indirect_docstrings,
    find_gendered_people,
    find_bare_who,
    find_vague_values,
    find_bare_participles,
    find_entries_called_lines,
    find_entries_called_lines_to_readers,
)
