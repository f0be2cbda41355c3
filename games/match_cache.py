"""Positions of matches: deals and moves read once and replayed, kept for each process by (match, version).

Deck order and moves are the truth; nothing here is stored, and nothing here writes. A position holds everybody's cards:
it never leaves the server, and its repr shows none. Only what has been committed is kept.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Generic, NamedTuple, TypeVar

from cachetools import LRUCache
from django.db import transaction
from django.db.models import FilteredRelation, Q

from games.engine import match as engine
from games.engine.game import Last, Length, Setup, Tally, View
from games.engine.match import DealPoints, Progress
from games.engine.record import parse_move
from games.models import Deal, Match, Move
from games.prepared_sql import PreparedSql
from games.sealing import read_deck

MAX_MATCHES = 2000

Value = TypeVar("Value")


class ProcessCache(Generic[Value]):
    """The values that this process used last, at most ``size`` of them, by key. Safe between threads."""

    def __init__(self, size: int) -> None:
        self._values: LRUCache[object, Value] = LRUCache(size)
        self._lock = threading.Lock()  # reading moves a key to the end, so readers change it too

    def get(self, key: object) -> Value | None:
        with self._lock:
            return self._values.get(key)

    def put(self, key: object, value: Value) -> None:
        with self._lock:
            self._values[key] = value

    def clear(self) -> None:
        with self._lock:
            self._values.clear()


class Redealt(NamedTuple):
    """Reason of a deal dealt again (G5): the seat that asked for it (C2), None where the rules did (S2)."""

    seat: int | None


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """A running match at one version. ``deal_id`` and ``ply`` say where the next move is written."""

    version: int
    progress: Progress
    number: int  # of the running deal, from 0, void ones counted
    deal_id: int | None
    ply: int
    redealt: Redealt | None = None  # the deal just before this one was void
    _open_view: View | None = field(default=None, init=False, compare=False)

    @property
    def open_view(self) -> View:
        """Return the running deal as everybody may see it, worked out once."""
        view = self._open_view
        if view is None:
            view = engine.view(self.progress, None)
            object.__setattr__(self, "_open_view", view)
        return view


@dataclass(frozen=True, slots=True)
class DealCount:
    """A deal that was played to its end: what everybody saw of its count."""

    number: int  # from 1, void deals left out
    dealer: int
    tally: Tally
    last: Last | None


@dataclass(slots=True)
class _Row:
    """A deal as stored, with the moves of it that were asked for."""

    id: int
    dealer: int
    deck: str = field(repr=False)
    finished: bool
    void: bool
    points: tuple[int, int]
    moves: list[str] = field(default_factory=list)


class CommittedMatch(NamedTuple):
    """A match as this process committed or read it last, and its position; None once it is over."""

    match: Match
    position: Position | None


# Only read here. Those who sit at a table, and nobody else, are shown it as it is.
MATCHES, MOVES = PreparedSql(Match).with_results(), PreparedSql(Move).with_results()

_positions: ProcessCache[Position] = ProcessCache(MAX_MATCHES)
_committed: ProcessCache[CommittedMatch] = ProcessCache(MAX_MATCHES)
_counts: ProcessCache[DealCount] = ProcessCache(MAX_MATCHES)


def build_setup(match: Match) -> Setup:
    """Return the setup of a match, as the rules read it."""
    return Setup(
        ruleset=match.ruleset,
        players=match.players,
        length=Length(match.length_kind, match.length_value),  # type: ignore[arg-type]
        context=match.context,  # type: ignore[arg-type]
        options=match.options,
        first_dealer=match.first_dealer,
        handicap=(match.handicap[0], match.handicap[1]) if match.handicap else (0, 0),
    )


def load_position(match: Match) -> Position:
    """Return the position of a match whose row the caller has locked: one query unless this process has it."""
    position = find_position(match) or _catch_up(match)
    if position is None:
        position = _replay(match)
    keep_position(match, position)
    return position


def read_match(match_id: int) -> CommittedMatch:
    """Return a match and its position at one version, without a lock. Match.DoesNotExist."""
    while True:
        match = MATCHES.read(match_id)
        if match is None:
            raise Match.DoesNotExist
        if match.status == Match.Status.FINISHED:
            return CommittedMatch(match, None)
        position = find_position(match) or _catch_up(match)
        if position is None:
            position = _replay_unchanged(match)
            if position is None:
                continue
        keep_position(match, position)
        keep_committed(match, position)
        return CommittedMatch(match, position)


def find_committed(public_id: str, version: int = 0) -> CommittedMatch | None:
    """Return the match as this process knows it, at ``version`` or later, without a query; None if it doesn't.

    It may be at an older revision than the row: whoever writes by it says at which, and shows nothing before.
    """
    standing = _committed.get(public_id)
    return standing if standing is not None and standing.match.version >= version else None


def put_committed(standing: CommittedMatch) -> None:
    """Keep a match that has been committed, unless it is known already, or a newer revision of it."""
    match, position = standing
    hit = _committed.get(match.public_id)
    if hit is None or hit.match.revision < match.revision or hit.position is None:
        _committed.put(match.public_id, standing)
        if position is not None:
            _positions.put(match.public_id, position)


def find_position(match: Match) -> Position | None:
    """Return the position at the match's version, if this process has it."""
    hit = _positions.get(match.public_id)
    return hit if hit is not None and hit.version == match.version else None


def keep_position(match: Match, position: Position) -> None:
    """Keep a position once it is committed: one that was rolled back must never be met again."""
    transaction.on_commit(partial(_positions.put, match.public_id, position))


def keep_committed(match: Match, position: Position | None) -> None:
    """Keep what this transaction wrote, once it is committed."""
    over = match.status == Match.Status.FINISHED
    standing = CommittedMatch(copy_row(match), None if over else position)  # the caller's own may be changed later
    transaction.on_commit(partial(put_committed, standing))


def copy_row(match: Match) -> Match:
    """Return a copy of a row, faster than Python's own. No value of a row is ever changed in place."""
    made = Match.__new__(Match)
    made.__dict__.update(match.__dict__)
    return made


def clear_caches() -> None:
    """Clear the caches of this process."""
    _positions.clear()
    _committed.clear()
    _counts.clear()


def _catch_up(match: Match) -> Position | None:
    """Return the position of a match that another process moved on: the one kept here, and the moves of its deal since.

    None where that isn't all that happened: another deal was dealt, or a version was no move.
    """
    if match.training:  # moves that were taken back lie among the others (B7)
        return None
    hit = _positions.get(match.public_id)
    behind = 0 if hit is None else match.version - hit.version
    if hit is None or hit.deal_id is None or behind <= 0:
        return None
    moves = [move for move in MOVES.read_from("deal", hit.deal_id, "ply", hit.ply) if move.version <= match.version]
    if len(moves) != behind:
        return None
    progress = hit.progress
    for move in moves:
        progress = engine.play(progress, parse_move(move.text))
    if progress.deal is None:
        return None
    return Position(match.version, progress, hit.number, hit.deal_id, hit.ply + behind, hit.redealt)


def read_views(match: Match, position: Position, seat: int | None) -> list[View] | None:
    """Return what ``seat`` (None: everybody) has seen since the running deal began, oldest first, the last one now.

    None where the deal has moved on, or moves of it were taken back.
    """
    if position.deal_id is None:
        return None
    deck = (
        Deal.objects.with_results().filter(pk=position.deal_id, undone_at=None).values_list("deck", flat=True).first()
    )
    moves = [move for move in MOVES.read_from("deal", position.deal_id, "ply", 0) if move.undone_at is None]
    if deck is None or len(moves) < position.ply:
        return None
    progress = engine.start(position.progress.setup, position.progress.deals)
    progress = engine.deal(progress, read_deck(deck))
    views = [engine.view(progress, seat)]
    for move in moves[: position.ply]:
        progress = engine.play(progress, parse_move(move.text))
        views.append(engine.view(progress, seat))
    return views


def read_points_of_deals(match: Match) -> list[tuple[int, int]]:
    """Return what both lines scored in each deal that was played to its end."""
    rows = Deal.objects.with_results().filter(match_id=match.pk, finished=True, void=False, undone_at=None)
    return list(rows.order_by("number").values_list("points_0", "points_1"))


def replay_position(match: Match) -> Position:
    """Return the position of a match whose row the caller has locked, read anew: moves of it were just taken back."""
    return _replay(match)


def _replay_unchanged(match: Match) -> Position | None:
    """Return the position by the deals. None if the row has changed since it was read: they may not fit together."""
    unchanged = Match.objects.filter(pk=match.pk, version=match.version)
    try:
        position = _replay(match)
    except ValueError:  # so it is if the match has ended meanwhile
        if unchanged.exists():
            raise
        return None
    return position if unchanged.exists() else None


def _replay(match: Match) -> Position:
    rows = _read_deals(match)
    done = [DealPoints(row.dealer, row.void, row.points) for row in rows if row.finished]
    progress = engine.start(build_setup(match), done)
    running = rows[-1] if rows and not rows[-1].finished else None
    if running is None:
        return Position(match.version, progress, len(rows), None, 0)
    progress = engine.deal(progress, read_deck(running.deck))
    for text in running.moves:
        progress = engine.play(progress, parse_move(text))
    return Position(
        match.version,
        progress,
        len(rows) - 1,
        running.id,
        len(running.moves),
        _find_redeal(rows[-2] if rows[1:] else None),
    )


def _find_redeal(before: _Row | None) -> Redealt | None:
    if before is None or not before.void:
        return None
    return Redealt(parse_move(before.moves[-1]).seat if before.moves else None)


def _read_deals(match: Match) -> Sequence[_Row]:
    """Return every deal, with the moves of the unfinished one and of void ones, in a single query."""
    deals: dict[int, _Row] = {}
    query = (
        Deal.objects.with_results()
        .filter(match_id=match.pk, undone_at=None)
        .annotate(
            running=FilteredRelation("moves", condition=(Q(finished=False) | Q(void=True)) & Q(moves__undone_at=None))
        )
        .order_by("number", "running__ply")
        .values_list("id", "dealer", "deck", "finished", "void", "points_0", "points_1", "running__text")
    )
    for id_, dealer, deck, finished, void, points_0, points_1, text in query:
        row = deals.setdefault(id_, _Row(id_, dealer, deck, finished, void, (points_0, points_1)))
        if text is not None:
            row.moves.append(text)
    return list(deals.values())


def keep_count(match: Match, before: int, progress: Progress) -> None:
    """Keep the count of the deal that has just ended, once that is committed: ``count_deal`` finds it."""
    done = progress.deals[-1]
    if progress.tally is not None and not done.void:
        number = sum(not deal.void for deal in progress.deals)
        count = DealCount(number, done.dealer, progress.tally, progress.last)
        transaction.on_commit(partial(_counts.put, (match.public_id, before), count))


def count_deal(match: Match, before: int) -> DealCount | None:
    """Return the count of the last deal before the one numbered ``before``; None if that wasn't played to its end."""
    key = (match.public_id, before)
    hit = None if match.training else _counts.get(key)  # a deal taken back may end otherwise (B7)
    if hit is not None or before == 0:
        return hit
    rows = Deal.objects.with_results()
    deals = list(rows.filter(match_id=match.pk, finished=True, number__lt=before, undone_at=None))
    while deals and deals[-1].void:
        deals.pop()
    if not deals:
        return None
    deal = deals.pop()
    earlier = [DealPoints(row.dealer, row.void, (row.points_0, row.points_1)) for row in deals]
    progress = engine.deal(engine.start(build_setup(match), earlier), read_deck(deal.deck))
    for text in deal.moves.with_results().filter(undone_at=None).order_by("ply").values_list("text", flat=True):
        progress = engine.play(progress, parse_move(text))
    if progress.tally is None:
        return None
    number = sum(not row.void for row in deals) + 1
    count = DealCount(number, deal.dealer, progress.tally, progress.last)
    _counts.put(key, count)
    return count
