"""Code that can do harm stands where it was reviewed, with a reason, and nowhere else (AT5); ruff's S rules find the
rest."""

import re
from collections.abc import Iterator, Mapping, Sequence

from tests.lint.sources import APPS, Source, Sources

REVIEWED = {
    r"\bmark_safe\(": {
        "players/templatetags/texts.py": "people's Markdown, after nh3 has cleaned it",
        "records/templatetags/rulebook.py": "a template's own block, escaped as it was rendered",
        "players/web/qr.py": "a QR code's squares",
    },
    r"\bmessages\.error\(": {"players/web/requests.py": "what was typed is kept too (players/sent_forms.py)"},
    r"\bcsrf_exempt\b": {"players/views.py": "a mail program ends a wish by a signed link (RFC 8058)"},
    r"\bcursor\(": {
        "config/health.py": "SELECT 1",
        "config/launcher/prepare.py": "the number of the server's process",
        "games/outages.py": "PRAGMA wal_checkpoint",
        "games/plain_moves/batch.py": "statements of columns' names, values as parameters",
        "games/prepared_sql.py": "what Django compiled once, values as parameters",
        "players/db_limits.py": "the limits of a transaction, numbers of players/caps.py",
        "players/databases/postgresql/base.py": "limits of time, names and numbers of the settings as parameters",
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


def find_places(reviewed: Mapping[str, Mapping[str, str]], files: Sequence[Source]) -> Iterator[str]:
    """Yield where a pattern stands and wasn't reviewed, and where it was reviewed and stands no more."""
    for words, places in reviewed.items():
        pattern = re.compile(words, re.MULTILINE)
        there = {source.name: hit for source in files if (hit := pattern.search(source.text))}
        for name in sorted(there.keys() - places.keys()):
            yield f"{name}: {there[name][0].strip()} wasn't reviewed there"
        for name in sorted(places.keys() - there.keys()):
            yield f"{name}: {words} was reviewed there and is gone"


def find_harmful_code(sources: Sources) -> Iterator[str]:
    """Code that can do harm stands only where it was reviewed (AT5)."""
    return find_places(REVIEWED, sources.list(*APPS))


def find_unescaped_templates(sources: Sources) -> Iterator[str]:
    """Templates escape what people wrote (AT5)."""
    return find_places(IN_TEMPLATES, sources.list("templates", endings=(".html",)))


LAWS = (find_harmful_code, find_unescaped_templates)
