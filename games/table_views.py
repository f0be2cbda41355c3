"""Views of a table, as its viewers are sent them: each put together of three encoded parts, kept for the next viewer.

A view shows what its seat may know and nothing else (games/frames.py). It reads and never writes.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from time import monotonic
from typing import NamedTuple

import orjson

from games import late_deals, match_cache, shuffles
from games.clocks import is_over
from games.engine import match as engine
from games.engine.game import GO_WITH_CARD, PLAYS, GameMove, IllegalMove, View
from games.engine.match import Progress
from games.engine.record import Json
from games.frames import (
    build_deal_part,
    build_past_part,
    build_seat_part,
    build_version_part,
    build_view_frame,
    encode_part,
    join_parts,
    to_milliseconds,
)
from games.match_cache import CommittedMatch, DealCount, Position, ProcessCache, Redealt
from games.models import Deal, Match, Seat
from games.selectors import LATE, read_ending

KEEP_SEATS_SECONDS = 5.0

_seats: ProcessCache[tuple[float, list[Seat]]] = ProcessCache(match_cache.MAX_MATCHES)


def clear_caches() -> None:
    """Clear the caches of tables in this process."""
    match_cache.clear_caches()
    late_deals.clear_cache()
    shuffles.clear_cache()
    _shown.clear()
    _deal_parts.clear()
    _seats.clear()


class ViewKey(NamedTuple):
    """Identity of a table's views: an outage moves the due times at the same version, and a player may choose what the
    system calls for them."""

    version: int
    deadline_at: datetime | None
    noshow_at: datetime | None
    opening_until: datetime | None
    by_hand: int
    paused_at: datetime | None
    mixing_until: datetime | None

    def is_overdue(self, now: datetime) -> bool:
        """Return whether ``expire_overdue`` should be called before this table is shown."""
        dues = (self.deadline_at, self.noshow_at, self.mixing_until)
        return self.paused_at is None and any(is_over(due, now) for due in dues)


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


def build_past(match: Match, seat: int | None) -> Json:
    """Return what was open to everybody before a page is opened: ``deals``, the points of those that are over, and
    ``moments``, the running deal move by move.

    Whoever sees the table late is told of no deal after the one they see, and of no moment of it.
    """
    position = match_cache.read_match(match.pk).position
    if position is None:
        over = match_cache.read_points_of_deals(match) if match.is_shown else []
        return {"deals": [list(points) for points in over], "moments": []}
    deals = [list(deal.points) for deal in position.progress.deals if not deal.void]
    if seat == LATE:
        return {"deals": deals[:-1], "moments": []}
    playing = position.progress.deal is not None
    views = (match_cache.read_views(match, position, None) or []) if playing else []
    return {"deals": deals, "moments": [build_past_part(view) for view in views]}


def encode_views(match_id: int, seats: Iterable[int | None], committed: CommittedMatch | None = None) -> EncodedViews:
    """Return the view frames of these seats: one read of the table, one encoding a process, version and seat.

    ``committed``: the match, where the caller has it already (match_cache.find_committed).
    """
    while True:
        match, position = committed or match_cache.read_match(match_id)
        deal_part = _read_deal_part(match, position)
        if not _moved_on(match):
            return _encode(match, position, seats, deal_part)
        committed = None


def _moved_on(match: Match) -> bool:
    """Return whether a match that hasn't begun has changed since it was read: its nonces, read later, may be newer."""
    if match.status != Match.Status.WAITING or match.commitment_id is None:
        return False
    return not Match.objects.filter(pk=match.pk, version=match.version).exists()


def encode_committed(seats: Iterable[int | None], committed: CommittedMatch) -> EncodedViews | None:
    """Return the view frames of these seats without a query; None where this process doesn't know all they show."""
    match, position = committed
    deal_part = None if position is None else _find_deal_part(match, position)
    return None if deal_part is None else _encode(match, position, seats, deal_part)


def _encode(match: Match, position: Position | None, seats: Iterable[int | None], deal_part: bytes) -> EncodedViews:
    """Put the frames together of what is the deal's, the version's and the seat's, each encoded once."""
    key = ViewKey(
        match.version,
        match.deadline_at,
        match.noshow_at,
        match.opening_until,
        match.by_hand,
        match.paused_at,
        match.mixing_until,
    )
    playing = position is not None and position.progress.deal is not None
    shown = _shown.get(match.public_id)
    if shown is None or shown.key != key or shown.deal_part is not deal_part:
        view = position.open_view if position is not None and playing else None
        version_part = encode_part(build_version_part(match, view, *read_ending(match)))
        shown = ShownTable(key, deal_part, version_part, {})
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
    hit = None if match.training else _deal_parts.get(match.public_id)
    if hit is None or position is None or hit.deal_id != position.deal_id or monotonic() >= hit.until:
        return None
    return hit.encoded


def _read_deal_part(match: Match, position: Position | None) -> bytes:
    hit = _find_deal_part(match, position)
    if hit is not None:
        return hit
    encoded = encode_part(_build_deal_part(match, position))
    if position is not None and position.progress.deal is not None:
        _deal_parts.put(match.public_id, DealPart(position.deal_id, monotonic() + KEEP_SEATS_SECONDS, encoded))
    return encoded


def _build_deal_part(match: Match, position: Position | None) -> Json:
    seats = _read_seats(match)
    if position is None:
        counted = match_cache.count_deal(match, _count_deals(match))
        return build_deal_part(match, seats, None, counted, shuffles.build_part(match))
    deal, counted = None, None
    if position.progress.deal is not None:
        deal, counted = _build_deal(match, position.progress, position.number, position.redealt)
    return build_deal_part(match, seats, deal, counted, shuffles.build_part(match))


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
    """Return the view of whoever sees a running match one deal late (W3): before the first deal is over, no card."""
    if position is None or position.progress.deal is None:
        return {
            **build_version_part(match, None, *read_ending(match)),
            **_build_deal_part(match, position),
            **build_seat_part(match, None, None),
            "late": match.status != Match.Status.FINISHED,
        }
    seats = _read_seats(match)
    late = late_deals.read_late_deal(match, position.number)
    still: Json = {
        "late": True,
        "shuffle": shuffles.build_part(match),
        "opening": None,
        "clock": {"from": None, "ends": None, "extra": 0, "left": None, "noshow": None},
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
    return build_seat_part(match, seat, view, list_cards_of_calls(progress, view), list_barred(progress, view))


def list_cards_of_calls(progress: Progress, view: View) -> dict[GameMove, list[int]]:
    """Return, by call that goes out together with a card (T10, C3), the cards it may be said with."""
    return {
        call: [
            move.card for move in engine.legal(engine.play(progress, call)) if move.seat == call.seat and move.card >= 0
        ]
        for call in view.legal
        if call.verb in GO_WITH_CARD
    }


def list_barred(progress: Progress, view: View) -> list[tuple[int, str]]:
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
    hit = _seats.get(match.public_id) if playing else None
    if hit is not None and monotonic() < hit[0]:
        return hit[1]
    seats = list(Seat.objects.filter(match=match).select_related("player"))
    if playing:
        _seats.put(match.public_id, (monotonic() + KEEP_SEATS_SECONDS, seats))
    return seats


def _count_deals(match: Match) -> int:
    return Deal.objects.filter(match=match, undone_at=None).count()
