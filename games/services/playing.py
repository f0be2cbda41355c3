"""Moves: of people, of house players, and the abandon. Each is refused with a reason, or committed and acknowledged."""

from dataclasses import dataclass

from django.db import IntegrityError, transaction

from games import bots, clocks, positions
from games.clocks import Now
from games.engine import match as engine
from games.engine.game import IllegalMove
from games.engine.game import Move as GameMove
from games.engine.record import parse_move
from games.models import Match, Move
from games.services.due import tell_if_over
from games.services.refusals import Finished, NotConfirmed, NotStarted, Refused, Replaced, Stale
from games.table import Table


@dataclass(frozen=True, slots=True)
class Ack:
    """A move that was committed: the client's id of it and the match's version after it."""

    id: str | None
    version: int


def play_move(
    *, match_id: int, seat: int, control: str, text: str, client_id: str | None, version: int, now: Now
) -> Ack:
    """Play ``text`` ("play 7c x 4d 3s") for ``seat``, as the socket ``control``, at the version the client saw.

    A client id that was already played gets its first answer. Raises Stale, NotStarted, Finished, Replaced and
    IllegalMove.
    """
    move = parse_move(f"{seat} {text}")
    if move.verb in engine.FORFEITS:
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
            table = Table.lock(match_id, now)
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
            tell_if_over(table)
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
        table = Table.lock(match_id, now)
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
        tell_if_over(table)
    if late:
        raise Stale(match.version)
    return Ack(client_id, match.version)


def _must_be_playing(match: Match) -> None:
    if match.status == Match.Status.WAITING:
        raise NotStarted(match.version)
    if match.status == Match.Status.FINISHED:
        raise Finished(match.version)
