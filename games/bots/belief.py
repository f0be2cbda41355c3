"""What a player can reckon about cards it doesn't see: every unseen card is as likely as any other to be in a hand.

It decides no play and remembers nothing: only what lies in the View counts as seen, as for a person who doesn't keep
the tricks in mind. Cards are ints, sets of cards are bit masks.
"""

from collections.abc import Iterable
from math import comb

from games.engine.cards import FULL, mask_of
from games.engine.game import View


def unseen(view: View) -> int:
    """The cards that may be in a hidden hand: none of a hand in sight, of the table or of the last trick."""
    seen = mask_of(card for hand in view.hands for card in hand.cards)
    seen |= mask_of(lying.card for lying in view.table)
    if view.last is not None:
        seen |= mask_of(lying.card for lying in view.last.cards) | mask_of(view.last.takes)
    return FULL & ~(seen | shown_draws(view, None))


def shown_draws(view: View, seat: int | None) -> int:
    """Cards drawn and shown after the last trick (T1) that ``seat`` (None: anybody) still holds, the viewer aside."""
    if view.last is None:
        return 0
    lying = mask_of(played.card for played in view.table)
    drawn = (shown for shown in view.last.drawn if shown.seat != view.seat and seat in (None, shown.seat))
    return mask_of(shown.card for shown in drawn) & ~lying


def known(view: View, seat: int) -> int:
    """The cards of another seat's hand that the viewer knows for certain."""
    return mask_of(view.hands[seat].cards) | shown_draws(view, seat)


def chance(hidden: int, marked: int, held: int) -> float:
    """The probability that a hand of ``held`` cards out of ``hidden`` unseen ones has one or more of the ``marked``."""
    if marked <= 0 or held <= 0:
        return 0.0
    return 1.0 - comb(hidden - marked, held) / comb(hidden, held) if hidden >= held else 1.0


def chance_of_any(view: View, hidden: int, wanted: int, seats: Iterable[int]) -> float:
    """The probability that one or more of these seats holds one or more of the ``wanted`` cards."""
    drawn = 0
    for seat in seats:
        certain = known(view, seat)
        if certain & wanted:
            return 1.0
        drawn += view.hands[seat].count - certain.bit_count()
    return chance(hidden.bit_count(), (hidden & wanted).bit_count(), drawn)


def expected_best(gains: Iterable[float], held: int) -> float:
    """The mean of the highest of ``held`` gains drawn at random, without putting back, from ``gains``."""
    ranked = sorted(gains, reverse=True)
    if held <= 0 or not ranked:
        return 0.0
    held = min(held, len(ranked))
    ways = comb(len(ranked), held)
    return sum(gain * comb(len(ranked) - place - 1, held - 1) for place, gain in enumerate(ranked)) / ways
