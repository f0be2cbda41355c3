"""Numbers of rules: those cited stand in the pages of the rules, and a test carries each rule of the games."""

import re
from collections import defaultdict
from collections.abc import Iterator

from tests import rules
from tests.lint.sources import APPS, PROGRAMS, Sources

# Letters of tournaments.md and guarantees.md. Those of the games (A4, C4) are also paper and cards: their marks count.
CITED = re.compile(r"(?<![\w#.-])(?:AP|AT|BR|HP|SC|SP|[DEFHKNQRW])\d{1,2}\b(?![\w.=-])")
NUMBER = re.compile(r"\b(?:AP|AT|BR|EV|HP|SC|SP|[A-Z])\d{1,2}[a-z]?\b")
SPAN = re.compile(r"\b([A-Z]{1,2})(\d+)[-–]\1(\d+)\b")
FOLDERS = (*APPS, *PROGRAMS, "templates", "static/js")


def read_numbers(sources: Sources) -> set[str]:
    """Return the numbers that stand in the pages of the rules, singly or as a span."""
    numbers: set[str] = set()
    for page in [*sources.list("docs/rules", endings=(".md",)), sources["docs/guarantees.md"]]:
        numbers |= set(NUMBER.findall(page.text))
        for letter, first, last in SPAN.findall(page.text):
            numbers |= {f"{letter}{number}" for number in range(int(first), int(last) + 1)}
    return numbers


def find_numbers_without_page(sources: Sources) -> Iterator[str]:
    """Numbers that code or tests cite stand in a page of the rules."""
    numbers = read_numbers(sources)
    for source in sources.list(*FOLDERS, endings=(".py", ".html", ".js", ".txt")):
        for number in sorted(set(CITED.findall(source.text)) - numbers):
            yield f"{source.name}: {number}"


def read_carriers(sources: Sources) -> dict[object, list[str]]:
    """Return the places of each number that a test carries."""
    places: dict[object, list[str]] = defaultdict(list)
    for source in sources.list("tests"):
        if source.path.name.startswith("test_") and "mark.rule" in source.text:
            for line, number in rules.list_marks(source.nodes):
                places[number].append(f"{source.name}:{line}")
    return places


def find_rules_without_test(sources: Sources) -> Iterator[str]:
    """Rules of the games are carried by a test, and stand in a page with every number that a test carries."""
    carriers = read_carriers(sources)
    yield from rules.report(carriers)
    for number in sorted((set(rules.RULES) - rules.NOT_YET | {str(one) for one in carriers}) - read_numbers(sources)):
        yield f"{number} stands in no page: {', '.join(carriers.get(number, ['tests/rules.py']))}"


LAWS = (find_numbers_without_page, find_rules_without_test)
