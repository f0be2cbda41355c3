"""Moves: of people, of house players, and the abandon. Each is refused with a reason, or committed and acknowledged.

Calls travel with a card or by themselves; which of them may wait for which hour of a deal is decided here, what they
mean is the rules'.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from django.db import IntegrityError, transaction

from games import bots, clocks, match_cache, metrics
from games.clocks import Now
from games.engine import match as engine
from games.engine.game import GO_WITH_CARD, GameMove, IllegalMove, controlling_seat
from games.engine.record import parse_move
from games.locked_match import PLAY, LockedMatch
from games.match_cache import Position
from games.models import Match, Move
from games.services.errors import (
    ActionRefused,
    CallsOpen,
    Finished,
    GoesWithCard,
    NotConfirmed,
    NotStarted,
    Paused,
    Replaced,
    Stale,
    WindowOver,
)
from games.services.settlement import deliver_when_over
from games.thinking import HousePlan

logger = logging.getLogger(__name__)

OPENING_CALLS = frozenset({"redeal", "collatondrione"})  # C2, C5

# The moves that are meant, in order, once the row is held: by the seat that acts then.
Meant = Callable[[LockedMatch], Sequence[GameMove]]


@dataclass(frozen=True, slots=True)
class Ack:
    """An action that was committed: the client's id of it and the match's version after it."""

    id: str | None
    version: int


def play_move(
    *,
    match_id: int,
    seat: int,
    control: str,
    text: str,
    client_id: str | None,
    version: int,
    now: Now,
    calls: Sequence[str] | None = None,
) -> Ack:
    """Play ``text`` ("play 7c x 4d 3s") for ``seat``, as the socket ``control``, at the version the client saw.

    ``calls`` ("declare d ho"): what goes out together with the card, all or nothing; None: what the player has
    automatic (T10). A client id that was already played gets its first answer. Raises Stale, NotStarted, Finished,
    Replaced, GoesWithCard, CallsOpen, WindowOver and IllegalMove.
    """
    move = parse_move(f"{seat} {text}")
    chosen_calls = [parse_move(f"{seat} {call}") for call in calls or ()]
    if move.verb in engine.FORFEITS or any(call.verb == PLAY or call.verb in engine.FORFEITS for call in chosen_calls):
        raise IllegalMove("unknown_move")
    if move.verb == PLAY:
        meant = partial(join_calls_and_card, move, None if calls is None else chosen_calls)
        return _play(match_id, seat, meant, control, client_id, version, now, alone=False)
    if calls is not None:
        raise IllegalMove("unknown_move")
    if move.verb in GO_WITH_CARD:
        raise GoesWithCard(version)
    return _play(match_id, seat, partial(_build_call, move), control, client_id, version, now, alone=True)


def join_calls_and_card(
    move: GameMove, chosen_calls: Sequence[GameMove] | None, table: LockedMatch
) -> Sequence[GameMove]:
    """A card, after the calls that go with it."""
    seat = table.acting(move.seat)
    card = move if move.seat == seat else move._replace(seat=seat)
    if chosen_calls is not None:
        return [*(call._replace(seat=seat) for call in chosen_calls), card]
    progress = table.position.progress
    calls = engine.automatic(progress, table.match.automatic_calls, card)
    return [*calls, card] if calls and card in engine.legal(progress) else [card]


def _build_call(move: GameMove, table: LockedMatch) -> Sequence[GameMove]:
    return [move._replace(seat=table.acting(move.seat))]


def play_house_move(*, match_id: int, now: Now, plan: HousePlan | None = None) -> Ack | None:
    """Move for the house player whose turn it is, if its pause is over: as planned, else by rules of thumb.

    It gets the View a person at its seat gets, and so did who planned. In the opening window of a deal, all house
    players call what they have to call, at one instant. None where there is nothing to do (any more). They move through
    the same guarded transaction as everybody, but wait for nobody's (AT7): a result is left to the sweep's other
    thread, whose receivers lock a tournament.
    """
    match, position = match_cache.read_match(match_id)
    at = clocks.read_instant(now)
    if position is None or match.bot_due_at is None or match.turn_seat is None or at < match.bot_due_at:
        return None
    if match.paused_at is not None:
        return None
    try:
        if match.opening_until is not None and match.bot_due_at < match.opening_until:
            return _play_house_calls(match, position, now)
        ack = _play_planned(match, plan, now) if plan is not None and plan.version == match.version else None
        if ack is None:
            plan = None
            view = engine.view(position.progress, controlling_seat(match.turn_seat, match.players))
            ack = _play_for_house(match, bots.choose_quickly(match.ruleset, view), now)
    except ActionRefused:
        return None  # somebody else was first
    thought = "quick" if plan is None else "halved" if plan.halvings else "full"
    metrics.HOUSE_MOVES.labels(thought).inc()
    metrics.HOUSE_LATE_SECONDS.observe((clocks.read_instant(now) - match.bot_due_at).total_seconds())
    return ack


def _play_planned(match: Match, plan: HousePlan, now: Now) -> Ack | None:
    """Make the moves of a plan; None where it has none, or the rules refuse them: that is a bug, and no table waits for
    it."""
    if not plan.moves:
        return None
    try:
        return _play_for_house(match, plan.moves, now)
    except IllegalMove as refused:
        logger.error("a house player's plan was refused at %s: %s", match.ruleset, refused.code)
        return None


def _play_for_house(match: Match, chosen: Sequence[GameMove], now: Now) -> Ack:
    assert match.turn_seat is not None
    moves = [move for move in chosen if move.verb not in OPENING_CALLS]  # the time for those is over
    if not moves:
        raise ValueError("a house player to move must play a card")
    return _play(match.pk, match.turn_seat, lambda _: moves, None, None, match.version, now, alone=False)


def _play_house_calls(match: Match, position: Position, now: Now) -> Ack:
    """Make the calls of the house's players before a deal's first card, from its leader on."""
    assert match.turn_seat is not None
    calls: list[GameMove] = []
    for seat in [(match.turn_seat + step) % match.hands for step in range(match.hands)]:
        if match.played_by_house >> seat & 1 and seat == controlling_seat(seat, match.players):
            for move in bots.choose_quickly(match.ruleset, engine.view(position.progress, seat)):
                if move.verb == PLAY or move.verb in GO_WITH_CARD:
                    break
                calls.append(move)
    with transaction.atomic():
        table = LockedMatch.lock_if_free(match.pk, now)
        if table is None or table.match.version != match.version:
            raise Stale(match.version)
        if not table.expire() and table.match.paused_at is None:
            late = _is_window_over(table)
            table.house_calls([move for move in calls if not (late and move.verb in OPENING_CALLS)])
    return Ack(None, table.match.version)


def _play(
    match_id: int,
    seat: int,
    meant: Meant,
    control: str | None,
    client_id: str | None,
    version: int,
    now: Now,
    *,
    alone: bool,
) -> Ack:
    """``control`` None: the house moves for its own player. ``alone``: a call without a card, which may have been made
    in sight of any version of this deal, for nothing that others did since makes it another call."""
    try:
        with transaction.atomic():
            house = control is None
            table = LockedMatch.lock_if_free(match_id, now) if house else LockedMatch.lock(match_id, now)
            if table is None:
                raise Stale(version)
            match = table.match
            if version != match.version:
                first = _find_first_answer(match_id, client_id)
                if first is not None:
                    return first
                if not (alone and table.was_seen_in_this_deal(version)):
                    raise Stale(match.version)
            late = table.expire()
            if not late:
                moves = choose_moves(table, seat, meant, control)
                if not house:
                    table.come_back(seat)
                table.play(moves, client_id)
            if not house:
                deliver_when_over(table)
    except IntegrityError:  # a client id that was used before
        first = _find_first_answer(match_id, client_id)
        if first is None:
            raise
        return first
    if late:
        raise Stale(match.version)
    return Ack(client_id, match.version)


def choose_moves(table: LockedMatch, seat: int, meant: Meant, control: str | None) -> Sequence[GameMove]:
    """Return the moves that are meant, in order, if the socket ``control`` (None: the house) may make them now.

    Raises NotStarted, Finished, Paused, Replaced, CallsOpen, WindowOver.
    """
    match = table.match
    _require_playing(match)
    if match.paused_at is not None:
        raise Paused(match.version)
    if control is not None and match.controls[seat] != control:
        raise Replaced(match.version)
    moves = meant(table)
    _require_hour(table, moves)
    return moves


def _require_hour(table: LockedMatch, moves: Sequence[GameMove]) -> None:
    """Refuse calls after their time, and the first card before it ends: the same time for everybody (C2, C5)."""
    opening = table.match.opening_until
    if opening is None:
        return
    verbs = {move.verb for move in moves}
    if PLAY in verbs and table.now < opening:
        raise CallsOpen(table.match.version)
    if verbs & OPENING_CALLS and _is_window_over(table):
        raise WindowOver(table.match.version)


def _is_window_over(table: LockedMatch) -> bool:
    return clocks.is_over(table.match.opening_until, table.now)


def _find_first_answer(match_id: int, client_id: str | None) -> Ack | None:
    if client_id is None:
        return None
    version = Move.objects.filter(match_id=match_id, client_id=client_id).values_list("version", flat=True).first()
    return None if version is None else Ack(client_id, version)


def abandon(*, match_id: int, seat: int, control: str, confirm: bool, client_id: str | None, now: Now) -> Ack:
    """Lose the match at once, for the whole line (G8): at any time once it has started, whoever's turn it is.

    Where the house plays for whoever is absent it gets the seat for good instead, if other people sit there; who trains
    sets the match aside (B7).

    Raises NotConfirmed, NotStarted, Finished, Replaced, Stale (the match ended by a timeout that was due).
    """
    with transaction.atomic():
        table = LockedMatch.lock(match_id, now)
        match = table.match
        first = _find_first_answer(match_id, client_id)
        if first is not None:
            return first
        late = table.expire()
        if not late:
            _require_playing(match)
            if match.given_up >> seat & 1:
                return Ack(client_id, match.version)
            if match.controls[seat] != control:
                raise Replaced(match.version)
            if not confirm:
                raise NotConfirmed(match.version)
            if match.training:
                table.set_aside()
            elif match.absence == Match.Absence.HOUSE and match.people & ~match.mask(seat):
                table.give_up(seat)
            else:
                table.play([GameMove(seat, "abandon")], client_id)
        deliver_when_over(table)
    if late:
        raise Stale(match.version)
    return Ack(client_id, match.version)


def come_back(*, match_id: int, seat: int, control: str, client_id: str, now: Now) -> Ack:
    """Take the seat back from the house, for the next turn (a turn that it plays already is its own).

    Safe to send again. Raises NotStarted, Finished, Replaced.
    """
    with transaction.atomic():
        table = LockedMatch.lock(match_id, now)
        match = table.match
        if not table.expire():
            _require_playing(match)
            if match.controls[seat] != control:
                raise Replaced(match.version)
            table.show_return(seat)
        deliver_when_over(table)
    return Ack(client_id, match.version)


def _require_playing(match: Match) -> None:
    if match.status == Match.Status.WAITING:
        raise NotStarted(match.version)
    if match.status == Match.Status.FINISHED:
        raise Finished(match.version)
