"""Everything that changes a table: open, arrive, take control, play, abandon, and whatever is due.

Each call is one transaction that holds the match's row. ``now`` is an instant, or the clock to read once the lock is
held (production passes ``timezone.now``): one instant decides, so a turn ends by its move or by its timeout, never by
both. Upstairs hears of a result in a second transaction, which the sweep repeats until it succeeds. Who may sit where
is settled before a match is opened; the rules of the game are the engine's.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from secrets import randbelow
from typing import Any

from django.db import IntegrityError, transaction

from games import bots, broadcast, clocks, positions
from games.clocks import Now
from games.engine import match as engine
from games.engine.game import Context, IllegalMove, Length, Setup
from games.engine.game import Move as GameMove
from games.engine.record import parse_move
from games.models import Match, Move, Seat
from games.signals import match_finished
from games.table import Table
from players.models import Player

logger = logging.getLogger(__name__)

BY_THE_TABLE = frozenset({"noshow", "timeout", "clock", "abandon"})  # verbs nobody can send as a move


class Refused(Exception):
    """An action that isn't possible now; it changed nothing. ``code`` is from the closed list of docs/protocol.md.

    ``version`` is the match's current version, None where there is no match to speak of.
    """

    code = "refused"

    def __init__(self, version: int | None = None) -> None:
        super().__init__(self.code)
        self.version = version


class Stale(Refused):
    """The table has moved on since the version the client saw (a move that came too late included)."""

    code = "stale"


class NotStarted(Refused):
    """Not everybody has arrived yet."""

    code = "not_started"


class Finished(Refused):
    """The match is over."""

    code = "finished"


class Replaced(Refused):
    """A newer window controls this seat."""

    code = "replaced"


class NotConfirmed(Refused):
    """Abandoning loses the match at once, so it must be confirmed."""

    code = "not_confirmed"


class NotSeated(Refused):
    """This player has no seat at this table."""

    code = "not_seated"


class SeatTaken(Refused):
    """One of the players sits live at another table (E8). ``player_id`` names him where that is known."""

    code = "seat_taken"

    def __init__(self, player_id: int | None = None) -> None:
        super().__init__()
        self.player_id = player_id


@dataclass(frozen=True, slots=True)
class Ack:
    """A move that was committed: the client's id of it and the match's version after it."""

    id: str | None
    version: int


def open_match(
    *,
    ruleset: str,
    length: Length,
    context: Context,
    options: Mapping[str, Any],
    players: Sequence[Player],
    turn_timeout: int | None,
    match_clock: int | None,
    noshow_after: int | None,
    first_dealer: int | None,
    title: str,
    now: Now,
    about_url: str = "",
) -> Match:
    """Open a table for ``players``, in the order of their seats; it is dealt when all have arrived. Times in seconds.

    House players are there at once. ``first_dealer`` None: drawn by lot (G3). ``noshow_after`` None: it waits for ever.
    Raises HeaderError if it can't be played so, SeatTaken if somebody sits live elsewhere.
    """
    dealer = randbelow(len(players)) if first_dealer is None else first_dealer
    engine.check(Setup(ruleset, len(players), length, context, dict(options), dealer))
    with transaction.atomic():
        at = clocks.instant(now)
        match = Match.objects.create(
            title=title,
            about_url=about_url,
            ruleset=ruleset,
            players=len(players),
            length_kind=length.kind,
            length_value=length.value,
            context=context,
            options=dict(options),
            first_dealer=dealer,
            version=1,
            opened_at=at,
            turn_timeout=turn_timeout,
            match_clock=match_clock,
            noshow_at=None if noshow_after is None else at + timedelta(seconds=noshow_after),
            controls=[""] * len(players),
            house_seats=sum(1 << number for number, player in enumerate(players) if player.is_house),
        )
        _seat(match, players)
        if all(player.is_house for player in players):
            Table(match, at).start()
        broadcast.opened(match, [player.pk for player in players if not player.is_house])
    return match


def _seat(match: Match, players: Sequence[Player]) -> None:
    live = Seat.objects.filter(live=True, player__in=players).values_list("player_id", flat=True).first()
    if live is not None:
        raise SeatTaken(live)
    seats = [
        Seat(match=match, number=number, player=player, arrived_at=match.opened_at if player.is_house else None)
        for number, player in enumerate(players)
    ]
    try:
        with transaction.atomic():
            Seat.objects.bulk_create(seats)
    except IntegrityError:  # another table took one of them in the meantime
        raise SeatTaken from None


def arrive(*, match_id: int, player_id: int, now: Now) -> None:
    """A player is at the table; the last one to come starts the match. Coming again changes nothing.

    Raises NotSeated. Who comes after the no-show time has forfeited already.
    """
    with transaction.atomic():
        table = _lock(match_id, now)
        seat = Seat.objects.filter(match_id=match_id, player_id=player_id).first()
        if seat is None:
            raise NotSeated(table.match.version)
        if not table.waiting or table.expire() or seat.arrived_at is not None:
            _tell_if_over(table)
            return
        seat.arrived_at = table.now
        seat.save(update_fields=["arrived_at"])
        if Seat.objects.filter(match_id=match_id, arrived_at=None).exists():
            table.arrived()
        else:
            table.start()


def claim_seat(*, match_id: int, player_id: int, token: str, now: Now) -> int:
    """Give control of the player's seat to the socket ``token``, the newest; gives the seat. Raises NotSeated."""
    with transaction.atomic():
        table = _lock(match_id, now)
        match = table.match
        seat = Seat.objects.filter(match_id=match_id, player_id=player_id).values_list("number", flat=True).first()
        if seat is None:
            raise NotSeated(match.version)
        match.controls[seat] = token
        match.save(update_fields=["controls"])
        broadcast.claimed(match, seat, token)
        return int(seat)


def play_move(
    *, match_id: int, seat: int, control: str, text: str, client_id: str | None, version: int, now: Now
) -> Ack:
    """Play ``text`` ("play 7c x 4d 3s") for ``seat``, as the socket ``control``, at the version the client saw.

    A client id that was already played gets its first answer. Raises Stale, NotStarted, Finished, Replaced and
    IllegalMove.
    """
    move = parse_move(f"{seat} {text}")
    if move.verb in BY_THE_TABLE:
        raise IllegalMove("unknown_move")
    return _play(match_id, move, control, client_id, version, now)


def play_house_move(*, match_id: int, now: Now) -> Ack | None:
    """Move for the house player whose turn it is, if its pause is over; it gets the View a person at its seat gets.

    None where there is nothing to do (any more). It moves through the same guarded transaction as everybody.
    """
    match, position = positions.read(match_id)
    if (
        position is None
        or match.bot_due_at is None
        or match.turn_seat is None
        or clocks.instant(now) < match.bot_due_at
    ):
        return None
    move = bots.choose(match.ruleset, engine.view(position.progress, match.turn_seat))
    try:
        return _play(match_id, move, None, None, match.version, now)
    except Refused:
        return None  # somebody else was first


def _play(match_id: int, move: GameMove, control: str | None, client_id: str | None, version: int, now: Now) -> Ack:
    """``control`` None: the house moves for its own player."""
    try:
        with transaction.atomic():
            table = _lock(match_id, now)
            match = table.match
            if version != match.version:
                first = _first_answer(match_id, client_id)
                if first is None:
                    raise Stale(match.version)
                return first
            late = table.expire()
            if not late:
                _must_be_playing(match)
                if control is not None and match.controls[move.seat] != control:
                    raise Replaced(match.version)
                table.play(move, client_id)
            _tell_if_over(table)
    except IntegrityError:  # a client id that was used before
        first = _first_answer(match_id, client_id)
        if first is None:
            raise
        return first
    if late:
        raise Stale(match.version)
    return Ack(client_id, match.version)


def _first_answer(match_id: int, client_id: str | None) -> Ack | None:
    if client_id is None:
        return None
    version = Move.objects.filter(match_id=match_id, client_id=client_id).values_list("version", flat=True).first()
    return None if version is None else Ack(client_id, version)


def abandon(*, match_id: int, seat: int, control: str, confirm: bool, client_id: str | None, now: Now) -> Ack:
    """Lose the match at once, for the whole line (G8): at any time once it has started, whoever's turn it is.

    Raises NotConfirmed, NotStarted, Finished, Replaced, Stale (the match ended by a timeout that was due).
    """
    with transaction.atomic():
        table = _lock(match_id, now)
        match = table.match
        first = _first_answer(match_id, client_id)
        if first is not None:
            return first
        late = table.expire()
        if not late:
            _must_be_playing(match)
            if match.controls[seat] != control:
                raise Replaced(match.version)
            if not confirm:
                raise NotConfirmed(match.version)
            table.play(GameMove(seat, "abandon"), client_id)
        _tell_if_over(table)
    if late:
        raise Stale(match.version)
    return Ack(client_id, match.version)


def settle(*, match_id: int, now: Now, skip_locked: bool = False) -> bool:
    """Do whatever is due at this table; whether something was. Safe to call at any time by anybody.

    ``skip_locked``: leave it to whoever has the row now (PostgreSQL; SQLite waits).
    """
    with transaction.atomic():
        table = Table.lock(match_id, now, skip_locked=skip_locked)
        if table is None:
            return False
        expired = table.expire()
        _tell_if_over(table)
        return expired


def settle_result(*, match_id: int, now: Now) -> bool:
    """Tell upstairs of a finished match, in a transaction of its own; whether that is done. The sweep tries again."""
    at = clocks.instant(now)
    unsettled = Match.objects.filter(pk=match_id, status=Match.Status.FINISHED, settled_at=None)
    try:
        with transaction.atomic():
            if unsettled.exists():
                # Receivers lock tournament, then fixture, then match: the match's row is written last.
                match_finished.send(sender=Match, match_id=match_id, now=at)
                unsettled.update(settled_at=at)
    except Exception:
        logger.exception("the result of match %s could not be passed on", match_id)
        return False
    return True


def _tell_if_over(table: Table) -> None:
    if table.match.status == Match.Status.FINISHED and table.match.settled_at is None:
        transaction.on_commit(partial(settle_result, match_id=table.match.pk, now=table.now))


def _must_be_playing(match: Match) -> None:
    if match.status == Match.Status.WAITING:
        raise NotStarted(match.version)
    if match.status == Match.Status.FINISHED:
        raise Finished(match.version)


def _lock(match_id: int, now: Now) -> Table:
    table = Table.lock(match_id, now)
    assert table is not None
    return table
