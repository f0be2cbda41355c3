"""Cards in what a process logs (N2): none is told, not even one that everybody has seen."""

import re

CARD = re.compile(r"\b[A2-7FCR][dcbs]\b")
DECK = re.compile(r"(?:[A2-7FCR][dcbs]){3}")
# Digits that look like cards by chance: commitments, meant for everybody (J1), and the ids of tasks.
DIGITS = re.compile(r"is committed to: [0-9a-f]{64}|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")


def find_cards(text: str) -> list[str]:
    """Return the cards that a log tells, and pieces of decks."""
    rest = DIGITS.sub("", text)
    return CARD.findall(rest) + DECK.findall(rest)
