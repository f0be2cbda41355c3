"""Code that can do harm stands where it was reviewed, with a reason, and nowhere else (AT5); ruff's S rules find the
rest."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
APPS = ("config", "players", "games", "scoring", "records", "tournaments")

REVIEWED = {
    r"\bmark_safe\(": {
        "players/plots.py": "a plot, of which ElementTree has escaped every text",
        "players/templatetags/texts.py": "people's Markdown, after nh3 has cleaned it",
        "records/templatetags/rulebook.py": "a template's own block, escaped as it was rendered",
        "players/web.py": "a QR code's squares",
    },
    r"\bcsrf_exempt\b": {"players/views.py": "a mail program ends a wish by a signed link (RFC 8058)"},
    r"\bcursor\(": {
        "config/health.py": "SELECT 1",
        "games/heartbeat.py": "PRAGMA wal_checkpoint",
        "games/plain_moves/batch.py": "statements of columns' names, values as parameters",
        "games/prepared_sql.py": "what Django compiled once, values as parameters",
        "players/db_limits.py": "the limits of a transaction, numbers of players/caps.py",
        "players/services/house.py": "a lock by its number",
        "tournaments/core/bulk.py": "one UPDATE of many rows, values as parameters",
    },
    r"\bRawSQL\b|\.extra\(|objects\.raw\(": {},
    r"^(?:import random\b|from random import)": {  # chance is secrets', in dealing above all
        "games/bots/dice.py": "a house player's thoughts; no card that somebody gets",
    },
}
IN_TEMPLATES = {
    r"\|\s*safe\b": {"templates/_field.html": "help of our own forms"},
    r"autoescape off|\|\s*safeseq\b": {},
}


def list_places(words: str, files: list[Path]) -> set[str]:
    """Return the files in which a pattern is found."""
    return {str(path.relative_to(ROOT)) for path in files if re.search(words, path.read_text(), re.MULTILINE)}


def list_modules() -> list[Path]:
    return [path for app in APPS for path in (ROOT / app).rglob("*.py") if "migrations" not in path.parts]


@pytest.mark.parametrize("words", REVIEWED)
def test_code_that_can_do_harm_stands_only_where_it_was_reviewed_at5(words: str) -> None:
    modules = list_modules()
    assert len(modules) > 300
    assert list_places(words, modules) == set(REVIEWED[words])


@pytest.mark.parametrize("words", IN_TEMPLATES)
def test_templates_escape_what_people_wrote_at5(words: str) -> None:
    templates = list((ROOT / "templates").rglob("*.html"))
    assert len(templates) > 100
    assert list_places(words, templates) == set(IN_TEMPLATES[words])
