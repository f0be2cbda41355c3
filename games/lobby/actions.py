"""Free tables before they begin: set up, sit down, move, get up, fill with the house; the last seat opens the match.

Each call is one transaction that holds the free table's row; lock order: free table → match. A person waits at one
table at most, and at none while they play at one (E8). It moves no card: once opened, it is a match like any other.
"""

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction

from games import broadcast
from games.chips.actions import hold_stakes, release_stakes
from games.chips.errors import ChipsRefused
from games.engine.game import Length, LengthKind, Points, list_seats
from games.lobby import queries
from games.models import FreeSeat, FreeTable, Match, Seat, Seek, Strength
from games.options import SetupFault, build_setup, find_fault
from games.services.errors import SeatTaken
from games.services.seating import open_match
from players import caps
from players.models import Player
from players.selectors import find_blocks, find_suspended
from players.services.counted_acts import TooMany, count_act
from players.services.house import HouseBusy, prepare_house_players, take_house_players

STALE_AFTER = timedelta(minutes=30)  # since somebody last sat down: nobody else is coming
FORGET_AFTER = timedelta(days=1)  # a table that never began: its link still says that it is gone
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
    stake: int = 0,
    stake_per: str = FreeTable.StakePer.MATCH,
    absence: str = Match.Absence.LOSES,
    handicap: Points = (0, 0),
    strength: str = Strength.CLUB,
) -> FreeTable:
    """Set up a free table that waits for players, its host at seat 0. ``strength``: of the house, if it plays here.

    SetupRefused; LobbyRefused if they sit elsewhere, or can't cover its stake (Z2).
    """
    wrong = find_fault(build_setup(ruleset, players, length, "free", options, handicap))
    if wrong is not None:
        raise SetupRefused(wrong)
    if stake and absence == Match.Absence.HOUSE:
        raise LobbyRefused("stake_no_house")
    with transaction.atomic():
        require_leave_to_play(host, now)
        require_nowhere(host)
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
            absence=absence,
            strength=strength,
            public=public,
            stake=stake,
            stake_per=stake_per,
            handicap=list(handicap) if any(handicap) else [],
            opened_at=now,
            due_at=now + STALE_AFTER,
        )
        _seat(table, host, 0, now)
        hold_stake_of(table, host, 0)
        broadcast.publish_lobby_change()
    return table


def sit(*, table_id: int, player: Player, seat: int, now: datetime) -> Match | None:
    """Take a free seat, or move to it. Return the match that opens with the last one, else None.

    LobbyRefused: table_gone, no_such_seat, seat_gone, seated_elsewhere, suspended, no_place: somebody sits here whom
    the player blocks, or who blocks them (B6); neither is told. At a table with a stake (Z2) stake_members, stakes_off,
    too_few_chips too.
    """
    with transaction.atomic():
        table = _lock_table(table_id)
        if seat not in list_seats(table.players):
            raise LobbyRefused("no_such_seat")
        holder = FreeSeat.objects.filter(table=table, number=seat).first()
        if holder is not None and holder.player_id != player.pk:
            raise LobbyRefused("seat_gone")
        own = FreeSeat.objects.filter(table=table, player=player).first()
        if own is None:
            require_leave_to_play(player, now)
            require_nowhere(player)
            _require_no_block(table, player)
            _seat(table, player, seat, now)
        elif own.number != seat:
            own.number = seat
            own.save(update_fields=["number"])
        hold_stake_of(table, player, seat)
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
        release_stakes(table=table, player_ids=[player.pk])
        if not FreeSeat.objects.filter(table=table).exists():
            _close(table, now)
        broadcast.publish_lobby_change()


def unseat(*, table_id: int, by: Player, seat: int, now: datetime) -> None:
    """Have somebody get up from a seat, as the host. LobbyRefused: table_gone, not_host, not_here."""
    with transaction.atomic():
        table = _lock_table(table_id)
        seated = queries.list_occupants(table)
        if not seated or seated[0].player_id != by.pk:
            raise LobbyRefused("not_host")
        player = next((other.player for other in seated[1:] if other.number == seat), None)
        if player is None:
            raise LobbyRefused("not_here")
        leave(table_id=table_id, player=player, now=now)


def leave_any(*, player: Player, now: datetime) -> None:
    """Leave the table that the player waits at, if there is one."""
    seat = FreeSeat.objects.filter(player=player).first()
    if seat is not None:
        with suppress(LobbyRefused):
            leave(table_id=seat.table_id, player=player, now=now)


def fill(*, table_id: int, by: Player, now: datetime) -> Match | None:
    """Give the free seats to house players, as the host; the match opens. None where somebody had left.

    LobbyRefused: table_gone, not_host, house_busy, stake_no_house.
    """
    try:
        prepare_house_players(count=MAX_PLAYERS - 1, now=now)  # before anybody could wait for this table
        with transaction.atomic():
            table = _lock_table(table_id)
            seated = queries.list_occupants(table)
            if not seated or seated[0].player_id != by.pk:
                raise LobbyRefused("not_host")
            if table.stake:
                raise LobbyRefused("stake_no_house")
            return _open(table, seated, now)
    except HouseBusy as busy:
        raise LobbyRefused(busy.code) from None


def expire(*, table_id: int, now: datetime) -> bool:
    """Close a table that nobody came to, and forget one that was closed long ago; False where there was nothing to
    do."""
    with transaction.atomic():
        rows = FreeTable.objects.select_for_update(skip_locked=True)  # who has it now may have it stay
        table = rows.filter(pk=table_id, due_at__lte=now).first()
        if table is None:
            return False
        if table.state == State.OPEN:
            FreeSeat.objects.filter(table=table).delete()
            release_stakes(table=table)
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


def require_nowhere(player: Player) -> None:
    """Refuse a player who sits or waits elsewhere (E8)."""
    if find_playing([player.pk]) or FreeSeat.objects.filter(player=player).exists():
        raise LobbyRefused("seated_elsewhere")


def require_leave_to_play(player: Player, now: datetime) -> None:
    """Refuse a player whom moderators have suspended (U2)."""
    if find_suspended([player.pk], now):
        raise LobbyRefused("suspended")


def _require_no_block(table: FreeTable, player: Player) -> None:
    """Refuse a player who wouldn't sit with somebody here, or with whom somebody wouldn't (B6); both are called the
    same."""
    others = list(FreeSeat.objects.filter(table=table).exclude(player=player).values_list("player_id", flat=True))
    if any(player.pk in pair for pair in find_blocks([player.pk, *others])):
        raise LobbyRefused("no_place")


def _find_unwelcome(seated: list[FreeSeat], now: datetime) -> set[int]:
    """Return who can't play here after all: suspended since they sat down (U2), or blocked by, or blocking, somebody
    who sat down before (B6)."""
    ids = [seat.player_id for seat in seated]
    gone = find_suspended(ids, now)
    blocks = find_blocks(ids)
    for place, player_id in enumerate(ids):
        if any(frozenset({player_id, other}) in blocks and other not in gone for other in ids[:place]):
            gone.add(player_id)
    return gone


def hold_stake_of(table: FreeTable, player: Player, seat: int) -> None:
    """Hold what the player can lose at this seat (Z2). LobbyRefused where they can't cover it."""
    try:
        hold_stakes(table=table, players={seat: player})
    except ChipsRefused as refused:
        raise LobbyRefused(refused.code) from None


def find_playing(player_ids: list[int]) -> set[int]:
    seats = Seat.objects.filter(player__in=player_ids, live=True)
    return set(seats.values_list("player_id", flat=True))


def _seat(table: FreeTable, player: Player, number: int, now: datetime) -> None:
    try:
        with transaction.atomic():
            FreeSeat.objects.create(table=table, number=number, player=player, sat_at=now)
            Seek.objects.filter(player=player).delete()  # who waits here seeks no more (B2)
    except IntegrityError:  # they sat down at another table this very instant: this one's row is held
        raise LobbyRefused("seated_elsewhere") from None


def _open_if_full(table: FreeTable, now: datetime) -> Match | None:
    seated = queries.list_occupants(table)
    return _open(table, seated, now) if len(seated) == table.players else None


def _open(table: FreeTable, seated: list[FreeSeat], now: datetime) -> Match | None:
    """Open the match of these people and the house; None where somebody plays elsewhere by now: their seat is free."""
    gone = find_playing([seat.player_id for seat in seated]) | _find_unwelcome(seated, now)
    by_number = {seat.number: seat.player for seat in seated}
    numbers = list_seats(table.players)
    match = None
    if not gone:
        house = iter(take_house_players(count=len(numbers) - len(by_number), now=now))
        players = [by_number[number] if number in by_number else next(house) for number in numbers]
        try:
            with transaction.atomic():
                match = open_match_of(table, players, now)
        except SeatTaken as taken:
            gone = {taken.player_id} if taken.player_id is not None else find_playing([player.pk for player in players])
    if match is None:
        FreeSeat.objects.filter(table=table, player__in=gone).delete()
        release_stakes(table=table, player_ids=gone)
        if not FreeSeat.objects.filter(table=table).exists():
            _close(table, now)
    else:
        FreeSeat.objects.filter(table=table).delete()
        table.match = match
        table.state = State.STARTED
        table.due_at = None
        table.save(update_fields=["match", "state", "due_at"])
    broadcast.publish_lobby_change()
    return match


def open_match_of(table: FreeTable, players: list[Player], now: datetime, *, first_dealer: int | None = None) -> Match:
    """Open the match that a free table was set up for, these people in the order of its seats. SeatTaken.

    Where the house sits it plays for whoever is absent, too: such a match counts for no level anyway.
    """
    absence = Match.Absence.HOUSE if any(player.is_house for player in players) else table.absence
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
        first_dealer=first_dealer,
        title=" · ".join(player.name for player in players),
        absence=absence,
        strength=table.strength,
        now=now,
        handicap=(table.handicap[0], table.handicap[1]) if table.handicap else (0, 0),
        welcoming=True,
    )


def _close(table: FreeTable, now: datetime) -> None:
    table.state = State.CLOSED
    table.due_at = now + FORGET_AFTER
    table.save(update_fields=["state", "due_at"])
