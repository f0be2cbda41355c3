"""What the players of a table say to each other, kept with the match (G9).

It decides who may say what and when: only who sits there, never in a pairs match while a deal is being played, and not
without end. What is said has no effect on play. Spectators read along.
"""

from datetime import timedelta
from functools import partial

from django.db import transaction

from games import broadcast, clocks
from games.clocks import Now
from games.models import ChatLine, Match
from games.services import Ack, NotSeated, Refused
from players.broadcast import publish
from players.text import clean_line

LONGEST = 200  # characters
LINES, WINDOW = 5, timedelta(seconds=10)  # of one seat
AFTERWARDS = timedelta(minutes=10)  # a finished table may still be talked at
SHOWN = 50  # lines, to who comes in


class ChatClosed(Refused):
    """A deal of a pairs match is being played (G9), or the match is long over."""

    code = "chat_closed"


class ChatEmpty(Refused):
    """Nothing that can be seen was said."""

    code = "chat_empty"


class ChatTooLong(Refused):
    code = "chat_too_long"


class ChatTooFast(Refused):
    """So much in so little time."""

    code = "chat_too_fast"


def say(*, match_id: int, seat: int | None, text: str, client_id: str, now: Now) -> Ack:
    """Say ``text`` from ``seat``. A client id that was already used gets its first answer.

    Raises NotSeated (None: a spectator), ChatClosed, ChatEmpty, ChatTooLong, ChatTooFast. The match is held, so a line
    is said before the first card of a deal or refused.
    """
    if seat is None:
        raise NotSeated
    line = clean_line(text)
    with transaction.atomic():
        match = Match.objects.select_for_update(of=("self",)).get(pk=match_id)
        at = clocks.instant(now)
        said = ChatLine.objects.filter(match=match)
        if said.filter(client_id=client_id).exists():
            return Ack(client_id, match.version)
        over = match.finished_at is not None and match.finished_at + AFTERWARDS <= at
        if over or not match.chat_open:
            raise ChatClosed(match.version)
        if not line:
            raise ChatEmpty(match.version)
        if len(line) > LONGEST:
            raise ChatTooLong(match.version)
        if said.filter(seat=seat, at__gt=at - WINDOW).count() >= LINES:
            raise ChatTooFast(match.version)
        ChatLine.objects.create(match=match, seat=seat, text=line, client_id=client_id, at=at)
        transaction.on_commit(partial(publish, broadcast.group(match.public_id), {"type": "chat.said"}))
        return Ack(client_id, match.version)


def lines(match_id: int, after: int) -> list[ChatLine]:
    """What was said after the line with that number, at most the last ``SHOWN``, in order."""
    newest = ChatLine.objects.filter(match_id=match_id, pk__gt=after).order_by("-pk")[:SHOWN]
    return list(reversed(newest))
