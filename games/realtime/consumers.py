"""The socket of a table: a seated player plays through it, anybody who may watches.

It sends its own seat's view and nothing else of the game, answers every action with an ack or an error, and decides
nothing: each frame is one call of a service, off the event loop.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Sequence
from typing import Any, ClassVar
from uuid import uuid4

from django.utils import timezone

from games import broadcast, chat, match_cache, metrics, reports, selectors, wording
from games.engine.game import IllegalMove
from games.frames import add_now
from games.models import Match
from games.plain_moves import writer
from games.plain_moves.plan import MoveRequest, plan_move
from games.realtime import protocol
from games.realtime.hub import get_hub
from games.selectors import EncodedViews, Viewpoint
from games.services import errors, playing, preferences, seating
from games.services.errors import ActionRefused
from games.services.playing import Ack
from players.broadcast import Message
from players.models import Player
from players.realtime import db_executor
from players.realtime.base import FrameConsumer
from players.realtime.frames import Frame

logger = logging.getLogger(__name__)


class TableConsumer(FrameConsumer):
    """ws/tavolo/<public id>/"""

    precedence: ClassVar[int] = 10  # a table's socket stays when a person has too many open

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.match_id = 0
        self.public_id = ""
        self.claimed = False
        self.seat: int | None = None
        self.viewer: int | None = None  # whose view it is shown; LATE: one deal late (W3)
        self.token = str(uuid4())
        self._sent: tuple[int, str] | None = None  # version and body of the last view sent
        self._deal: int | None = None  # the running deal when the last view was pushed
        self._next: EncodedViews | None = None
        self._sending: asyncio.Task[None] | None = None
        self._seat_lost = False
        self._watchers = 0  # as last sent
        self._last_line = 0  # the last line of the chat that was sent
        self._chatting = asyncio.Lock()

    async def on_open(self) -> None:
        public_id = self.scope["url_route"]["kwargs"]["public_id"]
        match, viewpoint = await db_executor.run(find_viewpoint, public_id, self.player)
        if match is None or viewpoint is None or viewpoint.is_refused:
            await self.hang_up(protocol.CLOSE_UNKNOWN if match is None else protocol.CLOSE_FORBIDDEN)
            return
        seat = viewpoint.seat
        self.match_id, self.public_id, self.seat, self.viewer = match.pk, match.public_id, seat, viewpoint.viewer
        await self.join(broadcast.name_group(match.public_id))  # subscribe first, read second
        if not self._open:
            return
        get_hub().enter(self)
        if seat is not None and self.player is not None:
            await writer.run_write(sit_down, self.match_id, self.player.pk, self.token)
            self.claimed = True
            self._replace_older_windows()
        get_hub().refresh(self.match_id)
        await self.chat_said({})

    async def on_late_join(self) -> None:
        get_hub().refresh(self.match_id)
        await self.chat_said({})

    async def on_close(self) -> None:
        get_hub().leave(self)

    def describe_error(self, code: str) -> str:
        return wording.describe_refusal(code) or super().describe_error(code)

    # --- From the browser ----------------------------------------------------------------------------------------

    async def on_frame(self, frame: Frame) -> None:
        match protocol.parse_frame(frame):
            case protocol.MoveFrame(id=client_id, v=version, move=text, calls=calls):
                with metrics.ACK_SECONDS.time():
                    if not await self._play_plainly(client_id, version, text, calls):
                        await self._act(client_id, version, lambda: self._play(client_id, version, text, calls))
            case protocol.OptionsFrame(id=client_id, automatic=automatic):
                await self._act(client_id, None, lambda: self._prefer(client_id, automatic))
                get_hub().refresh(self.match_id)  # what it changes may be at the same version
            case protocol.AbandonFrame(id=client_id, confirm=confirm):
                await self._act(client_id, None, lambda: self._abandon(client_id, confirm))
            case protocol.ChatFrame(id=client_id, text=text, phrase=phrase):
                await self._act(client_id, None, lambda: self._say(client_id, text, phrase), seated=False)
            case protocol.ReportFrame() as report:
                await self._act(report.id, None, lambda: self._report(report), seated=False)
            case protocol.SyncFrame(v=version):
                self._sent = None  # it may have lost what it was sent
                get_hub().refresh(self.match_id)
                await self.chat_said({})

    async def _play_plainly(self, client_id: str, version: int, text: str, calls: Sequence[str] | None) -> bool:
        """Play a card the short way, and answer it. False: nothing was done, the long way says what comes of it."""
        if self.seat is None:
            return False
        request = MoveRequest(self.public_id, self.match_id, self.seat, self.token, text, client_id, version, calls)
        plan = plan_move(request, timezone.now)
        committed = None if plan is None else await writer.commit(plan, timezone.now)
        if committed is None:
            return False
        await self.send_frame(protocol.build_ack(client_id, committed.match.version))
        get_hub().refresh(self.match_id, committed.match.version)
        return True

    async def _act(
        self, client_id: str, version: int | None, action: Callable[[], Ack], *, seated: bool = True
    ) -> None:
        """Run an action of this seat, or of who watches, and answer it, whatever comes of it."""
        try:
            if seated and self.seat is None:
                raise errors.NotSeated(version)
            viewers = get_hub().viewers_at(self.match_id)
            ack, views = await writer.run_write(run_action, action, self.public_id, viewers)
        except ActionRefused as refusal:
            await self.send_error(refusal.code, client_id, refusal.version)
            get_hub().refresh(self.match_id, refusal.version)
        except IllegalMove as refusal:
            await self.send_error(refusal.code, client_id, version)
        else:
            await self.send_frame(protocol.build_ack(ack.id, ack.version))
            if views is not None:
                get_hub().push_views(self.match_id, views)
            get_hub().refresh(self.match_id, ack.version)

    def _play(self, client_id: str, version: int, text: str, calls: Sequence[str] | None) -> Ack:
        assert self.seat is not None
        return playing.play_move(
            match_id=self.match_id,
            seat=self.seat,
            control=self.token,
            text=text,
            client_id=client_id,
            version=version,
            now=timezone.now,
            calls=calls,
        )

    def _prefer(self, client_id: str, automatic: Collection[str]) -> Ack:
        assert self.seat is not None
        return preferences.choose_automatic(
            match_id=self.match_id,
            seat=self.seat,
            control=self.token,
            automatic=automatic,
            client_id=client_id,
            now=timezone.now,
        )

    def _abandon(self, client_id: str, confirm: bool) -> Ack:
        assert self.seat is not None
        return playing.abandon(
            match_id=self.match_id,
            seat=self.seat,
            control=self.token,
            confirm=confirm,
            client_id=client_id,
            now=timezone.now,
        )

    def _say(self, client_id: str, text: str, phrase: str) -> Ack:
        if self.viewer == selectors.LATE:
            raise chat.ChatLate
        return chat.say(
            match_id=self.match_id,
            seat=self.seat,
            text=text,
            phrase=phrase,
            author_id=None if self.player is None else self.player.pk,
            client_id=client_id,
            now=timezone.now,
        )

    def _report(self, report: protocol.ReportFrame) -> Ack:
        return reports.report(
            match_id=self.match_id,
            reporter_id=None if self.player is None else self.player.pk,
            reason=report.reason,
            text=report.text,
            seat=report.seat,
            line=report.line,
            client_id=report.id,
            now=timezone.now,
        )

    # --- From the channel layer ----------------------------------------------------------------------------------

    async def changed(self, message: Message) -> None:
        """The table has a new version. Hints may be lost, doubled or late: versions decide."""
        get_hub().refresh(self.match_id, message["v"])

    async def seat_claimed(self, message: Message) -> None:
        """Lose the seat if another window took it, unless the hint is an old one."""
        if not self.claimed or message["seat"] != self.seat or message["token"] == self.token:
            return
        for _, _, controls in await db_executor.run(selectors.read_view_keys, [self.match_id]):
            if self.seat is not None and controls[self.seat] != self.token:
                self.lose_seat()

    async def chat_said(self, message: Message) -> None:
        """Something was said, or may have been: send what this socket hasn't been sent yet."""
        async with self._chatting:
            late = self.viewer == selectors.LATE
            lines = await db_executor.run(chat.list_lines, self.match_id, self._last_line, self.seat, late)
            if lines:
                self._last_line = lines[-1].pk
                await self.send_frame(protocol.build_chat(lines))

    async def watching(self, message: Message) -> None:
        """Pass on the count of watchers of another process."""
        get_hub().note_watchers(self.match_id, message["process"], message["n"])

    # --- From the hub --------------------------------------------------------------------------------------------

    def push_view(self, views: EncodedViews) -> None:
        """Send this seat's view unless it, or a newer one, was sent. A slow socket skips to the newest."""
        if self.viewer not in views.by_seat or not self._open:
            return
        if self.viewer == selectors.LATE and views.deal != self._deal:
            self._deal = views.deal
            self.start(self.chat_said({}))  # what was said in the deal before may be read now
        if self._next is None and self._sent is not None and views.by_seat[self.viewer] == self._sent[1]:
            return  # somebody came to the table, and it was read for them
        if self._next is None or self._next.key.version <= views.key.version:
            self._next = views
        if self._sending is None or self._sending.done():
            self._sending = self.start(self._send_views())

    def lose_seat(self) -> None:
        """Another window controls the seat: this one is told, once, and its moves are refused."""
        if not self._seat_lost:
            self._seat_lost = True
            self.start(self.send_frame(protocol.build_replaced()))

    def count_watchers(self, number: int) -> None:
        """Send the number of people who watch, where it changed."""
        if number != self._watchers:
            self._watchers = number
            self.start(self.send_frame(protocol.build_watchers(number)))

    @property
    def person(self) -> object:
        """Return the key of the person who looks on, the same for all their windows."""
        return self if self.player is None else self.player.pk

    async def _send_views(self) -> None:
        while self._next is not None:
            views, self._next = self._next, None
            version, body = views.key.version, views.by_seat[self.viewer]
            if self._sent is not None and (version < self._sent[0] or body == self._sent[1]):
                continue
            self._sent = version, body
            await self.send_text(add_now(body, timezone.now()))

    def _replace_older_windows(self) -> None:
        """Tell the older windows of this process, even while Redis is away."""
        for other in get_hub().at(self.match_id):
            if other is not self and other.seat == self.seat:
                other.lose_seat()


def run_action(action: Callable[[], Ack], public_id: str, viewers: set[int | None]) -> tuple[Ack, EncodedViews | None]:
    """Run an action, and take the picture of the table it leaves, where this process has all that it shows."""
    ack = action()
    committed = match_cache.find_committed(public_id, ack.version)
    try:
        return ack, None if committed is None else selectors.encode_views(committed.match.pk, viewers, committed)
    except Exception:  # the action is done, and its answer is an ack; the hub reads the table by itself
        logger.exception("a table could not be shown: %s", public_id)
        return ack, None


def find_viewpoint(public_id: str, player: Player | None) -> tuple[Match | None, Viewpoint | None]:
    """The match, and where the player sees it from."""
    match = Match.objects.filter(public_id=public_id).first()
    return match, None if match is None else selectors.find_viewpoint(match, player, timezone.now())


def sit_down(match_id: int, player_id: int, token: str) -> None:
    """Note that a seated player has arrived, and that this is the window they play in."""
    seating.arrive(match_id=match_id, player_id=player_id, now=timezone.now)
    seating.claim_seat(match_id=match_id, player_id=player_id, token=token, now=timezone.now)
