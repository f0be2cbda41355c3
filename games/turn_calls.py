"""Turns whose player looks at no page of the site: their devices are told (U4), by Celery, every few seconds; and once
more, shortly before its end, that a table waits for somebody.

It is told once a turn, and only where there is time to come back: in a match with a short turn nobody is told anything.
No deadline depends on it, and nothing of the cards goes out.
"""

from collections.abc import Collection
from datetime import UTC, datetime, timedelta

from django.db.models import Q, QuerySet
from django.urls import reverse

from games.engine.game import controlling_seat
from games.models import Match, Seat
from players import caps, presence
from players.models import PushMessage
from players.services.push_messages import Awaited, push_to

CALL_AFTER = timedelta(seconds=10)  # of the turn
LEAST_LEFT = timedelta(seconds=15)  # to come back in: of half a minute one look every five seconds sees it
LAST_CALL = timedelta(seconds=30)  # before whoever hasn't come to their table loses
LAST = ":last"  # behind the table's public id


def call_turns(*, now: datetime) -> int:
    """Tell those whose turn it has been for a while, once a turn. Return how many were told now.

    Where it can't be known who looks at a page nobody is told.
    """
    late = Q(match__deadline_at=None) | Q(match__deadline_at__gte=now + LEAST_LEFT)
    waiting = _list_turns().filter(
        late,
        match__turn_from__lte=now - CALL_AFTER,
        player__user__push_turns=True,
        player__user__push_devices__isnull=False,
    )
    turns = {build_key(seat.match): seat for seat in waiting.distinct() if _is_turn_of(seat)}
    if not turns:
        return 0
    watching = presence.find_watching(now)
    keys = PushMessage.objects.filter(kind=PushMessage.Kind.TURN, key__in=turns).values_list("key", flat=True)
    new = [] if watching is None else [key for key in turns.keys() - set(keys) if turns[key].player_id not in watching]
    for key in new:
        seat = turns[key]
        match = seat.match
        push_to(
            kind=PushMessage.Kind.TURN,
            key=key,
            player_ids=[seat.player_id],
            title=match.title,
            path=reverse("table", args=[match.public_id]),
            until=min(match.deadline_at or now + caps.PUSH_TURN_HOLDS, now + caps.PUSH_TURN_HOLDS),
            now=now,
        )
    return len(new)


def call_last(*, now: datetime) -> int:
    """Tell those once more who are still awaited at a table, shortly before they lose. Return how many tables call."""
    waiting = {"match__status": Match.Status.WAITING, "match__paused_at": None, "match__training": False}
    soon = {"match__noshow_at__gt": now, "match__noshow_at__lte": now + LAST_CALL}
    seats = Seat.objects.filter(live=True, arrived_at=None, player__user__push_devices__isnull=False, **waiting, **soon)
    players: dict[Match, list[int]] = {}
    for seat in seats.select_related("match").distinct():
        players.setdefault(seat.match, []).append(seat.player_id)
    for match, player_ids in players.items():
        assert match.noshow_at is not None
        push_to(
            kind=PushMessage.Kind.TABLE,
            key=match.public_id + LAST,
            player_ids=player_ids,
            title=match.title,
            path=reverse("table", args=[match.public_id]),
            until=match.noshow_at,
            now=now,
        )
    return len(players)


def build_key(match: Match) -> str:
    """Return what a running turn is known by: the table, and the instant from which its clock runs."""
    assert match.turn_from is not None
    return f"{match.public_id}:{match.turn_from.astimezone(UTC).isoformat()}"


def find_awaited_turns(asked: Collection[Awaited]) -> Collection[Awaited]:
    """Return those of these turns that are still their player's."""
    ids = {key.partition(":")[0] for _player_id, key in asked}
    seats = _list_turns().filter(match__public_id__in=ids)
    return {(seat.player_id, build_key(seat.match)) for seat in seats if _is_turn_of(seat)}


def find_awaited_tables(asked: Collection[Awaited]) -> Collection[Awaited]:
    """Return those of these tables, by public id, to which their player hasn't come."""
    ids = {key.removesuffix(LAST) for _player_id, key in asked}
    seats = Seat.objects.filter(match__public_id__in=ids, arrived_at=None).exclude(match__status=Match.Status.FINISHED)
    awaited = set(seats.values_list("player_id", "match__public_id"))
    return {(player_id, key) for player_id, key in asked if (player_id, key.removesuffix(LAST)) in awaited}


def _list_turns() -> QuerySet[Seat]:
    """Return the live seats of tables at which a turn runs; nobody is kept waiting by training (B7)."""
    running = {"match__status": Match.Status.PLAYING, "match__paused_at": None, "match__turn_from__isnull": False}
    return Seat.objects.filter(live=True, match__training=False, **running).select_related("match")


def _is_turn_of(seat: Seat) -> bool:
    """Tell if the running turn is this player's own: the house doesn't play for them."""
    match = seat.match
    assert match.turn_seat is not None
    own = controlling_seat(match.turn_seat, match.players) == seat.number
    return own and not match.played_by_house >> match.turn_seat & 1
