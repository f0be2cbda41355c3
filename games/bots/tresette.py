"""How the house plays Tresette, alone against one or in a pair: from the View only, in thirds of a point (T4).

Each legal card is weighed by what its line may expect of this trick, less what the card is still good for in the hand:
so aces go to safe tricks, threes and twos aren't spent on worthless ones, a lost trick gets the poorest card, and a
partner's trick gets points. It never remembers earlier tricks and never looks at the clock.
"""

from games.bots.belief import chance_of_any, unseen
from games.engine.cards import BIT, CARDS, DECK_SIZE, SUITS, cards_in, mask_of
from games.engine.game import Move, TableCard, View
from games.engine.tricks import STRENGTH, SUIT_OF, THIRDS

KEEP = (1.5, 2.0, 2.6, 0.0, 0.0, 0.05, 0.1, 0.2, 0.3, 0.5)  # what a card is worth keeping, by rank: "A234567FCR"
LAST_TRICK = 3  # its point, in thirds
LEAD = 0.3  # what it is worth to lead the next trick
OVERTAKEN = 0.35  # how often a later player wins the trick back once it was beaten, given that he could have before
GUARD = 0.25  # a small card beside an ace that has neither the three nor the two with it
LONG = 0.12  # leading a suit in which the opponents may soon have nothing left, a card
STRONGER: tuple[int, ...] = tuple(
    mask_of(other for other in cards_in(SUIT_OF[card]) if STRENGTH[other] > STRENGTH[card]) for card in range(DECK_SIZE)
)

ACES = mask_of(CARDS["A" + suit] for suit in SUITS)
TOPS = mask_of(CARDS[rank + suit] for rank in "23" for suit in SUITS)


def choose(view: View) -> Move:
    """The legal play that its line may expect most of; ties go to the card with the lowest number."""
    plays = [move for move in view.legal if move.verb == "play"]
    return max(plays, key=lambda move: (round(_value(view, move.seat, move.card), 9), -move.card))


def _value(view: View, seat: int, card: int) -> float:
    trick = (*view.table, TableCard(card, seat))
    won = _chance_to_win(view, seat, trick)
    pot = sum(THIRDS[lying.card] for lying in trick)
    if view.hands[seat].count == 1 and view.stock == 0:
        pot += LAST_TRICK
    value = (2 * won - 1) * pot + won * LEAD - _worth_keeping(view, seat, card)
    return value if view.table else value + _suit_to_lead(view, seat, card)


def _chance_to_win(view: View, seat: int, trick: tuple[TableCard, ...]) -> float:
    """The probability that the line of ``seat`` takes the trick once everybody has played to it."""
    best = _winning(trick)
    players = len(view.hands)
    later = [(seat + step) % players for step in range(1, players - len(trick) + 1)]
    ours = [other for other in later if other % 2 == seat % 2]
    theirs = [other for other in later if other % 2 != seat % 2]
    hidden = unseen(view)
    beat = STRONGER[best.card]
    lost = chance_of_any(view, hidden, beat, theirs)
    helped = chance_of_any(view, hidden, beat, ours)
    if best.seat is not None and best.seat % 2 == seat % 2:
        return 1 - lost * (1 - OVERTAKEN * helped)
    return helped * (1 - OVERTAKEN * lost)


def _winning(trick: tuple[TableCard, ...]) -> TableCard:
    """The card that wins the trick so far: the highest of the suit led (T3)."""
    best = trick[0]
    for lying in trick[1:]:
        if STRONGER[best.card] >> lying.card & 1:
            best = lying
    return best


def _worth_keeping(view: View, seat: int, card: int) -> float:
    """What the card may still do in later tricks, in thirds."""
    if view.hands[seat].count == 1:
        return 0.0
    hand = mask_of(view.hands[seat].cards)
    suit = hand & SUIT_OF[card]
    guards = suit & ACES and not suit & TOPS and not BIT[card] & ACES
    return KEEP[card % 10] + (GUARD if guards else 0.0)


def _suit_to_lead(view: View, seat: int, card: int) -> float:
    """Why to lead this suit rather than another: length, with something at its head."""
    suit = mask_of(view.hands[seat].cards) & SUIT_OF[card]
    return LONG * (suit.bit_count() - 1)
