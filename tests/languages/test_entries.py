"""An entry on the page is a player, a pair or a team, never a "line": that is the code's word for a match's side."""

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

ROOT = Path(__file__).parents[2]
ITALIAN = re.compile(r"\bline[ae]\b", re.IGNORECASE)
ENGLISH = re.compile(r"\blines?\b", re.IGNORECASE)
TEXT_LINE = re.compile(r"\brigh?[ae]\b", re.IGNORECASE)  # a line of text, which is one in English too
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w+\}")
APPS = ("config", "players", "games", "scoring", "records", "tournaments")


def shipped_texts() -> list[Path]:
    paths = [*(ROOT / "templates").rglob("*.*"), *(ROOT / "static/js").rglob("*.js")]
    return sorted(paths + [path for app in APPS for path in (ROOT / app).rglob("*.py")])


def test_no_page_script_or_sentence_calls_an_entry_a_linea() -> None:
    named: list[str] = []
    for path in shipped_texts():
        text = path.read_text()
        named += [
            f"{path.relative_to(ROOT)}: {text[hit.start() - 40 : hit.end() + 40]}" for hit in ITALIAN.finditer(text)
        ]
    assert named == []


def test_in_english_no_entry_is_a_line_either() -> None:
    with (ROOT / "locale/en/LC_MESSAGES/django.po").open("rb") as file:
        catalogue = read_po(file)
    named = []
    for message in catalogue:
        ids, strings = ([text] if isinstance(text, str) else list(text or ()) for text in (message.id, message.string))
        if not any(TEXT_LINE.search(text) for text in ids):
            named += [text for text in strings if ENGLISH.search(PLACEHOLDER.sub("", text))]
    assert named == []


@pytest.mark.parametrize("language", ["en"])
def test_no_page_of_the_rules_in_english_calls_a_side_a_line(language: str) -> None:
    pages = (ROOT / "templates/records/rules" / language).rglob("*.html")
    assert [path.name for path in pages if ENGLISH.search(path.read_text())] == []
