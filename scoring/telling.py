"""The sentences of a deal told card by card: what was dealt, every trick, capture and call, and how it was counted.

Each function takes the match before and after a step and says what that step was; ``account`` puts them in order.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from games import words
from games.engine import match
from games.engine.game import THREE, GameMove, Last, Said, Setup, Tally, TallyRow, View, hands_of
from games.engine.match import FORFEITS, Progress
from players.names import LONGEST_NAME
from scoring import forfeits, sentences


class Entry(NamedTuple):
    """A sentence of the account. ``kind``: dealt, call, trick, play, drawn, note, count, why, points or forfeit."""

    kind: str
    text: str


class Names(NamedTuple):
    """What seats and lines are called."""

    seats: tuple[str, ...]
    lines: tuple[str, str]


def names_of(record: object, setup: Setup) -> Names:
    """What seats and lines are called in an account of this record."""
    hands = hands_of(setup.players)
    given = _given(record, setup.players)
    letters = "AB" if hands == 2 else ("A1", "B1", "A2", "B2")
    seats = list(given or letters)
    if setup.players == THREE:
        seats = [seats[0], seats[1], _("il morto"), seats[-1]]
        lines = (seats[0], sentences.listed((seats[1], seats[3])))
    else:
        lines = (sentences.listed(seats[0::2]), sentences.listed(seats[1::2]))
    return Names(tuple(seats), lines)


def _given(record: object, players: int) -> list[str] | None:
    """The names in ``about``, one a player, all different and fit to be shown; None otherwise."""
    about = record.get("about") if isinstance(record, dict) else None
    names = about.get("names") if isinstance(about, dict) else None
    if not isinstance(names, list) or len(names) != players or not all(isinstance(name, str) for name in names):
        return None
    shown = [_printable(name[: 4 * LONGEST_NAME])[:LONGEST_NAME].strip() for name in names]
    return shown if all(shown) and len(set(shown)) == players else None


def _printable(text: str) -> str:
    return "".join(letter for letter in text if letter.isprintable())


# --- A deal ---


def title(before: Progress) -> str:
    """What the deal that comes next is called."""
    number = sum(not deal.void for deal in before.deals) + 1
    if before.tie_break:
        return _("Smazzata %(number)d, spareggio %(tie)d") % {"number": number, "tie": before.tie_break}
    return _("Smazzata %(number)d") % {"number": number}


def dealt(before: Progress, after: Progress, deck: Sequence[int], names: Names) -> list[Entry]:
    """The hands dealt and Scopa's table; a deal void at once says so (S2)."""
    state = after.deal
    if state is None:
        state = before.ruleset.deal(before.setup, deck, before.dealer, before.score)
    entries = _hands(before, state, names)
    view = before.ruleset.view(state, None)
    if view.table:
        text = _("In tavola: %(cards)s") % {"cards": sentences.cards(card.card for card in view.table)}
        entries.append(Entry("dealt", text))
    if after.deal is None:
        entries.append(Entry("note", _("Smazzata annullata: con tre o più re in tavola si ridanno le carte.")))
    return entries


def _hands(progress: Progress, state: Any, names: Names) -> list[Entry]:
    entries = []
    for seat, name in enumerate(names.seats):
        held = progress.ruleset.view(state, seat).hands[seat].cards
        text = _("%(name)s ha in mano: %(cards)s") % {"name": name, "cards": sentences.hand(held)}
        entries.append(Entry("dealt", text))
    return entries


def count(before: Progress, move: GameMove, after: Progress) -> Tally | None:
    """The count of the deal that this move has ended."""
    return before.ruleset.forfeited(before.deal, move.seat % 2) if move.verb in FORFEITS else after.tally


def moved(before: Progress, move: GameMove, after: Progress, names: Names, told: Sequence[Entry] = ()) -> list[Entry]:
    """What is to be told once this move is made."""
    if move.verb in FORFEITS:
        text = str(sentences.FORFEITS[move.verb]) % {"name": names.seats[move.seat]}
        forfeit = Entry("forfeit", text)
        return [*open_trick(before, names), forfeit, *_points(after, count(before, move, after), names)]
    if move.verb == "play":
        entries = _played(before, move, after, names, told)
    else:
        entries = [_called(before, move, after, names)]
    if after.deal is None:
        entries += _points(after, count(before, move, after), names)
    return entries


def _played(before: Progress, move: GameMove, after: Progress, names: Names, told: Sequence[Entry]) -> list[Entry]:
    """A capture, or the trick that this card completes; nothing while the trick is open."""
    last = after.ruleset.last(after.deal) if after.deal is not None else after.last
    if last is None or last.cards[-1] != (move.card, move.seat):
        return []
    if len(last.cards) > 1:
        entries = [_trick(last, names, 1 + sum(entry.kind == "trick" for entry in told))]
    else:
        entries = [_capture(last, names)]
    if last.drawn:
        drawn = ", ".join(f"{names.seats[card.seat or 0]} {words.card_name(card.card)}" for card in last.drawn)
        entries.append(Entry("drawn", _("Pescano: %(drawn)s") % {"drawn": drawn}))
    elif after.deal is not None and _in_hand(after) >= _in_hand(before):
        entries += _hands(after, after.deal, names)
    if after.deal is None:
        entries += _left_over(before, move, after, names)
    return entries


def _in_hand(progress: Progress) -> int:
    return sum(hand.count for hand in _seen(progress).hands)


def _seen(progress: Progress) -> View:
    return match.view(progress, None)


def _trick(last: Last, names: Names, number: int) -> Entry:
    played = ", ".join(f"{names.seats[card.seat or 0]} {words.card_name(card.card)}" for card in last.cards)
    taker = names.seats[last.taker or 0]
    text = _("Mano %(number)d: %(played)s. Prende %(name)s")
    return Entry("trick", text % {"number": number, "played": played, "name": taker})


def _capture(last: Last, names: Names) -> Entry:
    card = last.cards[0]
    said = {"name": names.seats[card.seat or 0], "card": words.card_name(card.card)}
    if not last.takes:
        return Entry("play", _("%(name)s posa %(card)s") % said)
    said["taken"] = sentences.cards(last.takes)
    if last.scopa:
        return Entry("play", _("%(name)s gioca %(card)s e prende %(taken)s: scopa!") % said)
    return Entry("play", _("%(name)s gioca %(card)s e prende %(taken)s") % said)


def _left_over(before: Progress, move: GameMove, after: Progress, names: Names) -> list[Entry]:
    """Scopa's cards left on the table at the end, and who gets them (S6)."""
    table = _seen(before).table
    if after.tally is None or after.tally.last_taker is None or any(card.seat is not None for card in table):
        return []
    left = {card.card for card in table if not move.takes >> card.card & 1} | (set() if move.takes else {move.card})
    if not left:
        return []
    line = names.lines[after.tally.last_taker]
    text = _("Restano in tavola: %(cards)s. Vanno a chi ha preso per ultimo: %(line)s")
    return [Entry("note", text % {"cards": sentences.cards(sorted(left)), "line": line})]


def _called(before: Progress, move: GameMove, after: Progress, names: Names) -> Entry:
    said, points = Said(move.seat, move.verb, move.arg), 0
    if after.deal is not None:
        heard, credited, earlier = _seen(after).said, _seen(after).credited, _seen(before).credited
        if heard and heard[-1][:3] == said[:3]:
            said = heard[-1]
        points = sum(credited) - sum(earlier)
    return Entry("call", sentences.call(said, names.seats[move.seat], points))


def open_trick(progress: Progress, names: Names) -> list[Entry]:
    """The cards of a trick that was never finished."""
    if progress.deal is None:
        return []
    lying = [card for card in _seen(progress).table if card.seat is not None]
    if not lying:
        return []
    played = ", ".join(f"{names.seats[card.seat or 0]} {words.card_name(card.card)}" for card in lying)
    return [Entry("note", _("Mano interrotta: %(played)s") % {"played": played})]


def _points(after: Progress, tally: Tally | None, names: Names) -> list[Entry]:
    """The count of the deal just finished, and how the match stands."""
    deal = after.deals[-1]
    if deal.void:
        return [Entry("note", _("Smazzata annullata: non si conta, e lo stesso mazziere ridà le carte."))]
    rows = tally.rows if tally is not None else ()
    offender = after.outcome.offender if after.outcome is not None else None
    if offender is None:
        entries = [Entry("count", _row(row)) for row in rows]
    else:
        entries = [Entry("why", _("Smazzata interrotta: i punti sono quelli del regolamento."))]
        given = forfeits.given_away(rows, names.lines, offender)
        entries += [Entry("why", given[row.code]) if row.code in given else Entry("count", _row(row)) for row in rows]
    text = _("Punti della smazzata: %(points)s. Totale: %(score)s")
    values = {"points": sentences.versus(deal.points), "score": sentences.versus(after.score)}
    entries.append(Entry("points", text % values))
    return entries


def _row(row: TallyRow) -> str:
    values = {
        "what": words.tally_row(row.code),
        "values": sentences.versus(row.values),
        "points": sentences.versus(row.points),
    }
    if row.values == row.points:
        return _("%(what)s: %(points)s") % values
    return _("%(what)s: %(values)s, in punti %(points)s") % values
