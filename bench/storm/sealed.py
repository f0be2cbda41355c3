"""The key that the product's processes seal decks with in a storm, and a deck read without the product."""

from cryptography.fernet import Fernet

from games.engine.cards import NAMES

DECK_KEY = "6Xo0v0o0J9nGm3m0sYwqf1Jc2dPZy7hUqk5b8eLr4tA="


def read_names(stored: str) -> str:
    """Return the names of a deck's cards, top first, with spaces."""
    if len(stored) == 80:
        return " ".join(stored[at : at + 2] for at in range(0, 80, 2))
    return " ".join(NAMES[card] for card in Fernet(DECK_KEY).decrypt(stored))
