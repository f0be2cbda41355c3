"""Free text as it is stored: a title, a line of the chat, texts in JSON that somebody sent. Plain Python."""

import json
import unicodedata
from typing import Any

UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn"}  # control, bidi and other invisible characters, and what is no character


def clean_line(text: str) -> str:
    """Return ``text`` composed, with single spaces and nothing in it that can't be seen."""
    if text.isascii() and text.isprintable():  # most texts
        return " ".join(text.split())
    kept = (" " if char.isspace() else char for char in unicodedata.normalize("NFC", text))
    visible = "".join(char for char in kept if unicodedata.category(char) not in UNSEEN)
    return " ".join(visible.split())


def dump_text(value: Any) -> str:
    """Return what was read from JSON as text. UnicodeEncodeError for half a character, in a name or in a value."""
    text = json.dumps(value, ensure_ascii=False)
    text.encode()
    return text


def is_storable(value: Any) -> bool:
    """Tell if every database keeps the texts in what was read from JSON: no half characters, and no character 0."""
    try:
        return "\\u0000" not in dump_text(value)
    except UnicodeEncodeError:
        return False
