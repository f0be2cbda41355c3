"""The forty cards (rule G1) and their two-letter names.

A card is an int from 0 to 39, ``suit * 10 + rank``; a set of cards is an int used as a bit mask.
Names are those of the match record: rank then suit, ``7d`` is the settebello, ``Cc`` the cavallo di coppe.
"""

from collections.abc import Iterable, Iterator

RANKS = "A234567FCR"
SUITS = "dcbs"
NAMES: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
CARDS: dict[str, int] = {name: card for card, name in enumerate(NAMES)}
DECK_SIZE = 40
FULL = (1 << DECK_SIZE) - 1
BIT: tuple[int, ...] = tuple(1 << card for card in range(DECK_SIZE))
SUIT_MASKS: tuple[int, ...] = tuple(0b11_1111_1111 << (10 * suit) for suit in range(4))


def make_mask(cards: Iterable[int]) -> int:
    """Return the bit mask of exactly these cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def list_cards(mask: int) -> Iterator[int]:
    """List the cards of a mask, lowest number first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
