"""Notices after a commit: a hint that a tournament changed, with its version, never its contents. Hints may be lost."""

from collections.abc import Iterable
from datetime import datetime
from functools import partial

from django.db import transaction
from django.urls import reverse

from players.broadcast import Message, announce_changed_rights, notify, publish
from players.models import Player
from players.services.mail import MailValues, mail_to
from tournaments.models import Tournament

LIST_GROUP = "tournaments"


def group_name(public_id: str) -> str:
    """Return the channel group of those who look at one tournament."""
    return f"tournament.{public_id}"


def announce_change(tournament: Tournament) -> None:
    """Tell open pages of the tournament, and of lists it stands in, that it has a new version."""
    message = {"type": "changed", "v": tournament.version}
    transaction.on_commit(partial(publish, group_name(tournament.public_id), message))
    transaction.on_commit(partial(publish, LIST_GROUP, message))


def tell_people(tournament: Tournament, player_ids: Iterable[int], code: str, page: str = "tournament") -> None:
    """Send a notice to every page of these people, e.g. that the tournament was cancelled (E5); it leads to
    ``page``."""
    url = reverse(page, args=[tournament.public_id])
    frame = {"t": "notice", "code": code, "url": url, "title": tournament.name}
    transaction.on_commit(partial(_notify, list(player_ids), frame))


def recheck_watching(player_ids: Iterable[int]) -> None:
    """Have the tables that these people watch look again whether they may: they have come into a tournament that is
    being played, or play on in it (N4)."""
    users = list(Player.objects.filter(pk__in=player_ids).values_list("user_id", flat=True))
    transaction.on_commit(partial(announce_changed_rights, users))


def list_told() -> set[int]:
    """Return the ids of the players who get a notice when the running transaction commits."""
    waiting = (row[1] for row in transaction.get_connection().run_on_commit)
    hints = (one for one in waiting if isinstance(one, partial) and one.func is _notify)
    return {player_id for one in hints for player_id in one.args[0]}


def _notify(player_ids: list[int], frame: Message) -> None:
    for player_id in player_ids:
        notify(player_id, frame)


def mail_people(
    tournament: Tournament,
    player_ids: Iterable[int],
    kind: str,
    now: datetime,
    *,
    about: object = "",
    at: datetime | None = None,
    round: tuple[str, int] | None = None,
    why: str = "",
    reason: str = "",
) -> None:
    """A mail to those of these people who want one. ``kind``: one of players' WANTED. Of each kind a person gets one
    for each ``about`` (a round, a hour, a log entry: short); ``at`` is the hour it tells of, ``round`` the name and
    number of its round, ``why`` a code, ``reason`` what somebody wrote."""
    key = f"{tournament.public_id}:{about}" if about else tournament.public_id
    values = MailValues(title=tournament.name, path=reverse("tournament", args=[tournament.public_id]))
    if at is not None:
        values |= {"at": at.isoformat(), "zone": tournament.time_zone}
    if round is not None:
        values["round"] = round
    if why:
        values["why"] = why
    if reason:
        values["reason"] = reason
    mail_to(kind=kind, key=key, player_ids=player_ids, values=values, now=now)
