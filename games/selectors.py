"""Reads of tables: who sits and who may watch, the record, what is due, what was played. They never write."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet
from django.urls import reverse

from games import match_cache, shuffles
from games.clocks import GRACE
from games.engine import record as records
from games.engine.card_points import add_card_points
from games.engine.deciding import DecidingDeal, find_deciding_deal
from games.engine.game import Points, Setup, controlling_seat
from games.engine.match import DealPoints, Progress, find_terms
from games.engine.record import Json
from games.models import HOUSE_ALONE, Deal, Match, Move, Seat, match_house_alone
from games.prepared_sql import PreparedSql
from games.sealing import read_deck
from players.models import Player
from players.services.open_tables import OpenTable

OVERDUE = timedelta(seconds=2)  # what is later than this isn't the sweep's rhythm any more

MATCHES, SEATS = PreparedSql(Match), PreparedSql(Seat)  # only read here

LATE = -1  # in a seat's place: a spectator who sees a running match one deal late (W3)


class Watching(IntEnum):
    """Right to watch a running match without a seat, the least first (N4, W3)."""

    REFUSED = 0
    LATE = 1  # one deal late
    LIVE = 2


WatchPolicy = Callable[[Match, Player | None, datetime], Watching]

_policies: list[WatchPolicy] = []
_shows: list[Q] = []


def load_progress(match: Match) -> Progress:
    """Return the match's progress, everybody's cards included: for services and tests, never for the wire."""
    match, position = match_cache.read_match(match.pk)
    if position is not None:
        return position.progress
    return records.replay(records.parse(_dump_record(match, _read_deals(match.pk), _read_moves(match.pk)))).progress


def find_match(public_id: str) -> Match | None:
    """Return the match of that public id; None if there is none."""
    return MATCHES.find(public_id=public_id)


def find_open_table(player_id: int) -> OpenTable | None:
    """Return the running table of this player, None if there is none (W1). There is never more than one.

    Every page asks, and hardly anybody sits anywhere: that is found out by a statement made once.
    """
    if not SEATS.exists(player=player_id, live=True):
        return None
    return _describe_table(Seat.objects.filter(player=player_id, live=True))


def find_awaited_table(player_id: int) -> OpenTable | None:
    """Return the running table where this player hasn't been yet, None if there is none (W1)."""
    return _describe_table(Seat.objects.filter(player=player_id, live=True, arrived_at=None))


def _describe_table(seats: QuerySet[Seat]) -> OpenTable | None:
    seat = seats.select_related("match").first()
    if seat is None:
        return None
    match, awaited = seat.match, seat.arrived_at is None
    until = match.noshow_at if awaited and match.paused_at is None else None
    return OpenTable(reverse("table", args=[match.public_id]), match.shown_title, awaited, until)


def find_seat(match: Match, player: Player | None) -> int | None:
    """Return the seat of ``player`` at this table; None if they have none, or left a running match to the house."""
    if player is None:
        return None
    seat = SEATS.find(match=match.pk, player=player.pk)
    if seat is None or (match.status == Match.Status.PLAYING and match.given_up >> seat.number & 1):
        return None
    return seat.number


def register_watch_policy(policy: WatchPolicy) -> None:
    """Add a condition for watching, of which the strictest holds: at start, by apps that know more than a table
    does."""
    if policy not in _policies:
        _policies.append(policy)


def register_shows(which: Q) -> None:
    """Add matches that are played to be looked at, where the house sits alone: at start, by apps that know what a match
    is part of. They wait while nobody is on the site."""
    if which not in _shows:
        _shows.append(which)


def find_watching(match: Match, player: Player | None, now: datetime) -> Watching:
    """Return how ``player`` (None: a visitor) may watch this table as a spectator (N4, W3). Seated players need no
    leave, a match that is over is anybody's, and training nobody else's (B7), nor what is withheld (J12)."""
    if match.training or not match.is_shown:
        return Watching.REFUSED
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


def is_hidden(match: Match, player: Player | None) -> bool:
    """Return whether a match, running or over, is training of somebody else's (B7), or is over while others are still
    to play its cards (J12)."""
    if match.status == Match.Status.FINISHED and not match.is_shown:
        return True
    return match.training and find_seat(match, player) is None


def find_viewpoint(match: Match, player: Player | None, now: datetime) -> Viewpoint:
    """Return the seat of ``player`` at this table, or how they may watch it without one."""
    seat = find_seat(match, player)
    return Viewpoint(seat, Watching.LIVE if seat is not None else find_watching(match, player, now))


def read_deciding_deal(match: Match) -> DecidingDeal | None:
    """Return the deal that decided a finished match, in one query; None where none did, or nobody may know (J12)."""
    if match.winner is None or not match.is_shown:
        return None
    deals = [DealPoints(row.dealer, row.void, (row.points_0, row.points_1)) for row in _read_deals(match.pk)]
    return find_deciding_deal(match_cache.build_setup(match), deals, match.winner, match.decided_by)


def read_card_points(match: Match) -> Points | None:
    """Return the card points of both lines in a finished match, where its score doesn't tell them (BR4); None while
    nobody may know them (J12)."""
    return list_card_points([match]).get(match.pk)


def list_card_points(matches: Iterable[Match]) -> dict[int, Points]:
    """Return the card points of these matches, by id, in two queries for any number; without those of which there is
    nothing to tell."""
    setups = {match.pk: match_cache.build_setup(match) for match in matches if _is_known(match)}
    setups = {pk: setup for pk, setup in setups.items() if find_terms(setup).card_points}
    if not setups:
        return {}  # at once: every move of a running match asks
    deals: dict[int, list[Deal]] = {}
    for deal in _read_deals(*setups):
        deals.setdefault(deal.match_id, []).append(deal)
    moves = _read_moves(*setups)
    return {pk: _replay_card_points(setup, deals.get(pk, ()), moves) for pk, setup in setups.items()}


def _is_known(match: Match) -> bool:
    return match.status == Match.Status.FINISHED and match.is_shown


def _replay_card_points(setup: Setup, rows: Iterable[Deal], moves: Mapping[int, list[str]]) -> Points:
    record = records.parse(records.dump(setup, [(read_deck(row.deck), moves.get(row.pk, [])) for row in rows]))
    return add_card_points(progress.tally for progress in records.replay_deals(record))


def read_ending(match: Match) -> tuple[DecidingDeal | None, Points | None]:
    """Return the deciding deal and the card points of a finished match, for its table."""
    return read_deciding_deal(match), read_card_points(match)


# --- The record ------------------------------------------------------------------------------------------------------


def build_record(match: Match) -> Json | None:
    """Return the record of a finished match (record-format.md); None before: a running deal is nobody's to read, nor
    are decks that others are still to play (J12)."""
    if not _is_known(match):
        return None
    return _dump_record(match, _read_deals(match.pk), _read_moves(match.pk))


@dataclass(frozen=True, slots=True)
class RunningRecord:
    """A running match as its record stands: the deals that are over, and of the running one what everybody saw."""

    record: Json
    running: list[tuple[str, str]]  # the player's name, and their move in the record's words


def build_running_record(match: Match) -> RunningRecord:
    """Return a running match as a referee may read it (F4): no hand, stock or deck of a deal that isn't over."""
    moves = _read_moves(match.pk)
    deals = _read_deals(match.pk)
    names = {seat.number: seat.player.name for seat in Seat.objects.filter(match=match).select_related("player")}
    running = []
    for deal in deals:
        for text in () if deal.finished else moves.get(deal.pk, ()):
            seat, _space, words = text.partition(" ")
            running.append((names[controlling_seat(int(seat), match.players)], words))
    return RunningRecord(_dump_record(match, [deal for deal in deals if deal.finished], moves), running)


def _read_deals(*matches: int) -> list[Deal]:
    return list(Deal.objects.with_results().filter(match__in=matches, undone_at=None).order_by("match", "number"))


def _read_moves(*matches: int) -> dict[int, list[str]]:
    """Return the moves of each deal, by its id."""
    moves: dict[int, list[str]] = {}
    rows = Move.objects.with_results().filter(match__in=matches, undone_at=None).order_by("match", "version")
    for deal_id, text in rows.values_list("deal_id", "text"):
        moves.setdefault(deal_id, []).append(text)
    return moves


def _dump_record(match: Match, rows: Sequence[Deal], moves: Mapping[int, list[str]]) -> Json:
    deals = [(read_deck(deal.deck), moves.get(deal.pk, [])) for deal in rows]
    seats = Seat.objects.filter(match=match).select_related("player")
    about = {
        "title": match.title,
        "names": [seat.player.name for seat in seats],
        "opened": match.opened_at.isoformat(),
        "id": match.public_id,
    }
    return records.dump(match_cache.build_setup(match), deals, about, shuffles.read_shuffle(match))


# --- What is due -----------------------------------------------------------------------------------------------------


_HOUSE_TURN = HOUSE_ALONE & Q(bot_due_at__isnull=False)  # no turn of the house among itself is ever over by time


def list_due_deadlines(now: datetime) -> Iterable[int]:
    """List the matches whose turn is over, the grace included."""
    over = Match.objects.filter(deadline_at__lte=now - GRACE, paused_at=None).exclude(_HOUSE_TURN)
    return _iterate_ids(over.order_by("deadline_at"))


def count_running() -> int:
    """Count the tables at which a clock runs, or waits for players; nobody is kept waiting by training (B7)."""
    due = Q(deadline_at__isnull=False) | Q(noshow_at__isnull=False)
    return Match.objects.filter(due, paused_at=None, training=False).count()


def count_overdue(now: datetime) -> int:
    """Count the tables that nobody has acted upon two seconds after they were due, the grace included (H8)."""
    late = now - GRACE - OVERDUE
    due = Q(deadline_at__lte=late) | Q(noshow_at__lte=late)
    return Match.objects.filter(due, paused_at=None).exclude(_HOUSE_TURN).count()


def list_due_noshows(now: datetime) -> Iterable[int]:
    """List the tables whose no-show time is over, the grace included."""
    return _iterate_ids(Match.objects.filter(noshow_at__lte=now - GRACE, paused_at=None).order_by("noshow_at"))


def list_due_mixing(now: datetime) -> Iterable[int]:
    """List the tables that have waited long enough for what browsers add to the secret (J2)."""
    return _iterate_ids(Match.objects.filter(mixing_until__lte=now - GRACE, paused_at=None).order_by("mixing_until"))


class HouseTurn(NamedTuple):
    """Turn of a house player, and when its pause is over. ``opening``: only calls are made then (C2, C5)."""

    match_id: int
    version: int
    due_at: datetime
    opening: bool


def list_house_turns(
    *, until: datetime | None = None, most: int | None = None, unwatched: bool = False
) -> list[HouseTurn]:
    """List the turns of house players, by the end of their pauses; those that are over at ``until``. ``unwatched``:
    nobody is on the site, and matches that are played to be looked at wait."""
    turns = Match.objects.filter(bot_due_at__isnull=False, paused_at=None).order_by("bot_due_at")
    if until is not None:
        turns = turns.filter(bot_due_at__lte=until)
    if unwatched:
        for shows in _shows:
            turns = turns.exclude(HOUSE_ALONE & shows)
    rows = turns.values_list("pk", "version", "bot_due_at", "opening_until")[:most]
    return [
        HouseTurn(match_id, version, due_at, opening_until is not None and due_at < opening_until)
        for match_id, version, due_at, opening_until in rows
        if due_at is not None  # as asked for
    ]


def list_undelivered(now: datetime) -> Iterable[int]:
    """List the finished matches whose result the apps above haven't taken in yet."""
    finished = Match.objects.filter(status=Match.Status.FINISHED, settled_at=None, finished_at__lte=now)
    return _iterate_ids(finished.order_by("finished_at"))


def _iterate_ids(matches: Any) -> Iterable[int]:
    return matches.values_list("pk", flat=True)[:1000].iterator(chunk_size=1000)


def count_house_only_tables() -> int:
    """Count the tables in play at which nobody but the house sits; a live seat is one of few rows."""
    return Seat.objects.filter(match_house_alone("match__"), live=True, number=0).count()
