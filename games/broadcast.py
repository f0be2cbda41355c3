"""Hints to sockets after a commit that something changed: a version, never a card. Whoever hears it reads the truth."""

from collections.abc import Iterable, Sequence
from functools import partial

from django.db import transaction
from django.urls import reverse

from games.models import Match
from players import caps
from players.broadcast import notify, publish
from players.models import Player, PushMessage
from players.services.mail import MailValues, mail_to
from players.services.open_tables import OpenTable
from players.services.push_messages import push_to


def name_group(public_id: str) -> str:
    """The channel group of a table's sockets."""
    return f"match.{public_id}"


TABLES_GROUP = "tables"  # what concerns many of them: one hint for a commit
LOBBY_GROUP = "lobby"
SEEKS_GROUP = "seeks"
REST_GROUP = "rest"  # of the processes themselves


def publish_lobby_change() -> None:
    """Tell readers of free tables that one was set up, changed or removed."""
    transaction.on_commit(partial(publish, LOBBY_GROUP, {"type": "changed", "v": 0}))


def publish_seek_change() -> None:
    """Tell the web processes that somebody seeks a match, or seeks no more: pages hear of it together with others'."""
    transaction.on_commit(partial(publish, SEEKS_GROUP, {"type": "changed", "v": 0}))


def publish_change(match: Match) -> None:
    """Tell the sockets of a table that it has a new version, or new due times at the same one."""
    message = {"type": "changed", "v": match.version}
    transaction.on_commit(partial(publish, name_group(match.public_id), message))


def publish_moves(matches: Sequence[Match]) -> None:
    """Tell the sockets of all these tables, whose moves are committed, that each has a new version."""
    if matches:
        publish(TABLES_GROUP, {"type": "changed", "at": [[match.pk, match.version] for match in matches]})


def publish_new_deadlines() -> None:
    """Tell of every running table that its due times have moved at the same version: an outage is over."""
    transaction.on_commit(partial(publish, TABLES_GROUP, {"type": "deadlines"}))


def publish_end_of_rest() -> None:
    """Tell the web processes that somebody has come, or a clock runs: each has to give signs of life again."""
    publish(REST_GROUP, {"type": "rest.over"})


def publish_claim(match: Match, seat: int, token: str) -> None:
    """Tell older sockets of ``seat`` that a newer one controls it (one live window a seat)."""
    message = {"type": "seat.claimed", "seat": seat, "token": token}
    transaction.on_commit(partial(publish, name_group(match.public_id), message))


def notify_seated(match: Match, player_id: int) -> None:
    """Tell the player's other pages that they sit at the table and needn't be called there."""
    _notify_settled(match, [player_id])


def notify_closed(match: Match) -> None:
    """Tell players' pages that the match is over, played or not: none calls them there any more."""
    _notify_settled(match, match.seats.exclude(player__kind=Player.Kind.HOUSE).values_list("player_id", flat=True))


def _notify_settled(match: Match, player_ids: Iterable[int]) -> None:
    path = reverse("table", args=[match.public_id])
    for player_id in player_ids:
        transaction.on_commit(partial(notify, player_id, {"t": "settled", "url": path}))


def notify_opened(match: Match, player_ids: Iterable[int]) -> None:
    """Tell players that a table waits for them: on every page they have open, by mail and on their devices if they want
    (W1, U4)."""
    players = list(player_ids)
    path = reverse("table", args=[match.public_id])
    table = OpenTable(path, match.title, awaited=True, until=match.noshow_at)
    for player_id in players:
        transaction.on_commit(partial(notify, player_id, {"t": "table", **table.build_frame()}))
    values = MailValues(title=match.title, path=path)
    mail_to(kind="table", key=match.public_id, player_ids=players, values=values, now=match.opened_at)
    stale = match.opened_at + caps.PUSH_TABLE_HOLDS
    push_to(
        kind=PushMessage.Kind.TABLE,
        key=match.public_id,
        player_ids=players,
        title=match.title,
        path=path,
        until=min(match.noshow_at or stale, stale),
        now=match.opened_at,
    )
