"""Seal on what nobody may read while a match is played: the secret its cards come from, and its decks (J5).

The keys stand in the environment, apart from the database: whoever has a dump alone reads nothing of a running match.
The first key seals, each of them opens, so that keys can be changed. It decides nothing about when a seal is broken.
"""

from collections.abc import Sequence
from functools import cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

from games.engine.record import parse_stored_deck

PLAIN_DECK_CHARACTERS = 80  # forty names of two


class WrongKey(Exception):
    """None of the keys opens what was sealed: its key is missing. It tells nothing of what is inside."""


def seal(content: bytes) -> str:
    """Seal with the first key."""
    return _make_box(tuple(settings.DECK_KEYS)).encrypt(content).decode("ascii")


def unseal(sealed: str) -> bytes:
    """Return what was sealed, with whichever key. Raises WrongKey."""
    try:
        return _make_box(tuple(settings.DECK_KEYS)).decrypt(sealed)
    except InvalidToken:
        raise WrongKey from None


def seal_deck(deck: Sequence[int]) -> str:
    """Seal a deck, to be stored."""
    return seal(bytes(deck))


def is_sealed(stored: str) -> bool:
    """Return whether a deck as it is stored is sealed."""
    return len(stored) != PLAIN_DECK_CHARACTERS


def read_deck(stored: str) -> tuple[int, ...]:
    """Return a deck as it is stored, sealed or in plain names, the top card first. Raises WrongKey."""
    return tuple(unseal(stored)) if is_sealed(stored) else parse_stored_deck(stored)


@cache
def _make_box(keys: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([Fernet(key) for key in keys])
