"""Free tables before they begin: set up, sit down, move, get up, fill with the house; the last seat opens the match.

Each call is one transaction that holds the free table's row; lock order: free table → match. A person waits at one
table at most, and at none while they play at one (E8). It moves no card: once opened, it is a match like any other.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction

from games import broadcast
from games.engine.game import Length, LengthKind
from games.lobby import queries
from games.models import FreeSeat, FreeTable, Match, Seat
from games.options import SetupFault, build_setup, find_fault
from games.services.errors import SeatTaken
from games.services.seating import open_match
from players import caps
from players.models import Player
from players.services.counted_acts import TooMany, count_act
from players.services.house import HouseBusy, prepare_house_players, take_house_players

STALE_AFTER = timedelta(minutes=30)  # since somebody last sat down: nobody else is coming
FORGET_AFTER = timedelta(days=1)  # a table that is over: its link still leads to the match, or says that it is gone
MAX_PLAYERS = 4
NOSHOW_SECONDS = 180  # seconds; they all sat here a moment ago

State = FreeTable.State


class LobbyRefused(Exception):
    """An act that isn't possible at a free table; it changed nothing. ``code`` is one of wording.LOBBY_REFUSALS.

    ``wait``: the time until it is possible again, where only that is missing.
    """

    def __init__(self, code: str, wait: timedelta = timedelta()) -> None:
        super().__init__(code)
        self.code, self.wait = code, wait


class SetupRefused(Exception):
    """A match that can't be played so; ``fault`` says what it is about."""

    def __init__(self, fault: SetupFault) -> None:
        super().__init__(fault.code)
        self.fault = fault


def open_table(
    *,
    host: Player,
    ruleset: str,
    players: int,
    length: Length,
    options: Mapping[str, Any],
    turn_timeout: int | None,
    match_clock: int | None,
    public: bool,
    now: datetime,
) -> FreeTable:
    """Set up a free table that waits for players, its host at seat 0. SetupRefused; LobbyRefused if they sit
    elsewhere."""
    wrong = find_fault(build_setup(ruleset, players, length, "free", options))
    if wrong is not None:
        raise SetupRefused(wrong)
    with transaction.atomic():
        _require_nowhere(host)
        try:
            count_act({f"free_tables:{host.pk}": caps.FREE_TABLES_A_PERSON}, now=now)
        except TooMany as refused:
            raise LobbyRefused("too_many_tables", refused.wait) from None
        table = FreeTable.objects.create(
            ruleset=ruleset,
            players=players,
            length_kind=length.kind,
            length_value=length.value,
            options=dict(options),
            turn_timeout=turn_timeout,
            match_clock=match_clock,
            public=public,
            opened_at=now,
            due_at=now + STALE_AFTER,
        )
        _seat(table, host, 0, now)
        broadcast.publish_lobby_change()
    return table


def sit(*, table_id: int, player: Player, seat: int, now: datetime) -> Match | None:
    """Take a free seat, or move to it. Return the match that opens with the last one, else None.

    LobbyRefused: table_gone, no_such_seat, seat_gone, seated_elsewhere.
    """
    with transaction.atomic():
        table = _lock_table(table_id)
        if seat not in queries.seat_numbers(table.players):
            raise LobbyRefused("no_such_seat")
        holder = FreeSeat.objects.filter(table=table, number=seat).first()
        if holder is not None and holder.player_id != player.pk:
            raise LobbyRefused("seat_gone")
        own = FreeSeat.objects.filter(table=table, player=player).first()
        if own is None:
            _require_nowhere(player)
            _seat(table, player, seat, now)
        elif own.number != seat:
            own.number = seat
            own.save(update_fields=["number"])
        table.due_at = now + STALE_AFTER
        table.save(update_fields=["due_at"])
        broadcast.publish_lobby_change()
        return _open_if_full(table, now)


def leave(*, table_id: int, player: Player, now: datetime) -> None:
    """Leave the table before it begins; the last to leave closes it. LobbyRefused: table_gone, not_here."""
    with transaction.atomic():
        table = _lock_table(table_id)
        deleted, _each = FreeSeat.objects.filter(table=table, player=player).delete()
        if not deleted:
            raise LobbyRefused("not_here")
        if not FreeSeat.objects.filter(table=table).exists():
            _close(table, now)
        broadcast.publish_lobby_change()


def fill(*, table_id: int, by: Player, now: datetime) -> Match | None:
    """Give the free seats to house players, as the host; the match opens. None where somebody had left.

    LobbyRefused: table_gone, not_host, house_busy.
    """
    try:
        prepare_house_players(count=MAX_PLAYERS - 1, now=now)  # before anybody could wait for this table
        with transaction.atomic():
            table = _lock_table(table_id)
            seated = queries.list_occupants(table)
            if not seated or seated[0].player_id != by.pk:
                raise LobbyRefused("not_host")
            return _open(table, seated, now)
    except HouseBusy as busy:
        raise LobbyRefused(busy.code) from None


def expire(*, table_id: int, now: datetime) -> bool:
    """Close a table that nobody came to, and forget one that is long over; False where there was nothing to do."""
    with transaction.atomic():
        rows = FreeTable.objects.select_for_update(skip_locked=True)  # who has it now may have it stay
        table = rows.filter(pk=table_id, due_at__lte=now).first()
        if table is None:
            return False
        if table.state == State.OPEN:
            FreeSeat.objects.filter(table=table).delete()
            _close(table, now)
            broadcast.publish_lobby_change()
        else:
            table.delete()
        return True


def _lock_table(table_id: int) -> FreeTable:
    table = FreeTable.objects.select_for_update().filter(pk=table_id, state=State.OPEN).first()
    if table is None:
        raise LobbyRefused("table_gone")
    return table


def _require_nowhere(player: Player) -> None:
    """Refuse a player who sits or waits elsewhere (E8)."""
    if _find_playing([player.pk]) or FreeSeat.objects.filter(player=player).exists():
        raise LobbyRefused("seated_elsewhere")


def _find_playing(player_ids: list[int]) -> set[int]:
    seats = Seat.objects.filter(player__in=player_ids, live=True)
    return set(seats.values_list("player_id", flat=True))


def _seat(table: FreeTable, player: Player, number: int, now: datetime) -> None:
    try:
        with transaction.atomic():
            FreeSeat.objects.create(table=table, number=number, player=player, sat_at=now)
    except IntegrityError:  # they sat down at another table this very instant: this one's row is held
        raise LobbyRefused("seated_elsewhere") from None


def _open_if_full(table: FreeTable, now: datetime) -> Match | None:
    seated = queries.list_occupants(table)
    return _open(table, seated, now) if len(seated) == table.players else None


def _open(table: FreeTable, seated: list[FreeSeat], now: datetime) -> Match | None:
    """Open the match of these people and the house; None where somebody plays elsewhere by now: their seat is free."""
    gone = _find_playing([seat.player_id for seat in seated])
    by_number = {seat.number: seat.player for seat in seated}
    numbers = queries.seat_numbers(table.players)
    match = None
    if not gone:
        house = iter(take_house_players(count=len(numbers) - len(by_number), now=now))
        players = [by_number[number] if number in by_number else next(house) for number in numbers]
        try:
            with transaction.atomic():
                match = _open_match(table, players, now)
        except SeatTaken as taken:
            gone = (
                {taken.player_id} if taken.player_id is not None else _find_playing([player.pk for player in players])
            )
    if match is None:
        FreeSeat.objects.filter(table=table, player__in=gone).delete()
        if not FreeSeat.objects.filter(table=table).exists():
            _close(table, now)
    else:
        FreeSeat.objects.filter(table=table).delete()
        table.match = match
        table.state = State.STARTED
        table.due_at = now + FORGET_AFTER
        table.save(update_fields=["match", "state", "due_at"])
    broadcast.publish_lobby_change()
    return match


def _open_match(table: FreeTable, players: list[Player], now: datetime) -> Match:
    kind: LengthKind = "deals" if table.length_kind == "deals" else "points"
    return open_match(
        ruleset=table.ruleset,
        length=Length(kind, table.length_value),
        context="free",
        options=table.options,
        players=players,
        turn_timeout=table.turn_timeout,
        match_clock=table.match_clock,
        noshow_after=NOSHOW_SECONDS,
        first_dealer=None,
        title=" · ".join(player.name for player in players),
        now=now,
    )


def _close(table: FreeTable, now: datetime) -> None:
    table.state = State.CLOSED
    table.due_at = now + FORGET_AFTER
    table.save(update_fields=["state", "due_at"])
