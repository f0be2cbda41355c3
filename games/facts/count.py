"""Count of a match's record for each of its players: what they did, and how long they thought.

It replays the record through the engine and reads what everybody could see; no clock, no database.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from games.engine import match
from games.engine.card_points import add_card_points
from games.engine.game import GameMove, Last, Points, Setup, Tally, controlling_seat, count_hands
from games.engine.match import FORFEITS, Progress
from games.engine.record import parse_move

LONGEST_THOUGHT_MS = 300_000  # what lasted longer was no thought: a pause, an outage


class PlayedMove(NamedTuple):
    """A move of the record in its words, and the milliseconds since the move before it; None of a deal's first, which
    also waits for the cards to be dealt."""

    text: str
    after_ms: int | None


class PlayedDeal(NamedTuple):
    """A deal of the record: its deck, top card first, and its moves."""

    deck: Sequence[int]
    moves: Sequence[PlayedMove]


@dataclass(slots=True)
class SeatCount:
    """Count of one player. Scope, accusi, last tricks and plays are their own; the others are their side's.

    ``plays`` are those whose time is known.
    """

    scope: int = 0
    settebello: int = 0
    primiera: int = 0
    accusi: int = 0
    cappotti: int = 0
    last_tricks: int = 0
    plays: int = 0
    thinking_ms: int = 0


@dataclass(slots=True)
class MatchCount:
    """Count of a match: by seat, the deals that counted, and the card points of both sides where its score doesn't tell
    them."""

    seats: dict[int, SeatCount] = field(default_factory=dict)
    deals: int = 0
    card_points: Points | None = None


def count_match(setup: Setup, deals: Sequence[PlayedDeal]) -> MatchCount:
    """Return the count of a finished match. IllegalMove or ValueError where the record can't be replayed."""
    count = MatchCount(
        {controlling_seat(seat, setup.players): SeatCount() for seat in range(count_hands(setup.players))}
    )
    progress = match.start(setup)
    tallies = []
    for played in deals:
        progress = match.deal(progress, tuple(played.deck))
        for move in played.moves:
            progress = _count_step(count, progress, parse_move(move.text), move.after_ms)
        tallies.append(progress.tally)
    count.deals = sum(not finished.void for finished in progress.deals)
    if progress.terms.card_points:
        count.card_points = add_card_points(tallies)
    return count


def _count_step(count: MatchCount, before: Progress, move: GameMove, took_ms: int | None) -> Progress:
    after = match.play(before, move)
    _count_move(count.seats[controlling_seat(move.seat, after.setup.players)], move, took_ms, after)
    if after.deal is None and after.tally is not None and move.verb not in FORFEITS:
        _count_deal(count, after, after.tally)
    return after


def _count_move(own: SeatCount, move: GameMove, took_ms: int | None, after: Progress) -> None:
    if move.verb == "play":
        if took_ms is not None:
            own.plays += 1
            own.thinking_ms += min(max(took_ms, 0), LONGEST_THOUGHT_MS)
        last = _find_last(after)
        if last is not None and last.scopa and last.cards[-1] == (move.card, move.seat):
            own.scope += 1
    elif move.verb == "accuso":
        own.accusi += len(move.arg.split("+"))
    elif move.verb in ("buongioco", "collatondrione"):
        own.accusi += 1


def _find_last(progress: Progress) -> Last | None:
    return progress.ruleset.last(progress.deal) if progress.deal is not None else progress.last


def _count_deal(count: MatchCount, after: Progress, tally: Tally) -> None:
    """Add what the count of a deal gave: to both of a side, but the last trick to whoever took it."""
    rows = {row.code: row for row in tally.rows}
    bare = _find_cappotto(tally, after)
    for seat, own in count.seats.items():
        side = seat % 2
        own.settebello += rows["settebello"].points[side] > 0 if "settebello" in rows else 0
        own.primiera += rows["primiera"].points[side] > 0 if "primiera" in rows else 0
        own.cappotti += bare == 1 - side
    last = after.last
    if last is not None and len(last.cards) > 1 and last.taker is not None:
        count.seats[controlling_seat(last.taker, after.setup.players)].last_tricks += 1


def _find_cappotto(tally: Tally, after: Progress) -> int | None:
    """Return the side that made no point by its cards in a whole deal of tricks (T6, M6, C6); None where both did, and
    where fewest points win."""
    made = [row.points for row in tally.rows if row.code in ("thirds", "last_trick")]
    if len(made) < 2 or not tally.whole or after.terms.fewest_wins:
        return None
    sums = [sum(points[side] for points in made) for side in (0, 1)]
    return sums.index(0) if 0 in sums else None
