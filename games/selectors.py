"""Reads of tables: where a match stands, what each seat may see, the record, and what is due. They never write."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import IntEnum
from time import monotonic
from typing import Any, NamedTuple

import orjson
from django.db.models import Q, QuerySet

from games import late_deals, match_cache
from games.clocks import GRACE, is_over
from games.engine import match as engine
from games.engine import record as records
from games.engine.game import GO_WITH_CARD, PLAYS, GameMove, IllegalMove, View, controlling_seat
from games.engine.match import Progress
from games.engine.record import Json
from games.frames import (
    build_deal_part,
    build_seat_part,
    build_version_part,
    build_view_frame,
    encode_part,
    join_parts,
    to_milliseconds,
)
from games.match_cache import CommittedMatch, DealCount, Position, ProcessCache, Redealt
from games.models import Deal, Match, Move, Seat
from games.prepared_sql import PreparedSql
from players.models import Player

KEEP_SEATS_SECONDS = 5.0
OVERDUE = timedelta(seconds=2)  # what is later than this isn't the sweep's rhythm any more

SEATS = PreparedSql(Seat)  # only read here

LATE = -1  # in a seat's place: a spectator who sees a running match one deal late (W3)


class Watching(IntEnum):
    """Right to watch a running match without a seat, the least first (N4, W3)."""

    REFUSED = 0
    LATE = 1  # one deal late
    LIVE = 2


WatchPolicy = Callable[[Match, Player | None, datetime], Watching]

_policies: list[WatchPolicy] = []
_seats: ProcessCache[tuple[float, list[Seat]]] = ProcessCache(match_cache.MAX_MATCHES)


def clear_caches() -> None:
    """Clear the caches of tables in this process."""
    match_cache.clear_caches()
    late_deals.clear_cache()
    _shown.clear()
    _deal_parts.clear()
    _seats.clear()


def load_progress(match: Match) -> Progress:
    """Return the match's progress, everybody's cards included: for services and tests, never for the wire."""
    match, position = match_cache.read_match(match.pk)
    if position is not None:
        return position.progress
    return records.replay(records.parse(build_record(match))).progress


def find_match(public_id: str) -> Match | None:
    """Return the match of that public id; None if there is none."""
    return match_cache.MATCHES.find(public_id=public_id)


def find_seat(match: Match, player: Player | None) -> int | None:
    """Return the seat of ``player`` at this table; None if they have none."""
    if player is None:
        return None
    seat = SEATS.find(match=match.pk, player=player.pk)
    return None if seat is None else seat.number


def register_watch_policy(policy: WatchPolicy) -> None:
    """Add a condition for watching, of which the strictest holds: at start, by apps that know more than a table
    does."""
    if policy not in _policies:
        _policies.append(policy)


def find_watching(match: Match, player: Player | None, now: datetime) -> Watching:
    """Return how ``player`` (None: a visitor) may watch this table as a spectator (N4, W3). Seated players need no
    leave, and a match that is over is anybody's."""
    if match.status == Match.Status.FINISHED:
        return Watching.LIVE
    return min((policy(match, player, now) for policy in _policies), default=Watching.LIVE)


class Viewpoint(NamedTuple):
    """Seat that somebody sees a table from, or their right to watch it without one."""

    seat: int | None
    watching: Watching

    @property
    def viewer(self) -> int | None:
        """Return what ``encode_views`` takes: the seat, None or LATE."""
        return LATE if self.seat is None and self.watching is Watching.LATE else self.seat

    @property
    def is_refused(self) -> bool:
        """Return whether they may not even watch."""
        return self.seat is None and self.watching is Watching.REFUSED


def find_viewpoint(match: Match, player: Player | None, now: datetime) -> Viewpoint:
    """Return the seat of ``player`` at this table, or how they may watch it without one."""
    seat = find_seat(match, player)
    return Viewpoint(seat, Watching.LIVE if seat is not None else find_watching(match, player, now))


# --- What a seat sees ------------------------------------------------------------------------------------------------


class ViewKey(NamedTuple):
    """Identity of a table's views: an outage moves the due times at the same version, and a player may choose what the
    system calls for them."""

    version: int
    deadline_at: datetime | None
    noshow_at: datetime | None
    opening_until: datetime | None
    by_hand: int
    paused_at: datetime | None

    def is_overdue(self, now: datetime) -> bool:
        """Return whether ``expire_overdue`` should be called before this table is shown."""
        return self.paused_at is None and (is_over(self.deadline_at, now) or is_over(self.noshow_at, now))


@dataclass(frozen=True, slots=True)
class EncodedViews:
    """A table at one moment, as the view frames of some viewers (a seat, None or LATE), without the hour
    (frames.add_now adds it). ``deal`` is the number of the running deal, which says when the one before it is over."""

    key: ViewKey
    deal: int | None
    by_seat: Mapping[int | None, bytes] = field(repr=False)


@dataclass(frozen=True, slots=True, repr=False)
class ShownTable:
    """A table as this process showed it last, with the frames of the seats that were looked from."""

    key: ViewKey
    deal_part: bytes
    version_part: bytes
    by_seat: dict[int | None, bytes]


class DealPart(NamedTuple):
    """The part of a deal, encoded. ``until``: seconds of a clock that only ever grows."""

    deal_id: int | None
    until: float
    encoded: bytes


_shown: ProcessCache[ShownTable] = ProcessCache(match_cache.MAX_MATCHES)
_deal_parts: ProcessCache[DealPart] = ProcessCache(match_cache.MAX_MATCHES)


def build_table_view(match: Match, seat: int | None, now: datetime) -> Json:
    """Return the view frame for ``seat`` (None: a spectator, LATE: one who sees it late), read afresh: its version may
    be newer than this row's."""
    frame: Json = json.loads(encode_views(match.pk, [seat]).by_seat[seat])
    return {"now": to_milliseconds(now), **frame}


def encode_views(match_id: int, seats: Iterable[int | None], committed: CommittedMatch | None = None) -> EncodedViews:
    """Return the view frames of these seats: one read of the table, one encoding a process, version and seat.

    ``committed``: the match, where the caller has it already (match_cache.find_committed).
    """
    match, position = committed or match_cache.read_match(match_id)
    return _encode(match, position, seats, _read_deal_part(match, position))


def encode_committed(seats: Iterable[int | None], committed: CommittedMatch) -> EncodedViews | None:
    """Return the view frames of these seats without a query; None where this process doesn't know all they show."""
    match, position = committed
    deal_part = None if position is None else _find_deal_part(match, position)
    return None if deal_part is None else _encode(match, position, seats, deal_part)


def _encode(match: Match, position: Position | None, seats: Iterable[int | None], deal_part: bytes) -> EncodedViews:
    """Put the frames together of what is the deal's, the version's and the seat's, each encoded once."""
    key = ViewKey(
        match.version, match.deadline_at, match.noshow_at, match.opening_until, match.by_hand, match.paused_at
    )
    playing = position is not None and position.progress.deal is not None
    shown = _shown.get(match.public_id)
    if shown is None or shown.key != key or shown.deal_part is not deal_part:
        view = position.open_view if position is not None and playing else None
        shown = ShownTable(key, deal_part, encode_part(build_version_part(match, view)), {})
        _shown.put(match.public_id, shown)
    frames = shown.by_seat
    by_seat = {}
    for seat in seats:
        frame = frames.get(seat)
        if frame is None and seat == LATE:
            frame = frames[seat] = orjson.dumps(_build_late_view(match, position))
        elif frame is None:
            progress = position.progress if position is not None and playing else None
            frame = frames[seat] = join_parts(
                shown.version_part, deal_part, encode_part(_build_seat_part(match, progress, seat))
            )
        by_seat[seat] = frame
    return EncodedViews(key, None if position is None else position.number, by_seat)


def read_view_keys(match_ids: Sequence[int]) -> list[tuple[int, ViewKey, list[str]]]:
    """Return of each of these matches its key, and the sockets that control its seats. One query."""
    rows = Match.objects.filter(pk__in=match_ids).values_list("pk", "controls", *ViewKey._fields)
    return [(pk, ViewKey(*key), controls) for pk, controls, *key in rows]


def _find_deal_part(match: Match, position: Position | None) -> bytes | None:
    """Return the part of the running deal, if it was read in the last seconds: somebody may have changed their name."""
    known = _deal_parts.get(match.public_id)
    if known is None or position is None or known.deal_id != position.deal_id or monotonic() >= known.until:
        return None
    return known.encoded


def _read_deal_part(match: Match, position: Position | None) -> bytes:
    known = _find_deal_part(match, position)
    if known is not None:
        return known
    encoded = encode_part(_build_deal_part(match, position))
    if position is not None and position.progress.deal is not None:
        _deal_parts.put(match.public_id, DealPart(position.deal_id, monotonic() + KEEP_SEATS_SECONDS, encoded))
    return encoded


def _build_deal_part(match: Match, position: Position | None) -> Json:
    seats = _read_seats(match)
    if position is None:
        return build_deal_part(match, seats, None, match_cache.count_deal(match, _count_deals(match)))
    if position.progress.deal is None:
        return build_deal_part(match, seats, None, None)
    return build_deal_part(match, seats, *_build_deal(match, position.progress, position.number, position.redealt))


def _build_deal(
    match: Match, progress: Progress, number: int, redealt: Redealt | None
) -> tuple[Json, DealCount | None]:
    """Return what a view says of its deal, and the count of the deal before it."""
    played = sum(not deal.void for deal in progress.deals)
    deal = {
        "number": played + 1,
        "dealer": progress.dealer,
        "tie_break": progress.tie_break,
        "redealt": redealt and {"seat": redealt.seat},
    }
    return deal, match_cache.count_deal(match, number) if played else None


def _build_late_view(match: Match, position: Position | None) -> Json:
    """Return the view of who sees a running match one deal late (W3): before the first deal is over, no card."""
    if position is None or position.progress.deal is None:
        return {
            **build_version_part(match, None),
            **_build_deal_part(match, position),
            **build_seat_part(match, None, None),
            "late": match.status != Match.Status.FINISHED,
        }
    seats = _read_seats(match)
    late = late_deals.read_late_deal(match, position.number)
    still: Json = {
        "late": True,
        "opening": None,
        "clock": {"from": None, "ends": None, "left": None, "noshow": None},
    }
    if late is None:
        before = {"v": late_deals.find_first_version(match), "status": Match.Status.WAITING, "turn": None}
        return {**build_view_frame(match, seats, None, None, None, None), **still, **before}
    moment = late.find_moment(late_deals.count_remaining(position.progress))
    view = engine.view(moment.progress, None)
    deal, counted = _build_deal(match, moment.progress, late.number, late.redealt)
    frame = build_view_frame(match, seats, None, view, deal, counted)
    return {**frame, **still, "v": moment.version, "score": list(moment.progress.score), "turn": view.turn}


def _build_seat_part(match: Match, progress: Progress | None, seat: int | None) -> Json:
    if progress is None:
        return build_seat_part(match, seat, None)
    view = engine.view(progress, seat)
    return build_seat_part(match, seat, view, _list_cards_of_calls(progress, view), _list_barred(progress, view))


def _list_cards_of_calls(progress: Progress, view: View) -> dict[GameMove, list[int]]:
    """Return, by call that goes out together with a card (T10, C3), the cards it may be said with."""
    return {
        call: [
            move.card for move in engine.legal(engine.play(progress, call)) if move.seat == call.seat and move.card >= 0
        ]
        for call in view.legal
        if call.verb in GO_WITH_CARD
    }


def _list_barred(progress: Progress, view: View) -> list[tuple[int, str]]:
    """Return, of the hand the viewer is to play from, the cards that can't just be put down, each with the rules'
    reason."""
    plays = [move for move in view.legal if move.card >= 0]
    if not plays:
        return []
    seat = plays[0].seat
    barred = []
    for card in view.hands[seat].cards:
        if PLAYS[seat][card] not in plays:
            try:
                engine.play(progress, PLAYS[seat][card])
            except IllegalMove as refusal:
                barred.append((card, refusal.code))
    return barred


def _read_seats(match: Match) -> list[Seat]:
    """The seats with their players. While a match is played nobody sits down or leaves, so they are read again only
    every few seconds: somebody may have changed their name."""
    playing = match.status == Match.Status.PLAYING
    known = _seats.get(match.public_id) if playing else None
    if known is not None and monotonic() < known[0]:
        return known[1]
    seats = list(Seat.objects.filter(match=match).select_related("player"))
    if playing:
        _seats.put(match.public_id, (monotonic() + KEEP_SEATS_SECONDS, seats))
    return seats


def _count_deals(match: Match) -> int:
    return Deal.objects.filter(match=match).count()


# --- The record ------------------------------------------------------------------------------------------------------


def build_record(match: Match) -> Json | None:
    """Return the record of a finished match (record-format.md); None before: a running deal is nobody's to read."""
    if match.status != Match.Status.FINISHED:
        return None
    return _dump_record(match, [*Deal.objects.filter(match=match).order_by("number")], _read_moves(match))


@dataclass(frozen=True, slots=True)
class RunningRecord:
    """A running match as its record stands: the deals that are over, and of the running one what everybody saw."""

    record: Json
    running: list[tuple[str, str]]  # the player's name, and their move in the record's words


def build_running_record(match: Match) -> RunningRecord:
    """Return a running match as a referee may read it (F4): no hand, stock or deck of a deal that isn't over."""
    moves = _read_moves(match)
    deals = [*Deal.objects.filter(match=match).order_by("number")]
    names = {seat.number: seat.player.name for seat in Seat.objects.filter(match=match).select_related("player")}
    running = []
    for deal in deals:
        for text in () if deal.finished else moves.get(deal.pk, ()):
            seat, _space, words = text.partition(" ")
            running.append((names[controlling_seat(int(seat), match.players)], words))
    return RunningRecord(_dump_record(match, [deal for deal in deals if deal.finished], moves), running)


def _read_moves(match: Match) -> dict[int, list[str]]:
    moves: dict[int, list[str]] = {}
    for deal_id, text in Move.objects.filter(match=match).order_by("version").values_list("deal_id", "text"):
        moves.setdefault(deal_id, []).append(text)
    return moves


def _dump_record(match: Match, rows: Sequence[Deal], moves: Mapping[int, list[str]]) -> Json:
    deals = [(records.parse_stored_deck(deal.deck), moves.get(deal.pk, [])) for deal in rows]
    seats = Seat.objects.filter(match=match).select_related("player")
    about = {
        "title": match.title,
        "names": [seat.player.name for seat in seats],
        "opened": match.opened_at.isoformat(),
        "id": match.public_id,
    }
    return records.dump(match_cache.build_setup(match), deals, about)


# --- What is due -----------------------------------------------------------------------------------------------------


def list_due_deadlines(now: datetime) -> Iterable[int]:
    """List the matches whose turn is over, the grace included."""
    return _iterate_ids(Match.objects.filter(deadline_at__lte=now - GRACE, paused_at=None).order_by("deadline_at"))


def count_running() -> int:
    """Count the tables at which a clock runs, or waits for players."""
    return Match.objects.filter(Q(deadline_at__isnull=False) | Q(noshow_at__isnull=False), paused_at=None).count()


def count_overdue(now: datetime) -> int:
    """Count the tables that nobody has acted upon two seconds after they were due, the grace included (H8)."""
    late = now - GRACE - OVERDUE
    return Match.objects.filter(Q(deadline_at__lte=late) | Q(noshow_at__lte=late), paused_at=None).count()


def list_due_noshows(now: datetime) -> Iterable[int]:
    """List the tables whose no-show time is over, the grace included."""
    return _iterate_ids(Match.objects.filter(noshow_at__lte=now - GRACE, paused_at=None).order_by("noshow_at"))


def list_due_house_moves(now: datetime) -> Iterable[int]:
    """List the matches in which a house player has paused long enough."""
    return _iterate_ids(Match.objects.filter(bot_due_at__lte=now, paused_at=None).order_by("bot_due_at"))


def list_undelivered(now: datetime) -> Iterable[int]:
    """List the finished matches whose result the apps above haven't taken in yet."""
    finished = Match.objects.filter(status=Match.Status.FINISHED, settled_at=None, finished_at__lte=now)
    return _iterate_ids(finished.order_by("finished_at"))


def _iterate_ids(matches: Any) -> Iterable[int]:
    return matches.values_list("pk", flat=True)[:1000].iterator(chunk_size=1000)


# --- What somebody has played ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A finished match as one of its players sees it: their line first."""

    match: Match
    outcome: str  # won, lost or drawn
    score: tuple[int, int]  # their line's and the other's
    partners: list[str]
    opponents: list[str]


def count_played(player: Player) -> int:
    return _filter_finished(player).count()


def list_played(player: Player, *, latest: int) -> list[PlayedMatch]:
    """List the last ``latest`` matches the player has finished, newest first, in three queries."""
    rows = _filter_finished(player).select_related("match").order_by("-match__finished_at")[:latest]
    return [_build_played_match(seat) for seat in rows.prefetch_related("match__seats__player")]


def _filter_finished(player: Player) -> QuerySet[Seat]:
    """Return the seats of their finished matches; one that a referee ended without a result is nobody's."""
    return Seat.objects.filter(player=player, match__status=Match.Status.FINISHED, match__stopped_at=None)


def _build_played_match(own: Seat) -> PlayedMatch:
    match, line = own.match, own.number % 2
    seats = [seat for seat in match.seats.all() if seat.pk != own.pk]
    if match.both_forfeited:
        outcome = "lost"
    elif match.winner is None:
        outcome = "drawn"
    else:
        outcome = "won" if match.winner == line else "lost"
    return PlayedMatch(
        match=match,
        outcome=outcome,
        score=(match.score_1, match.score_0) if line else (match.score_0, match.score_1),
        partners=[seat.player.name for seat in seats if seat.number % 2 == line],
        opponents=[seat.player.name for seat in seats if seat.number % 2 != line],
    )


def count_house_only_tables() -> int:
    """Count the tables in play at which nobody but the house sits; a live seat is one of few rows."""
    everybody = Q(match__players=2, match__house_seats=0b11) | Q(match__players__gt=2, match__house_seats=0b1111)
    return Seat.objects.filter(everybody, live=True, number=0).count()
