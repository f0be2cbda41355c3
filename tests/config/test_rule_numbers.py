"""A number that code or a test cites stands in the pages of the rules: whoever meets it can read what it says."""

import re
from pathlib import Path

import pytest

from tests import rules

ROOT = Path(__file__).resolve().parents[2]
APPS = ("config", "players", "games", "scoring", "records", "tournaments")
SOURCES = (*APPS, "bench", "tests", "templates", "static/js")
SUFFIXES = {".py", ".html", ".js", ".txt"}
# Letters of tournaments.md and guarantees.md. Those of the games (A4, C4) are also paper and cards: their marks count.
CITED = re.compile(r"(?<![\w#.-])(?:AP|AT|BR|HP|SC|SP|[DEFHKNQRW])\d{1,2}\b(?![\w.=-])")
PAGES = [*sorted((ROOT / "docs/rules").glob("*.md")), ROOT / "docs/guarantees.md"]


def numbers_of_the_pages() -> set[str]:
    numbers: set[str] = set()
    for page in PAGES:
        text = page.read_text()
        numbers |= set(re.findall(r"\b(?:AP|AT|BR|HP|SC|SP|[A-Z])\d{1,2}[a-z]?\b", text))
        for letter, first, last in re.findall(r"\b([A-Z]{1,2})(\d+)[-–]\1(\d+)\b", text):
            numbers |= {f"{letter}{number}" for number in range(int(first), int(last) + 1)}
    return numbers


def sources() -> list[Path]:
    return [path for folder in SOURCES for path in sorted((ROOT / folder).rglob("*")) if path.suffix in SUFFIXES]


def test_every_number_that_is_cited_stands_in_a_page() -> None:
    known = numbers_of_the_pages()
    missing = {
        f"{number}: {path.relative_to(ROOT)}"
        for path in sources()
        for number in CITED.findall(path.read_text())
        if number not in known
    }
    assert sorted(missing) == []


def test_every_rule_of_a_game_stands_in_a_page_and_so_does_every_number_a_test_carries() -> None:
    carried = {str(number) for number in rules.carried(ROOT / "tests")}
    assert sorted((set(rules.RULES) - rules.NOT_YET | carried) - numbers_of_the_pages()) == []


@pytest.mark.parametrize("number", ["E1", "F3", "R5", "H8", "N4", "W2", "AT4", "SP9", "BR5", "HP0", "SC2"])
def test_a_number_is_read_where_it_is_cited(number: str) -> None:
    assert CITED.findall(f"what holds ({number}), and {number}: so") == [number, number]
    assert CITED.findall(f"x{number} #{number} {number}x") == []
