"""The house's play of the Tresette games, alone or in a pair: from the View only, in thirds of a point (T4).

Each legal card is weighed by what its line may expect of this trick, less what the card is still good for in the hand:
so aces go to safe tricks, threes and twos aren't spent on worthless ones, a lost trick gets the poorest card, and a
partner's trick gets points. What a game wants stands in its ``Aim``. It understands its partner's calls and makes its
own. It never remembers what the View doesn't show and never looks at the clock.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from games.bots.quick.belief import HONOURS, compute_chance_of_any, find_unseen, list_bussi
from games.engine.calls import RANK_MASKS
from games.engine.cards import BIT, SUIT_MASKS, SUITS, make_mask
from games.engine.game import GameMove, TableCard, View
from games.engine.tricks import BEATING, HAND_SIZE, STRENGTH, SUIT, SUIT_OF, THIRDS

ACES = RANK_MASKS["A"]
TOPS = RANK_MASKS["3"] | RANK_MASKS["2"]
LAST_TRICK = 3  # its point, in thirds
OVERTAKEN = 0.35  # how often a later player wins the trick back once it was beaten, given that they could have before
MANY = 4  # cards of a suit that make a *striscio* true (C3)


class Aim(NamedTuple):
    """Weights of a game's aims, in thirds of a point."""

    keep: tuple[float, ...]  # what a card is worth keeping, by rank: "A234567FCR"
    points: int = 1  # what a third taken is worth: -1 where points hurt (A1)
    coming: float = 0.0  # the thirds each card still to be played to a trick brings the taker
    lead: float = 0.3  # what it is worth to lead the next trick
    guard: float = 0.25  # a small card beside an ace that has neither the three nor the two with it
    long: float = 0.12  # leading a suit, for each other card of it in the hand
    first: float = 0.0  # the first trick of a line that has none late in the deal (M6, C6)
    asked: float = 1.5  # leading the suit the partner has asked for
    speaks: bool = True  # whether telling the partner of one's hand is worth what the opponents hear
    ask: float = 0.5  # leading from an ace and one of the three and two, where the partner can be asked for the other


def choose(view: View, aim: Aim) -> tuple[GameMove, ...]:
    """Return the moves of the seat to which the view was given: its calls, then, on its turn, a card."""
    return (*choose_calls(view), *_choose_play(view, aim))


def choose_calls(view: View) -> tuple[GameMove, ...]:
    """Return the calls that help its line by themselves: combinations, calling out, a new deal."""
    by_verb: dict[str, GameMove] = {}
    for move in view.legal:
        if move.verb not in ("play", "declare", "signal"):
            by_verb[move.verb] = move  # of several accusi the last says most
    return tuple(by_verb.values())


def _choose_play(view: View, aim: Aim) -> tuple[GameMove, ...]:
    plays = [move for move in view.legal if move.verb == "play"]
    if not plays:
        return ()
    asked = _find_suit_asked(view, plays[0].seat)
    best = choose_for_partner(view, plays) or max(
        plays, key=lambda move: (round(_evaluate(view, move, aim, asked), 9), -move.card)
    )
    return (*choose_words(view, best, aim), best)


def _find_suit_asked(view: View, seat: int) -> int | None:
    """Return the suit this seat's partner asked for last (T10, C3); None without one."""
    return next(reversed([*list_bussi(view, (seat + 2) % len(view.hands))]), None) if view.calls else None


def choose_for_partner(view: View, plays: Sequence[GameMove]) -> GameMove | None:
    """Return the highest card on a partner's *busso*, unless an opponent's lies above it."""
    seat = plays[0].seat
    if not view.table or view.table[0].seat != (seat + 2) % len(view.hands):
        return None
    asked = _find_suit_asked(view, seat)
    if asked is None or SUIT[view.table[0].card] != asked:
        return None
    following = [move for move in plays if SUIT[move.card] == asked]
    if not following:
        return None
    highest = max(following, key=lambda move: STRENGTH[move.card])
    return highest if BEATING[_find_winning_card(view.table).card] & BIT[highest.card] else None


def _evaluate(view: View, move: GameMove, aim: Aim, asked: int | None) -> float:
    seat, card = move.seat, move.card
    hand = view.hands[seat]
    trick = (*view.table, TableCard(card, seat))
    won = _estimate_win(view, seat, trick, aim)
    pot = float(sum(THIRDS[lying.card] for lying in trick))
    pot += aim.coming * (len(view.hands) - len(trick))
    if hand.count == 1 and view.stock == 0:
        pot += LAST_TRICK
    value = aim.points * (2 * won - 1) * pot + won * aim.lead
    if aim.first and hand.count < HAND_SIZE / 2 and not all(pile.tricks for pile in view.piles):
        value += won * aim.first
    held = make_mask(hand.cards)
    if hand.count > 1:
        value -= _evaluate_keeping(held, card, aim)
    return value if view.table else value + _evaluate_leading(view, held, card, aim, asked)


def _estimate_beaten(view: View, card: int, seats: Iterable[int]) -> float:
    """Return the probability that one of these seats holds a card above this one."""
    return compute_chance_of_any(view, find_unseen(view), BEATING[card], seats)


def _estimate_forced_to_beat(view: View, card: int, seats: Iterable[int]) -> float:
    """Return the probability that one of these seats has to play a card above this one: it has none below in the
    suit."""
    hidden, below = find_unseen(view), SUIT_OF[card] & ~BEATING[card]
    spared = 1.0
    for seat in seats:
        above = compute_chance_of_any(view, hidden, BEATING[card], [seat])
        spared *= 1 - above * (1 - compute_chance_of_any(view, hidden, below, [seat]))
    return 1 - spared


def _estimate_win(view: View, seat: int, trick: tuple[TableCard, ...], aim: Aim) -> float:
    """Return the probability that the line of ``seat`` takes the trick once everybody has played to it."""
    best, beaten = _find_winning_card(trick), _estimate_beaten if aim.points > 0 else _estimate_forced_to_beat
    players = len(view.hands)
    later = [(seat + step) % players for step in range(1, players - len(trick) + 1)]
    lost = beaten(view, best.card, [other for other in later if other % 2 != seat % 2])
    helped = beaten(view, best.card, [other for other in later if other % 2 == seat % 2])
    if best.seat is not None and best.seat % 2 == seat % 2:
        return 1 - lost * (1 - OVERTAKEN * helped)
    return helped * (1 - OVERTAKEN * lost)


def _find_winning_card(trick: tuple[TableCard, ...]) -> TableCard:
    """Return the card that wins the trick so far: the highest of the suit led (T3)."""
    best = trick[0]
    for lying in trick[1:]:
        if BEATING[best.card] >> lying.card & 1:
            best = lying
    return best


def _evaluate_keeping(hand: int, card: int, aim: Aim) -> float:
    """Return the worth of keeping a card for later tricks, in thirds of a point."""
    suit = hand & SUIT_OF[card]
    guards = suit & ACES and not suit & TOPS and not BIT[card] & ACES
    return aim.keep[card % 10] + (aim.guard if guards else 0.0)


def _evaluate_leading(view: View, hand: int, card: int, aim: Aim, asked: int | None) -> float:
    """Return the worth of leading this suit, in thirds of a point: the partner's wish, a head to ask for, length."""
    worth = aim.long * ((hand & SUIT_OF[card]).bit_count() - 1)
    if SUIT[card] == asked:
        return worth + aim.asked
    return worth + (aim.ask if _may_ask(view) and _leads_from_honours(hand, card) else 0.0)


# What is said with a card (T10, C3)


def _may_ask(view: View) -> bool:
    return any(move.arg.endswith("busso") for move in view.legal if move.verb in ("declare", "signal"))


def _leads_from_honours(hand: int, card: int) -> bool:
    """Return whether a *busso* with this card means something: it leads away from the ace and one of the three and the
    two."""
    suit = hand & SUIT_OF[card]
    return not BIT[card] & HONOURS and bool(suit & ACES) and (suit & TOPS).bit_count() == 1


def choose_words(view: View, play: GameMove, aim: Aim) -> tuple[GameMove, ...]:
    """Return the declaration or the signal that goes out with this lead."""
    if not aim.speaks:
        return ()
    asked = _find_suit_asked(view, play.seat)
    hand, card = make_mask(view.hands[play.seat].cards), play.card
    of_suit = hand & SUIT_OF[card]
    suit = SUITS[SUIT[card]]
    what = "busso" if _leads_from_honours(hand, card) else "ho"
    if asked is not None and asked != SUIT[card] and hand & SUIT_MASKS[asked]:
        what = f"per-te+{what}"
    signals = {
        "busso": _leads_from_honours(hand, card),
        "volo": of_suit == BIT[card],
        "striscio": of_suit.bit_count() >= MANY,
    }
    calls = [
        GameMove(play.seat, "declare", arg=f"{suit} {what}"),
        *(GameMove(play.seat, "signal", arg=name) for name, true in signals.items() if true),
    ]
    return tuple([move for move in calls if move in view.legal][:1])
