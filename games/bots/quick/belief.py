"""Estimates about the cards a player doesn't see: every unseen card is as likely as any other to be in a hand.

It decides no play and remembers nothing: only what lies in the View counts as seen, as for a person who doesn't keep
the tricks in mind; calls count as long as they can be read. Cards are ints, sets of cards are bit masks.
"""

from collections.abc import Iterable, Iterator
from math import comb

from games.engine.calls import RANK_MASKS
from games.engine.cards import FULL, SUIT_MASKS, SUITS, make_mask
from games.engine.game import TableCard, View

HONOURS = RANK_MASKS["3"] | RANK_MASKS["2"] | RANK_MASKS["A"]
OPEN_TRICKS = 2  # the running trick and the one before lie in the View


def find_unseen(view: View) -> int:
    """Return the cards that may be in a hidden hand: not known to be in one, not lying open, not seen being taken."""
    known_hands = 0
    for seat in range(len(view.hands)):
        known_hands |= find_known(view, seat)
    return FULL & ~(known_hands | _find_lying(view))


def find_known(view: View, seat: int) -> int:
    """Return the cards of a hand that the viewer knows for certain: in sight, drawn openly (T1), or named in a call."""
    cards = make_mask(view.hands[seat].cards)
    if view.seat == seat or (not view.calls and (view.last is None or not view.last.drawn)):
        return cards
    if view.last is not None:
        cards |= make_mask(shown.card for shown in view.last.drawn if shown.seat == seat)
    # An accuso (C4) stays in sight longer than the tricks in which its cards may have been played.
    fresh = sum(pile.tricks for pile in view.piles) < OPEN_TRICKS
    cards |= make_mask(
        {card for call in view.calls if call.seat == seat and (fresh or call.verb != "accuso") for card in call.cards}
    )
    return cards & ~_find_lying(view)


def find_lacking(view: View, seat: int) -> int:
    """Return the cards that another seat can't hold unseen: of a suit it couldn't follow or had the last card of, and
    honours that its *Ho* left out (T10)."""
    cards = 0
    for trick in (view.last.cards if view.last is not None else (), view.table):
        for lying in trick:
            if lying.seat == seat and lying.card // 10 != trick[0].card // 10:
                cards |= SUIT_MASKS[trick[0].card // 10]
    for call in view.calls:
        if call.seat != seat:
            continue
        if call.verb == "declare" and call.held:
            suit = SUIT_MASKS[SUITS.index(call.arg[0])]
            cards |= suit if call.held == 1 else suit & HONOURS & ~make_mask(call.cards)
        elif call.arg == "volo" and (lead := _find_led_card(view, seat)) is not None:
            cards |= SUIT_MASKS[lead // 10]
    return cards


def list_bussi(view: View, seat: int) -> Iterator[int]:
    """List the suits a seat has asked for with *busso* as leader (T10, C3), as far as they can be read, the latest
    last."""
    for call in view.calls:
        if call.seat == seat and call.arg.endswith("busso"):
            if call.verb == "declare":
                yield SUITS.index(call.arg[0])
            elif (lead := _find_led_card(view, seat)) is not None:
                yield lead // 10


def compute_chance(hidden: int, marked: int, held: int) -> float:
    """Return the probability that a hand of ``held`` cards out of ``hidden`` unseen ones has one of the ``marked``."""
    if marked <= 0 or held <= 0:
        return 0.0
    return 1.0 - comb(hidden - marked, held) / comb(hidden, held) if hidden - marked >= held else 1.0


def compute_chance_of_any(view: View, hidden: int, wanted: int, seats: Iterable[int]) -> float:
    """Return the probability that one or more of these seats holds one or more of the ``wanted`` cards."""
    none, left = 1.0, hidden.bit_count()
    for seat in seats:
        certain = find_known(view, seat)
        if certain & wanted:
            return 1.0
        drawn = view.hands[seat].count - certain.bit_count()
        none *= 1.0 - compute_chance(left, (hidden & wanted & ~find_lacking(view, seat)).bit_count(), drawn)
        left -= drawn
    return 1.0 - none


def compute_expected_best(gains: Iterable[float], held: int) -> float:
    """Return the mean of the highest of ``held`` gains drawn at random, without putting back, from ``gains``."""
    ranked = sorted(gains, reverse=True)
    if held <= 0 or not ranked:
        return 0.0
    held = min(held, len(ranked))
    ways = comb(len(ranked), held)
    return sum(gain * comb(len(ranked) - place - 1, held - 1) for place, gain in enumerate(ranked)) / ways


def _find_lying(view: View) -> int:
    """Return the cards in nobody's hand: the table, the last trick or play, and what *carte viste* shows (T12, S10)."""
    lying = make_mask(lying.card for lying in view.table) | make_mask(view.seen)
    if view.last is not None:
        lying |= make_mask(played.card for played in view.last.cards) | make_mask(view.last.takes)
    return lying


def _find_led_card(view: View, seat: int) -> int | None:
    """Return the card a seat led, of the running trick or else the one before."""
    tricks: tuple[tuple[TableCard, ...], ...] = (view.table, view.last.cards if view.last is not None else ())
    return next((trick[0].card for trick in tricks if trick and trick[0].seat == seat), None)
