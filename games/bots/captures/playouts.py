"""Scopa deals with open cards played on in a moment, as people mostly play: each takes what seems best at a glance.

The deal is left alone. Playing on stops when all hands are empty: the next ones nobody knows, and what was taken by
then is weighed instead (``worth``). With ``trail`` every play is noted, in order, for the tests.
"""

from games.bots.captures.deal import CaptureDeal, count_piles
from games.bots.captures.worth import Glances, expect_points
from games.bots.dice import Dice
from games.engine.cards import list_cards

WAVERING = 0.05  # how much less worth may be taken for as much


def play_out_hand(deal: CaptureDeal, glances: Glances, dice: Dice, trail: list[tuple[int, int]] | None = None) -> float:
    """Return the points that line 0 may expect of the deal beyond line 1, once the cards now in hand are played."""
    random, kept, look = dice.random, glances.kept, glances.look
    hands = [list(list_cards(hand)) for hand in deal.hands]
    table, scope, taker, seat = deal.table, deal.scope, deal.taker, deal.turn
    piles = list(deal.piles)
    players, more = len(hands), bool(deal.more or deal.stock)
    left = sum(map(len, hands))
    while left:
        hand = hands[seat]
        best, chosen = -100.0, 0
        for card in hand:
            glance = kept.get((table, card)) or look(table, card)
            worth = glance[0] + WAVERING * random() if len(hand) > 1 else 0.0
            if worth > best:
                best, chosen, taken = worth, card, glance
        hand.remove(chosen)
        left -= 1
        _worth, takes, table, gain, scopa = taken
        if trail is not None:
            trail.append((chosen, takes))
        if takes:
            taker = seat
            piles[seat & 1] |= gain
            if scopa and (left or more):
                scope += -1 if seat & 1 else 1
        seat = seat + 1 if seat + 1 < players else 0
    if more:
        return scope + expect_points(piles[0], piles[1])
    if taker >= 0:
        piles[taker & 1] |= table
    return scope + count_piles(piles[0], piles[1])
