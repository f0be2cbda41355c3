"""Briscola deals with open cards played to their end in a moment, as people mostly play.

The deal is left alone; the answer is its final value, the points of line 0. Whoever leads gives little away; whoever
follows takes what is worth a card, and throws what is worth least on what they can't or needn't take. With ``trail``
every card is noted, in order, for the tests.
"""

from games.bots.briscola.deal import BEATING, POINTS, SUIT_SIZE, BriscolaDeal
from games.bots.dice import Dice
from games.engine.cards import DECK_SIZE

WAVERING = 2.0  # points that hardly tell
# What a card is worth keeping, in points, by its place in a suit: 2 4 5 6 7 F C R 3 A.
_KEPT = (0.0, 0.0, 0.0, 0.0, 0.0, 0.8, 0.8, 0.8, 4.0, 4.0)
_KEPT_TRUMP = (6.0, 6.0, 6.0, 6.0, 6.0, 7.0, 8.0, 9.0, 20.0, 22.0)
RISK = 0.6  # of a leader's points, how much they are feared for


def _tabulate(trumps: int) -> tuple[float, ...]:
    return tuple(
        (_KEPT_TRUMP if place // SUIT_SIZE == trumps else _KEPT)[place % SUIT_SIZE] for place in range(DECK_SIZE)
    )


KEPT: tuple[tuple[float, ...], ...] = tuple(_tabulate(trumps) for trumps in range(4))  # by the suit of trumps
LEADING: tuple[tuple[float, ...], ...] = tuple(
    tuple(kept + RISK * points for kept, points in zip(KEPT[trumps], POINTS, strict=True)) for trumps in range(4)
)


def play_out(deal: BriscolaDeal, dice: Dice, trail: list[int] | None = None) -> int:
    """Return the points of line 0 when everybody plays on as people do."""
    random = dice.random
    beating, kept, leading = BEATING[deal.trumps], KEPT[deal.trumps], LEADING[deal.trumps]
    hands, stock, value = [hand[:] for hand in deal.hands], deal.stock[:], deal.value
    players, seat, taker = len(hands), deal.leader, deal.leader
    best = pot = count = 0
    for card in deal.trick:
        if not count or beating[best] >> card & 1:
            best, taker = card, seat
        pot += POINTS[card]
        count += 1
        seat = seat + 1 if seat + 1 < players else 0
    while count or hands[seat]:
        while count < players:
            hand = hands[seat]
            card = hand[0]
            if len(hand) > 1:
                most = -1000.0
                if count:
                    mates, above = (taker ^ seat) & 1 == 0, beating[best]
                    for held in hand:
                        points = pot + POINTS[held]
                        worth = (points if mates or above >> held & 1 else -points) - kept[held] + WAVERING * random()
                        if worth > most:
                            most, card = worth, held
                else:
                    for held in hand:
                        worth = WAVERING * random() - leading[held]
                        if worth > most:
                            most, card = worth, held
            hand.remove(card)
            if trail is not None:
                trail.append(card)
            if not count or beating[best] >> card & 1:
                best, taker = card, seat
            pot += POINTS[card]
            count += 1
            seat = seat + 1 if seat + 1 < players else 0
        if taker & 1 == 0:
            value += pot
        seat, pot, count = taker, 0, 0
        if stock:
            for step in range(players):
                hands[(taker + step) % players].append(stock.pop())
    return value
