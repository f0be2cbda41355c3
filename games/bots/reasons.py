"""Reasons why one card is worse than another (HP6), from what its player saw: the table, the tricks remembered, the own
hand. Codes and cards; the words are given elsewhere. It weighs nothing.
"""

from typing import NamedTuple

from games.bots.briscola.deal import BEATING as TAKING
from games.bots.briscola.deal import ORDERED as PLACES
from games.bots.briscola.deal import POINTS
from games.bots.captures.player import GAMES
from games.bots.memory import Memory
from games.engine.captures import HIGHEST, SAME_VALUE, SETTEBELLO, VALUE
from games.engine.cards import BIT, FULL, SUIT_MASKS, list_cards, make_mask
from games.engine.game import GameMove, View
from games.engine.tricks import BEATING, STRENGTH, SUIT, SUIT_OF, THIRDS

DENARI = SUIT_MASKS[0]
PRIMIERA_ORDER = (6, 5, 0)  # ranks that count for it: sevens, sixes, aces (S8)
AVERAGE = "on_average"  # no plainer reason


class Reason(NamedTuple):
    """Code of a reason with the cards it speaks of, a number (of cards, points or thirds), and what a table adds up
    to."""

    code: str
    cards: tuple[int, ...] = ()
    number: int = 0
    total: int = 0


CODES = frozenset({
    "missed_scopa", "missed_settebello", "missed_capture", "missed_denari", "missed_primiera", "missed_cards",
    "left_scopa", "left_settebello", "left_denari", "gave_primiera", "fewer_left",
    "missed_trick", "took_trick", "gave_points", "partner_takes", "higher_out", "sure_trick", "spent_high",
    "missed_points", "worth_taking", "easier_left", "unload", "trump_pays", "trump_spent", "gave_load", "partner_load",
    "missed_load", "on_average",
})  # fmt: skip


def find_reason(ruleset_id: str, view: View, memory: Memory, played: GameMove, best: GameMove) -> Reason:
    """Return the plainest reason why ``best`` was better than ``played``."""
    unseen = find_out(view, memory, played.seat)
    if ruleset_id in GAMES:
        reason = _find_in_captures(ruleset_id, view, unseen, played, best)
    elif view.turned is not None:
        reason = _find_in_briscola(view, played, best)
    else:
        reason = _find_in_tricks(view, unseen, played, best, fewest=ruleset_id == "tresette-a-perdere")
    return reason or Reason(AVERAGE, (best.card,))


def find_advantage(ruleset_id: str, view: View, memory: Memory, best: GameMove) -> tuple[GameMove, Reason] | None:
    """Return what most of the other plays would be worse for than ``best``, with one of them; None without another."""
    others = [move for move in view.legal if move.verb == "play" and move.seat == best.seat and move != best]
    others = [move for move in others if move.card != best.card] or others  # how a card takes is said with it
    reasons = [(move, find_reason(ruleset_id, view, memory, move, best)) for move in others]
    codes = [reason.code for _move, reason in reasons if reason.code != AVERAGE]
    if not codes:
        return reasons[0] if reasons else None
    code = max(codes, key=codes.count)  # of several as frequent the first
    return next((move, reason) for move, reason in reasons if reason.code == code)


def find_out(view: View, memory: Memory, seat: int) -> int:
    """Return the cards that others may still play, as this player knows: those never seen, and those drawn openly."""
    seen = memory.seen | make_mask(lying.card for lying in view.table) | make_mask(view.hands[seat].cards)
    for hand in view.hands:
        seen |= make_mask(hand.cards)
    if view.turned is not None:
        seen |= BIT[view.turned]
    played = make_mask(play.card for play in memory.plays)
    drawn = make_mask(card for owner, card in memory.drawn if owner != seat)
    return FULL & ~seen | drawn & ~played


# Scopa and its relatives


def _find_in_captures(ruleset_id: str, view: View, unseen: int, played: GameMove, best: GameMove) -> Reason | None:
    style = GAMES[ruleset_id].glances.style
    table = make_mask(lying.card for lying in view.table)
    more = view.stock > 0 or sum(hand.count for hand in view.hands) > 1

    def sweeps(move: GameMove) -> bool:
        return bool(move.takes) and move.takes == table and more and style.sweeps(move.card, move.takes)

    def gain(move: GameMove) -> int:
        return move.takes | BIT[move.card] if move.takes else 0

    def leave(move: GameMove) -> int:
        return table & ~move.takes if move.takes else table | BIT[move.card]

    missed = gain(best) & ~gain(played)
    if sweeps(best) and not sweeps(played):
        return Reason("missed_scopa", tuple(list_cards(best.takes)))
    if missed & SETTEBELLO:
        return Reason("missed_settebello", (best.card,))
    left, instead = leave(played), leave(best)
    if left & SETTEBELLO and not instead & SETTEBELLO and unseen & SAME_VALUE[6]:
        return Reason("left_settebello", (), (unseen & SAME_VALUE[6]).bit_count())
    danger, other = count_sweepers(left, unseen), count_sweepers(instead, unseen)
    if danger > other:
        total = sum(VALUE[card] for card in list_cards(left))
        return Reason("left_scopa", (), danger, total)
    if best.takes and not played.takes:
        return Reason("missed_capture", tuple(list_cards(best.takes)))
    denari = (gain(best) & DENARI).bit_count() - (gain(played) & DENARI).bit_count()
    if denari > 0:
        return Reason("missed_denari", tuple(list_cards(missed & DENARI)), denari)
    for rank in PRIMIERA_ORDER:
        if (gain(best) & SAME_VALUE[rank]).bit_count() > (gain(played) & SAME_VALUE[rank]).bit_count():
            return Reason("missed_primiera", tuple(list_cards(missed & SAME_VALUE[rank])))
    if gain(best).bit_count() > gain(played).bit_count():
        return Reason("missed_cards", (), gain(best).bit_count() - gain(played).bit_count())
    if not played.takes:
        if (left & DENARI).bit_count() > (instead & DENARI).bit_count():
            return Reason("left_denari", (played.card,))
        if played.card % 10 in PRIMIERA_ORDER[:2] and best.card % 10 not in PRIMIERA_ORDER[:2]:
            return Reason("gave_primiera", (played.card,))
    threats, fewer = _count_like(played.card, unseen), _count_like(best.card, unseen)
    if not played.takes and not best.takes and threats > fewer:
        return Reason("fewer_left", (played.card, best.card), threats)
    return None


def count_sweepers(table: int, unseen: int) -> int:
    """Return how many unseen cards would take the whole of a table at once, as its sum or its like."""
    total = sum(VALUE[card] for card in list_cards(table))
    if not table or total > HIGHEST:
        return 0
    return sum(VALUE[card] == total for card in list_cards(unseen))


def _count_like(card: int, unseen: int) -> int:
    return (unseen & SAME_VALUE[card % 10]).bit_count()


# Tresette and its relatives


def _find_in_tricks(view: View, unseen: int, played: GameMove, best: GameMove, *, fewest: bool) -> Reason | None:
    trick = [lying.card for lying in view.table]
    if not trick:
        return _find_in_leads(view, unseen, played, best, fewest=fewest)
    players = len(view.hands)
    place = _find_taking_place(trick)
    top, taker = trick[place], view.table[place].seat
    mates = taker is not None and (taker - played.seat) % 2 == 0
    last = len(trick) == players - 1
    wins, could = BEATING[top] >> played.card & 1, BEATING[top] >> best.card & 1
    pot = sum(THIRDS[card] for card in trick)
    if fewest:
        if wins and not could:
            return Reason("took_trick", (best.card,), pot + THIRDS[played.card])
        if could and not wins:
            sure = last or not unseen & BEATING[best.card]
            return Reason("worth_taking", (best.card,), pot + THIRDS[best.card]) if sure else None
        if not wins and not mates and THIRDS[best.card] > THIRDS[played.card]:
            return Reason("missed_points", (best.card,), THIRDS[best.card])
        return _find_burden(played, best)
    if could and not wins:
        sure = last or not unseen & BEATING[best.card]
        return Reason("missed_trick" if sure else "sure_trick", (best.card,), pot + THIRDS[best.card])
    if not wins and not mates and THIRDS[played.card] > THIRDS[best.card]:
        return Reason("gave_points", (played.card, best.card), THIRDS[played.card] - THIRDS[best.card])
    if mates and not wins and THIRDS[best.card] > THIRDS[played.card]:
        return Reason("partner_takes", (best.card,), THIRDS[best.card])
    if wins and could and THIRDS[best.card] > THIRDS[played.card] and last:
        return Reason("missed_points", (best.card,), THIRDS[best.card])
    higher = unseen & BEATING[played.card] & SUIT_OF[trick[0]]
    if wins and not last and higher and not unseen & BEATING[best.card]:
        return Reason("higher_out", tuple(list_cards(higher))[-3:], 0)
    if wins and BEATING[best.card] >> played.card & 1:
        return Reason("spent_high", (played.card, best.card))
    return None


def _find_in_leads(view: View, unseen: int, played: GameMove, best: GameMove, *, fewest: bool) -> Reason | None:
    higher = unseen & BEATING[played.card]
    if fewest:
        below = unseen & SUIT_OF[played.card] & ~BEATING[played.card]
        if below and not higher:
            return Reason("took_trick", (best.card,), THIRDS[played.card])
        more = unseen & BEATING[best.card]
        if more.bit_count() > higher.bit_count():
            return Reason("easier_left", (best.card, played.card), more.bit_count(), higher.bit_count())
        return _find_burden(played, best)
    if not unseen & BEATING[best.card] and higher:
        return Reason("higher_out", tuple(list_cards(higher))[-3:])
    if THIRDS[played.card] > THIRDS[best.card] and higher:
        return Reason("gave_points", (played.card, best.card), THIRDS[played.card] - THIRDS[best.card])
    if not higher and unseen & BEATING[best.card] and SUIT[best.card] != SUIT[played.card]:
        return Reason("spent_high", (played.card, best.card))
    return None


def _find_burden(played: GameMove, best: GameMove) -> Reason | None:
    """Return that a card which takes tricks nobody wants is better played now (A1)."""
    heavier = (STRENGTH[best.card], THIRDS[best.card]) > (STRENGTH[played.card], THIRDS[played.card])
    return Reason("unload", (best.card,)) if heavier else None


def _find_taking_place(trick: list[int]) -> int:
    place = 0
    for at in range(1, len(trick)):
        if BEATING[trick[place]] >> trick[at] & 1:
            place = at
    return place


# Briscola


def _find_in_briscola(view: View, played: GameMove, best: GameMove) -> Reason | None:
    assert view.turned is not None
    trumps = view.turned // 10
    worth = {move.card: POINTS[PLACES[move.card]] for move in (played, best)}
    trick = [lying.card for lying in view.table]
    if not trick:
        if played.card // 10 == trumps and best.card // 10 != trumps:
            return Reason("trump_spent", (played.card, best.card))
        if worth[played.card] > worth[best.card]:
            return Reason("gave_load", (played.card, best.card), worth[played.card])
        return None
    beating, place = TAKING[trumps], 0
    for at in range(1, len(trick)):
        if beating[PLACES[trick[place]]] >> PLACES[trick[at]] & 1:
            place = at
    taker = view.table[place].seat
    mates = taker is not None and (taker - played.seat) % 2 == 0
    above = beating[PLACES[trick[place]]]
    wins, could = above >> PLACES[played.card] & 1, above >> PLACES[best.card] & 1
    pot = sum(POINTS[PLACES[card]] for card in trick)
    if could and not wins:
        code = "trump_pays" if best.card // 10 == trumps else "missed_trick"
        return Reason(code, (best.card,), pot + worth[best.card])
    if wins and not could and played.card // 10 == trumps:
        return Reason("trump_spent", (played.card, best.card), pot)
    if not wins and not mates and worth[played.card] > worth[best.card]:
        return Reason("gave_load", (played.card, best.card), worth[played.card])
    if mates and not wins and worth[best.card] > worth[played.card]:
        return Reason("partner_load", (best.card,), worth[best.card])
    if wins and could and played.card // 10 == trumps and best.card // 10 != trumps:
        return Reason("trump_spent", (played.card, best.card), pot)
    if wins and could and worth[best.card] > worth[played.card]:
        return Reason("missed_load", (best.card,), worth[best.card])
    return None
