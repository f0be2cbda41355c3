"""The chat of a table, kept with the match (G9): by the players, and by those who watch among themselves.

It decides who may say what and when: players never in a pairs match while a deal is being played, nobody without end.
What is said has no effect on play. Who watches reads along with the players and talks where no player ever reads it:
what is said beside a table can't reach a hand. There are ready-made phrases, a closed list, sent as codes.
"""

from datetime import timedelta
from functools import partial

from django.db import transaction

from games import broadcast, wording
from games.clocks import Now
from games.models import ChatLine, Deal, Match
from games.services.errors import ActionRefused, NotSeated
from games.services.playing import Ack
from games.services.writing import lock_for_writing
from players import caps
from players.broadcast import publish
from players.clean_text import clean_line

MAX_CHARACTERS = 200  # characters
AFTERWARDS = timedelta(minutes=10)  # a finished table may still be talked at
MAX_SHOWN = 50  # lines, to who comes in


class ChatClosed(ActionRefused):
    """A deal of a pairs match is being played (G9), or the match is long over."""

    code = "chat_closed"


class ChatLate(ActionRefused):
    """Refusal of who watches one deal late (W3): what they read is over."""

    code = "chat_late"


class ChatEmpty(ActionRefused):
    """Refusal of a line without anything visible."""

    code = "chat_empty"


class ChatTooLong(ActionRefused):
    code = "chat_too_long"


class ChatTooFast(ActionRefused):
    """Too many messages in too little time."""

    code = "chat_too_fast"


def say(
    *,
    match_id: int,
    seat: int | None,
    text: str,
    client_id: str,
    now: Now,
    phrase: str = "",
    author_id: int | None = None,
) -> Ack:
    """Say ``text``, or a ready-made ``phrase``, from ``seat``; from None among those who watch, as ``author_id``.

    A client id that was already used gets its first answer. Raises NotSeated (a visitor without a name), ChatClosed,
    ChatEmpty (no such phrase, too), ChatTooLong, ChatTooFast. The match is held, so a line is said before the first
    card of a deal or refused.
    """
    if seat is None and author_id is None:
        raise NotSeated
    line = "" if phrase else clean_line(text)
    with transaction.atomic():
        match, at, first_answer = lock_for_writing(ChatLine, match_id=match_id, client_id=client_id, now=now)
        if first_answer is not None:
            return first_answer
        over = match.finished_at is not None and match.finished_at + AFTERWARDS <= at
        if over or (seat is not None and not match.chat_open):
            raise ChatClosed(match.version)
        if phrase not in wording.PHRASES if phrase else not line:
            raise ChatEmpty(match.version)
        if len(line) > MAX_CHARACTERS:
            raise ChatTooLong(match.version)
        author = author_id if seat is None else None
        own = ChatLine.objects.filter(match=match, seat=seat, author_id=author)
        cap = caps.CHAT_LINES_A_SEAT
        if own.filter(at__gt=at - cap.window).count() >= cap.most:
            raise ChatTooFast(match.version)
        ChatLine.objects.create(
            match=match, seat=seat, author_id=author, text=line, phrase=phrase, client_id=client_id, at=at
        )
        transaction.on_commit(partial(publish, broadcast.name_group(match.public_id), {"type": "chat.said"}))
        return Ack(client_id, match.version)


def list_lines(match_id: int, after: int, seat: int | None, late: bool = False) -> list[ChatLine]:
    """List the lines after that number that the reader at ``seat`` (None: a watcher) may read.

    At most the last ``SHOWN``, in order. A player never reads what those who watch say (G9); ``late``: who watches one
    deal late reads nothing of what was said since the running deal began (W3).
    """
    readable = ChatLine.objects.filter(match_id=match_id, pk__gt=after).select_related("author")
    if seat is not None:
        readable = readable.filter(seat__isnull=False)
    if late:
        running = Deal.objects.filter(match_id=match_id, match__status=Match.Status.PLAYING).order_by("-number")
        begun = running.values_list("dealt_at", flat=True).first()
        readable = readable if begun is None else readable.filter(at__lt=begun)
    return list(reversed(readable.order_by("-pk")[:MAX_SHOWN]))
