"""The sentences of a deal, card by card: the hands dealt, every trick, capture and call, and the count.

Every function describes one step from the match before and after it; ``match_narrative`` puts the steps in order.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from games import wording as game_wording
from games.engine import match
from games.engine.game import THREE, GameMove, HeardCall, Last, Setup, Tally, TallyRow, View, count_hands
from games.engine.match import FORFEITS, Progress
from players.names import MAX_NAME_CHARACTERS
from records import forfeit_narrative, wording


class Sentence(NamedTuple):
    """A sentence of the narrative. ``kind``: dealt, call, trick, play, drawn, note, count, why, points or forfeit."""

    kind: str
    text: str


class PlayerNames(NamedTuple):
    """The names of seats and lines."""

    seats: tuple[str, ...]
    lines: tuple[str, str]


def read_names(record: object, setup: Setup) -> PlayerNames:
    """Return the names of seats and lines for the narrative of this record."""
    hands = count_hands(setup.players)
    given = _read_given_names(record, setup.players)
    letters = "AB" if hands == 2 else ("A1", "B1", "A2", "B2")
    seats = list(given or letters)
    if setup.players == THREE:
        seats = [seats[0], seats[1], _("il morto"), seats[-1]]
        lines = (seats[0], wording.join_list((seats[1], seats[3])))
    else:
        lines = (wording.join_list(seats[0::2]), wording.join_list(seats[1::2]))
    return PlayerNames(tuple(seats), lines)


def _read_given_names(record: object, players: int) -> list[str] | None:
    """Return the names in ``about``, one a player, if all differ and can be shown; None otherwise."""
    about = record.get("about") if isinstance(record, dict) else None
    names = about.get("names") if isinstance(about, dict) else None
    if not isinstance(names, list) or len(names) != players or not all(isinstance(name, str) for name in names):
        return None
    shown = [_keep_printable(name[: 4 * MAX_NAME_CHARACTERS])[:MAX_NAME_CHARACTERS].strip() for name in names]
    return shown if all(shown) and len(set(shown)) == players else None


def _keep_printable(text: str) -> str:
    return "".join(letter for letter in text if letter.isprintable())


# --- A deal ---


def name_deal(before: Progress) -> str:
    """Return the name of the next deal."""
    number = sum(not deal.void for deal in before.deals) + 1
    if before.tie_break:
        return _("Smazzata %(number)d, spareggio %(tie)d") % {"number": number, "tie": before.tie_break}
    return _("Smazzata %(number)d") % {"number": number}


def narrate_dealing(before: Progress, after: Progress, deck: Sequence[int], names: PlayerNames) -> list[Sentence]:
    """Describe the hands dealt, Scopa's table and a card turned up; a deal void at once says so (S2)."""
    state = after.deal
    if state is None:
        state = before.ruleset.deal(before.setup, deck, before.dealer, before.score)
    sentences = _describe_hands(before, state, names)
    view = before.ruleset.view(state, None)
    if view.table:
        text = _("In tavola: %(cards)s") % {"cards": wording.name_cards(card.card for card in view.table)}
        sentences.append(Sentence("dealt", text))
    if view.turned is not None:
        text = _("Si gira: %(card)s") % {"card": game_wording.name_card(view.turned)}
        sentences.append(Sentence("dealt", text))
    if after.deal is None:
        sentences.append(Sentence("note", _("Smazzata annullata: con tre o più re in tavola si ridanno le carte.")))
    return sentences


def _describe_hands(progress: Progress, state: Any, names: PlayerNames) -> list[Sentence]:
    sentences = []
    for seat, name in enumerate(names.seats):
        held = progress.ruleset.view(state, seat).hands[seat].cards
        text = _("%(name)s ha in mano: %(cards)s") % {"name": name, "cards": wording.write_hand(held)}
        sentences.append(Sentence("dealt", text))
    return sentences


def count_deal(before: Progress, move: GameMove, after: Progress) -> Tally | None:
    """Return the count of the deal that this move has ended."""
    return before.ruleset.tally_forfeit(before.deal, move.seat % 2) if move.verb in FORFEITS else after.tally


def narrate_move(
    before: Progress, move: GameMove, after: Progress, names: PlayerNames, earlier: Sequence[Sentence] = ()
) -> list[Sentence]:
    """Describe a move. ``earlier`` are the deal's sentences so far: they number the tricks."""
    if move.verb in FORFEITS:
        text = str(wording.FORFEITS[move.verb]) % {"name": names.seats[move.seat]}
        forfeit = Sentence("forfeit", text)
        return [
            *narrate_open_trick(before, names),
            forfeit,
            *_describe_points(after, count_deal(before, move, after), names),
        ]
    if move.verb == "play":
        sentences = _describe_play(before, move, after, names, earlier)
    else:
        sentences = [_describe_call(before, move, after, names)]
    if after.deal is None:
        sentences += _describe_points(after, count_deal(before, move, after), names)
    return sentences


def _describe_play(
    before: Progress, move: GameMove, after: Progress, names: PlayerNames, earlier: Sequence[Sentence]
) -> list[Sentence]:
    """Describe a capture, or the trick that this card completes; nothing while the trick is open."""
    last = after.ruleset.last(after.deal) if after.deal is not None else after.last
    if last is None or last.cards[-1] != (move.card, move.seat):
        return []
    if len(last.cards) > 1:
        sentences = [describe_trick(last, names, 1 + sum(sentence.kind == "trick" for sentence in earlier))]
    else:
        sentences = [describe_capture(last, names)]
    gained = _list_gained(before, after)
    if gained and len(gained) <= len(names.seats):
        drawn = ", ".join(f"{names.seats[seat]} {game_wording.name_card(card)}" for seat, card in gained)
        sentences.append(Sentence("drawn", _("Pescano: %(drawn)s") % {"drawn": drawn}))
    elif gained:
        sentences += _describe_hands(after, after.deal, names)
    if after.deal is None:
        sentences += _describe_left_over(before, move, after, names)
    return sentences


def _list_gained(before: Progress, after: Progress) -> list[tuple[int, int]]:
    """List the cards that have come into the hands with a play, seat by seat from the one to move: drawn, or dealt."""
    first = match.turn(after)
    if first is None:
        return []
    hands = len(_open_view(after).hands)
    turns = [(first + step) % hands for step in range(hands)]
    held = {seat: match.view(before, seat).hands[seat].cards for seat in turns}
    return [
        (seat, card) for seat in turns for card in match.view(after, seat).hands[seat].cards if card not in held[seat]
    ]


def _open_view(progress: Progress) -> View:
    return match.view(progress, None)


def describe_trick(last: Last, names: PlayerNames, number: int) -> Sentence:
    """Describe a whole trick."""
    played = ", ".join(f"{names.seats[card.seat or 0]} {game_wording.name_card(card.card)}" for card in last.cards)
    taker = names.seats[last.taker or 0]
    text = _("Mano %(number)d: %(played)s. Prende %(name)s")
    return Sentence("trick", text % {"number": number, "played": played, "name": taker})


def describe_capture(last: Last, names: PlayerNames) -> Sentence:
    """Describe a card played to a table of cards, with what it took."""
    card = last.cards[0]
    values = {"name": names.seats[card.seat or 0], "card": game_wording.name_card(card.card)}
    if not last.takes:
        return Sentence("play", _("%(name)s posa %(card)s") % values)
    values["taken"] = wording.name_cards(last.takes)
    if last.scopa:
        return Sentence("play", _("%(name)s gioca %(card)s e prende %(taken)s: scopa!") % values)
    return Sentence("play", _("%(name)s gioca %(card)s e prende %(taken)s") % values)


def _describe_left_over(before: Progress, move: GameMove, after: Progress, names: PlayerNames) -> list[Sentence]:
    """Describe Scopa's cards left on the table at the end, and the line that gets them (S6)."""
    table = _open_view(before).table
    if after.tally is None or after.tally.last_taker is None or any(card.seat is not None for card in table):
        return []
    left = {card.card for card in table if not move.takes >> card.card & 1} | (set() if move.takes else {move.card})
    if not left:
        return []
    line = names.lines[after.tally.last_taker]
    text = _("Restano in tavola: %(cards)s. Vanno a chi ha preso per ultimo: %(line)s")
    return [Sentence("note", text % {"cards": wording.name_cards(sorted(left)), "line": line})]


def _describe_call(before: Progress, move: GameMove, after: Progress, names: PlayerNames) -> Sentence:
    call, points = HeardCall(move.seat, move.verb, move.arg), 0
    if after.deal is not None:
        heard, credited, earlier = _open_view(after).calls, _open_view(after).credited, _open_view(before).credited
        if heard and heard[-1][:3] == call[:3]:
            call = heard[-1]
        points = sum(credited) - sum(earlier)
    return Sentence("call", wording.describe_call(call, names.seats[move.seat], points))


def narrate_open_trick(progress: Progress, names: PlayerNames) -> list[Sentence]:
    """Describe the cards of a trick that was never finished."""
    if progress.deal is None:
        return []
    lying = [card for card in _open_view(progress).table if card.seat is not None]
    if not lying:
        return []
    played = ", ".join(f"{names.seats[card.seat or 0]} {game_wording.name_card(card.card)}" for card in lying)
    return [Sentence("note", _("Mano interrotta: %(played)s") % {"played": played})]


def _describe_points(after: Progress, tally: Tally | None, names: PlayerNames) -> list[Sentence]:
    """Describe the count of the deal just finished, and the score of the match."""
    deal = after.deals[-1]
    if deal.void:
        return [Sentence("note", _("Smazzata annullata: non si conta, e lo stesso mazziere ridà le carte."))]
    rows = tally.rows if tally is not None else ()
    offender = after.outcome.offender if after.outcome is not None else None
    if offender is None:
        sentences = [Sentence("count", _describe_row(row)) for row in rows]
    else:
        sentences = [Sentence("why", _("Smazzata interrotta: i punti sono quelli del regolamento."))]
        explained = forfeit_narrative.explain_rows(rows, names.lines, offender)
        sentences += [
            Sentence("why", explained[row.code]) if row.code in explained else Sentence("count", _describe_row(row))
            for row in rows
        ]
    text = _("Punti della smazzata: %(points)s. Totale: %(score)s")
    values = {"points": wording.write_score(deal.points), "score": wording.write_score(after.score)}
    sentences.append(Sentence("points", text % values))
    return sentences


def _describe_row(row: TallyRow) -> str:
    values = {
        "what": game_wording.name_tally_row(row.code),
        "values": wording.write_score(row.values),
        "points": wording.write_score(row.points),
    }
    if row.part:
        return _("%(what)s: %(points)s") % {**values, "points": values["values"]}
    if row.values == row.points:
        return _("%(what)s: %(points)s") % values
    return _("%(what)s: %(values)s, in punti %(points)s") % values
