"""Lines of free text as they are stored: a title, a line of the chat. Plain Python; it refuses nothing."""

import unicodedata

UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn"}  # control, bidi and other invisible characters, and what is no character


def clean_line(text: str) -> str:
    """Return ``text`` composed, with single spaces and nothing in it that can't be seen."""
    kept = (" " if char.isspace() else char for char in unicodedata.normalize("NFC", text))
    visible = "".join(char for char in kept if unicodedata.category(char) not in UNSEEN)
    return " ".join(visible.split())
