"""Calls of friends (B6): who waits at a table, or has found a tournament, calls somebody they follow. It is a notice
with a link and holds no place; organisers invite otherwise (E3).
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction

from players import caps
from players.broadcast import notify
from players.models import FriendCall, Player
from players.selectors import find_blocks, find_suspended
from players.services.counted_acts import TooMany, count_act

Kind = FriendCall.Kind


class CallRefused(Exception):
    """Refusal to call a friend; ``code`` says why: nobody_to_call, too_many_calls. ``wait``: until it is possible
    again."""

    def __init__(self, code: str, wait: timedelta = timedelta()) -> None:
        super().__init__(code)
        self.code, self.wait = code, wait


def call_friend(*, by: Player, public_id: str, kind: str, key: str, title: str, path: str, now: datetime) -> Player:
    """Call a friend to the page at ``path``; ``key`` is the public id of what it is about. Done again they are told
    again. Who blocks the caller, or is suspended, is told nothing, and the caller not that it is so (B6, U2). Return
    who was called.

    CallRefused: nobody_to_call (no friend), too_many_calls.
    """
    friend = Player.objects.filter(public_id=public_id, followed_by__player=by, user__is_active=True).first()
    if friend is None:
        raise CallRefused("nobody_to_call")
    reaches = not find_blocks([by.pk, friend.pk]) and not find_suspended([by.pk, friend.pk], now)
    with transaction.atomic():
        try:
            count_act(
                {
                    f"calls:{by.pk}": caps.FRIEND_CALLS_A_PERSON,
                    f"calls:{by.pk}:{friend.pk}": caps.FRIEND_CALLS_BY_ONE_TO_ONE,
                },
                now=now,
            )
        except TooMany as refused:
            raise CallRefused("too_many_calls", refused.wait) from None
        values = {"title": title, "path": path, "at": now}
        FriendCall.objects.update_or_create(by=by, player=friend, kind=kind, key=key, defaults=values)
        if reaches:
            frame = {"t": "notice", "code": f"called_to_{kind}", "url": path, "title": f"{by.name} · {title}"}
            transaction.on_commit(partial(notify, friend.pk, frame))
    return friend


def list_calls(player: Player, now: datetime) -> list[FriendCall]:
    """List the calls that still hold to this player, the latest first; none of somebody either of the two blocks."""
    rows = FriendCall.objects.filter(player=player, at__gt=now - caps.FRIEND_CALL_HOLDS).select_related("by")
    calls = list(rows.order_by("-at"))
    blocks = find_blocks([player.pk, *(call.by_id for call in calls)])
    return [call for call in calls if frozenset({player.pk, call.by_id}) not in blocks]


def list_called(by: Player, kind: str, key: str) -> Collection[int]:
    """List whom ``by`` has called to this already, by id."""
    rows = FriendCall.objects.filter(by=by, kind=kind, key=key)
    return set(rows.values_list("player_id", flat=True))


def forget_calls(now: datetime) -> int:
    """Delete a batch of calls that are a day old. Return how many."""
    old = FriendCall.objects.filter(at__lte=now - caps.FRIEND_CALLS_KEPT).values_list("pk", flat=True)
    return FriendCall.objects.filter(pk__in=list(old[: caps.HOUSEKEEPING_BATCH])).delete()[0]
