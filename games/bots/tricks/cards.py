"""Cards of the Tresette games in the order in which they take: within a suit a higher bit is a stronger card (T3).

Players think in this order; Views and moves have the engine's. A hand is a mask of forty bits, a suit of a hand one of
ten. The tables are indexed by such a mask of ten bits, a single card being a mask of one bit.
"""

from games.engine.cards import DECK_SIZE
from games.engine.tricks import STRENGTH, THIRDS

SUIT_SIZE = 10
SUIT_BITS = (1 << SUIT_SIZE) - 1
SUITS = tuple(SUIT_BITS << SUIT_SIZE * suit for suit in range(4))
LAST_TRICK = 3  # what the last trick is worth, in thirds (T4)
ALL_THIRDS = 35  # of a deal, the last trick's among them

ORDERED: tuple[int, ...] = tuple(card // SUIT_SIZE * SUIT_SIZE + STRENGTH[card] for card in range(DECK_SIZE))
PLAIN: tuple[int, ...] = tuple(ORDERED.index(place) for place in range(DECK_SIZE))
_WORTH_OF_PLACE = tuple(THIRDS[PLAIN[place]] for place in range(SUIT_SIZE))


def _sum_over_masks(values: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(
        sum(value for place, value in enumerate(values) if mask >> place & 1) for mask in range(1 << SUIT_SIZE)
    )


WORTH: tuple[int, ...] = _sum_over_masks(_WORTH_OF_PLACE)  # thirds of the cards of a suit
_TO_ORDER = _sum_over_masks(tuple(1 << ORDERED[card] for card in range(SUIT_SIZE)))
_TO_PLAIN = _sum_over_masks(tuple(1 << PLAIN[place] for place in range(SUIT_SIZE)))
CARD_WORTH: dict[int, int] = {1 << place: _WORTH_OF_PLACE[place % SUIT_SIZE] for place in range(DECK_SIZE)}
SUIT_OF: dict[int, int] = {1 << place: SUITS[place // SUIT_SIZE] for place in range(DECK_SIZE)}


def order_cards(cards: int) -> int:
    """Return a mask of the engine's as one in the order of strength."""
    return _convert(cards, _TO_ORDER)


def name_cards(ordered: int) -> int:
    """Return a mask in the order of strength as one of the engine's."""
    return _convert(ordered, _TO_PLAIN)


def _convert(mask: int, table: tuple[int, ...]) -> int:
    return (
        table[mask & SUIT_BITS]
        | table[mask >> 10 & SUIT_BITS] << 10
        | table[mask >> 20 & SUIT_BITS] << 20
        | table[mask >> 30] << 30
    )


def add_up_thirds(ordered: int) -> int:
    """Return what these cards are worth, in thirds of a point (T4)."""
    return (
        WORTH[ordered & SUIT_BITS]
        + WORTH[ordered >> 10 & SUIT_BITS]
        + WORTH[ordered >> 20 & SUIT_BITS]
        + WORTH[ordered >> 30]
    )


def list_bits(mask: int) -> list[int]:
    """List the cards of a mask as masks of one, lowest first."""
    bits = []
    while mask:
        low = mask & -mask
        bits.append(low)
        mask ^= low
    return bits
