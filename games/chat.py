"""The chat of a table, kept with the match (G9): by the players, and by those who watch among themselves.

It decides who may say what and when: players never in a pairs match while a deal is being played, nobody without end,
nobody whose chat moderators closed (U2). Two of whom either blocks the other read nothing of each other (B6).
Where a pairs match keeps it closed, each may say one of three ready-made phrases while the count of a deal is shown:
too little to tell of the hands that have been dealt by then.
What is said has no effect on play. Who watches reads along with the players and talks where no player ever reads it:
what is said beside a table can't reach a hand. There are ready-made phrases, a closed list, sent as codes.
"""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from django.db import transaction
from django.db.models import QuerySet

from games import broadcast, wording
from games.clocks import PAUSE_DEAL, Now
from games.models import ChatLine, Deal, Match, Move, Seat
from games.services.errors import ActionRefused, NotSeated
from games.services.playing import Ack
from games.services.writing import lock_for_writing
from players import caps
from players.broadcast import publish
from players.clean_text import clean_line
from players.selectors import find_blocks_with, is_muted

MAX_CHARACTERS = 200  # characters
AFTERWARDS = timedelta(minutes=10)  # a finished table may still be talked at
MAX_SHOWN = 50  # lines, to whoever comes in


class ChatClosed(ActionRefused):
    """A deal of a pairs match is being played (G9), the match is long over, or a table with the same cards is (J12)."""

    code = "chat_closed"


class ChatLate(ActionRefused):
    """Refusal of whoever watches one deal late (W3): what they read is over."""

    code = "chat_late"


class ChatMuted(ActionRefused):
    """Refusal of whoever has no chat for a while, by an act of the moderators (U2)."""

    code = "chat_muted"


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
    ChatMuted, ChatEmpty (no such phrase, too), ChatTooLong, ChatTooFast. The match is held, so a line is said before
    the first card of a deal or refused.
    """
    if seat is None and author_id is None:
        raise NotSeated
    line = "" if phrase else clean_line(text)
    with transaction.atomic():
        match, at, first_answer = lock_for_writing(ChatLine, match_id=match_id, client_id=client_id, now=now)
        if first_answer is not None:
            return first_answer
        over = match.finished_at is not None and match.finished_at + AFTERWARDS <= at
        closed = seat is not None and not match.chat_open and not _may_greet(match, seat, phrase, at)
        if over or closed or _may_tell_of_cards(match):
            raise ChatClosed(match.version)
        _require_voice(match, seat, author_id, at)
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


def _may_greet(match: Match, seat: int, phrase: str, now: datetime) -> bool:
    """Tell if a player of a pairs match may say this: a phrase for between deals, once, while a count is shown."""
    if phrase not in wording.BETWEEN_DEALS or match.turn_from is None or now >= match.turn_from:
        return False
    deals = Deal.objects.filter(match=match, undone_at=None).order_by("-number")
    begun = Move.objects.filter(deal__in=deals[:1], undone_at=None).exists()
    if begun or not deals.filter(finished=True).exists():
        return False
    since = match.turn_from - PAUSE_DEAL
    return not ChatLine.objects.filter(match=match, seat=seat, at__gte=since).exists()


def _may_tell_of_cards(match: Match) -> bool:
    """Tell if somebody knows cards that are still to be played elsewhere: a table of the round is over (J12)."""
    same = Match.objects.filter(commitment=match.commitment_id, status=Match.Status.FINISHED)
    return not match.is_shown and same.exists()


def _require_voice(match: Match, seat: int | None, author_id: int | None, now: datetime) -> None:
    """Refuse who is muted (U2). Who is blocked may talk and isn't read (B6): a refusal would tell them."""
    players = dict(Seat.objects.filter(match=match).values_list("number", "player_id"))
    speaker = author_id if seat is None else players.get(seat)
    if speaker is None:
        raise NotSeated(match.version)
    if is_muted(speaker, now):
        raise ChatMuted(match.version)


class RecentLines(NamedTuple):
    """The last lines of a table, in order: those that players read, those of whoever watches (G9), and those of
    whoever watches one deal late: nothing of what was said since the running deal began (W3)."""

    players: list[ChatLine]
    watchers: list[ChatLine]
    late: list[ChatLine]
    seated: Mapping[int, int] = {}  # player by seat
    blocks: Collection[frozenset[int]] = frozenset()  # pairs with somebody who spoke: neither reads the other (B6)

    def list_new(
        self, after: int, seat: int | None, late: bool = False, reader_id: int | None = None
    ) -> list[ChatLine]:
        """List the lines after that number that the reader at ``seat`` (None: a watcher) may read."""
        readable = self.players if seat is not None else self.late if late else self.watchers
        return [line for line in readable if line.pk > after and not self._is_between_blocked(line, reader_id)]

    def _is_between_blocked(self, line: ChatLine, reader_id: int | None) -> bool:
        if reader_id is None or not self.blocks:
            return False
        speaker = line.author_id if line.seat is None else self.seated.get(line.seat)
        return speaker is not None and frozenset({speaker, reader_id}) in self.blocks


def read_recent(match_id: int) -> RecentLines:
    """Return at most the last ``MAX_SHOWN`` lines for each kind of reader, for all of them at once."""
    last = ChatLine.objects.filter(match_id=match_id).select_related("author").order_by("-pk")
    watchers = list(reversed(last[:MAX_SHOWN]))
    players = late = watchers
    if any(line.seat is None for line in watchers):
        players = _choose_last(last.filter(seat__isnull=False), watchers, lambda line: line.seat is not None)
    running = Deal.objects.filter(match_id=match_id, match__status=Match.Status.PLAYING).order_by("-number")
    begun = running.values_list("dealt_at", flat=True).first() if watchers else None
    if begun is not None:
        late = _choose_last(last.filter(at__lt=begun), watchers, lambda line: line.at < begun)
    if not watchers:
        return RecentLines([], [], [])
    seated = dict(Seat.objects.filter(match_id=match_id).values_list("number", "player_id"))
    speakers = {line.author_id if line.seat is None else seated.get(line.seat) for line in [*watchers, *players, *late]}
    return RecentLines(players, watchers, late, seated, find_blocks_with({pk for pk in speakers if pk is not None}))


def _choose_last(
    readable: QuerySet[ChatLine], latest: list[ChatLine], may_read: Callable[[ChatLine], bool]
) -> list[ChatLine]:
    """Return the last readable lines: of those that are known, unless there may be earlier ones."""
    chosen = [line for line in latest if may_read(line)]
    return chosen if len(latest) < MAX_SHOWN else list(reversed(readable[:MAX_SHOWN]))
