"""The socket of a table: a seated player plays through it, anybody who may watches.

It sends its own seat's view and nothing else of the game, answers every action with an ack or an error, and decides
nothing: each frame is one call of a service, off the event loop.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any, ClassVar
from uuid import uuid4

from django.utils import timezone

from games import chat, metrics, reports, selectors, table_views, wording
from games.engine.game import IllegalMove
from games.frames import add_now
from games.match_cache import CommittedMatch
from games.models import Match
from games.plain_moves import writer
from games.plain_moves.plan import MoveRequest, plan_move
from games.realtime import protocol
from games.realtime.hub import get_hub
from games.selectors import Viewpoint
from games.services import errors, nonces, playing, preferences, seating
from games.services.errors import ActionRefused
from games.services.playing import Ack
from games.table_views import EncodedViews
from games.training import hints
from players.broadcast import Message
from players.models import Player
from players.realtime import db_executor
from players.realtime.base import FrameConsumer
from players.realtime.frames import Frame

logger = logging.getLogger(__name__)

CHECK_RIGHT_SECONDS = 30.0  # the right of whoever watches is looked at again after so long, if no hint asks for it
_hints = ThreadPoolExecutor(1, thread_name_prefix="hints")  # one after the other, and nobody else waits


class TableConsumer(FrameConsumer):
    """Socket of a table: ws/tavolo/<public id>/."""

    precedence: ClassVar[int] = 10  # a table's socket stays when a person has too many open

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.match_id = 0
        self.public_id = ""
        self.claimed = False
        self.seat: int | None = None
        self.viewer: int | None = None  # whose view it is shown; LATE: one deal late (W3)
        self.token = str(uuid4())
        self._sent: tuple[int, bytes] | None = None  # version and body of the last view sent
        self._deal: int | None = None  # the running deal when the last view was pushed
        self._next: EncodedViews | None = None
        self._sending: asyncio.Task[None] | None = None
        self._seat_lost = False
        self._watchers = 0  # as last sent
        self._last_line = 0  # the last line of the chat that was sent
        self._chatting = asyncio.Lock()
        self._right_known_at = time.monotonic()

    async def on_open(self) -> None:
        public_id = self.scope["url_route"]["kwargs"]["public_id"]
        match, viewpoint = await db_executor.run(find_viewpoint, public_id, self.player)
        if match is None or viewpoint is None or viewpoint.is_refused:
            await self.hang_up(protocol.CLOSE_UNKNOWN if match is None else protocol.CLOSE_FORBIDDEN)
            return
        seat = viewpoint.seat
        self.match_id, self.public_id, self.seat, self.viewer = match.pk, match.public_id, seat, viewpoint.viewer
        if not await get_hub().listen(match.pk, match.public_id):
            self.await_hints()
        if not self._open:
            return
        get_hub().enter(self)
        if seat is not None and self.player is not None:
            await writer.run_write(
                seating.sit_down,
                match_id=self.match_id,
                player_id=self.player.pk,
                token=self.token,
                now=timezone.now,
            )
            self.claimed = True
            self._replace_older_windows()
        get_hub().refresh(self.match_id)
        await self._send_chat()

    async def on_late_join(self) -> None:
        get_hub().refresh(self.match_id)
        await self._send_chat()

    async def on_close(self) -> None:
        get_hub().leave(self)

    def describe_error(self, code: str) -> str:
        return wording.describe_refusal(code) or super().describe_error(code)

    # --- From the browser ----------------------------------------------------------------------------------------

    async def take_quickly(self, text: str) -> bool:
        """Answer a move as our own page writes it, which needs no parser."""
        move = protocol.read_move(text)
        if move is None:
            return False
        try:
            await self._move(move)
        except Exception as error:
            await self.answer_failure(error, move.id)
        return True

    async def on_frame(self, frame: Frame) -> None:
        match protocol.parse_frame(frame):
            case protocol.MoveFrame() as move:
                await self._move(move)
            case protocol.OptionsFrame(id=client_id, automatic=automatic):
                await self._act(client_id, None, lambda: self._prefer(client_id, automatic))
                get_hub().refresh(self.match_id)  # what it changes may be at the same version
            case protocol.AbandonFrame(id=client_id, confirm=confirm):
                await self._act(client_id, None, lambda: self._abandon(client_id, confirm))
                await self._stand_aside()
            case protocol.ReturnFrame(id=client_id):
                await self._act(client_id, None, lambda: self._return(client_id))
            case protocol.HintFrame(id=client_id, v=version):
                await self._hint(client_id, version)
            case protocol.TakeBackFrame(id=client_id, v=version):
                await self._act(client_id, version, lambda: self._take_back(client_id, version))
            case protocol.NonceHashFrame(id=client_id, hash=digest):
                await self._act(client_id, None, lambda: self._add_hash(client_id, digest))
            case protocol.NonceFrame(id=client_id, nonce=nonce):
                await self._act(client_id, None, lambda: self._add_nonce(client_id, nonce))
            case protocol.ChatFrame(id=client_id, text=text, phrase=phrase):
                async with self._chatting:  # so that its answer comes before it is read
                    await self._act(client_id, None, lambda: self._say(client_id, text, phrase), seated=False)
            case protocol.ReportFrame() as report:
                await self._act(report.id, None, lambda: self._report(report), seated=False)
            case protocol.SyncFrame():
                self._sent = None  # it may have lost what it was sent
                get_hub().refresh(self.match_id)
                await self._send_chat()

    async def _move(self, move: protocol.MoveFrame) -> None:
        with metrics.ACK_SECONDS.time():
            if not await self._move_plainly(move):
                await self._act(move.id, move.v, lambda: self._play(move))

    async def _move_plainly(self, move: protocol.MoveFrame) -> bool:
        """Play a card the short way, and answer it. False: nothing was done, the long way says what comes of it."""
        if self.seat is None:
            return False
        request = MoveRequest(
            self.public_id, self.match_id, self.seat, self.token, move.move, move.id, move.v, move.calls
        )
        plan = plan_move(request, timezone.now)
        committed = None if plan is None else await writer.commit(plan, timezone.now)
        if committed is None:
            return False
        await self.send_frame(protocol.build_ack(move.id, committed.match.version))
        self._show(committed)
        return True

    def _show(self, committed: CommittedMatch) -> None:
        """Push the table after a move, as far as this process knows all that it shows; the hub reads the rest."""
        hub = get_hub()
        viewers = hub.viewers_at(self.match_id)
        try:
            views = table_views.encode_committed(viewers - {selectors.LATE}, committed)
            if views is not None:
                hub.push_views(self.match_id, views)
        except Exception:  # the move is made, and has its answer
            logger.exception("a table could not be shown: %s", self.public_id)
        hub.refresh(self.match_id, None if selectors.LATE in viewers else committed.match.version)

    async def _act(
        self, client_id: str, version: int | None, action: Callable[[], Ack], *, seated: bool = True
    ) -> None:
        """Run an action of this seat, or of whoever watches, and answer it, whatever comes of it."""
        try:
            if seated and self.seat is None:
                raise errors.NotSeated(version)
            ack = await writer.run_write(action)
        except ActionRefused as refusal:
            await self.send_error(refusal.code, client_id, refusal.version)
            get_hub().refresh(self.match_id, refusal.version)
        except IllegalMove as refusal:
            await self.send_error(refusal.code, client_id, version)
        else:
            await self.send_frame(protocol.build_ack(ack.id, ack.version))
            get_hub().refresh(self.match_id, ack.version)

    def _play(self, move: protocol.MoveFrame) -> Ack:
        assert self.seat is not None
        return playing.play_move(
            match_id=self.match_id,
            seat=self.seat,
            control=self.token,
            text=move.move,
            client_id=move.id,
            version=move.v,
            now=timezone.now,
            calls=move.calls,
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

    async def _stand_aside(self) -> None:
        """Look on from now on, if the seat was left to the house: its cards are nobody's here any more."""
        match, viewpoint = await db_executor.run(find_viewpoint, self.public_id, self.player)
        if match is None or viewpoint is None or viewpoint.seat is not None or self.seat is None:
            return
        self.claimed = False
        self.seat, self.viewer, self._sent = None, viewpoint.viewer, None
        get_hub().refresh(self.match_id)

    def _return(self, client_id: str) -> Ack:
        assert self.seat is not None
        return playing.come_back(
            match_id=self.match_id, seat=self.seat, control=self.token, client_id=client_id, now=timezone.now
        )

    async def _hint(self, client_id: str, version: int) -> None:
        """Answer what the house would play, which writes nothing."""
        try:
            if self.seat is None:
                raise errors.NotSeated(version)
            question = await db_executor.run(
                hints.prepare_hint,
                match_id=self.match_id,
                seat=self.seat,
                control=self.token,
                version=version,
                now=timezone.now,
            )
            loop = asyncio.get_running_loop()
            moves = await loop.run_in_executor(_hints, hints.think_of_hint, question)
            why = await loop.run_in_executor(_hints, hints.explain_hint, question, moves)
        except ActionRefused as refusal:
            await self.send_error(refusal.code, client_id, refusal.version)
            get_hub().refresh(self.match_id, refusal.version)
        except IllegalMove as refusal:
            await self.send_error(refusal.code, client_id, version)
        else:
            await self.send_frame(protocol.build_hint(client_id, version, moves, why))

    def _take_back(self, client_id: str, version: int) -> Ack:
        assert self.seat is not None
        return hints.take_back(
            match_id=self.match_id,
            seat=self.seat,
            control=self.token,
            client_id=client_id,
            version=version,
            now=timezone.now,
        )

    def _add_hash(self, client_id: str, digest: str) -> Ack:
        assert self.seat is not None
        return nonces.add_hash(
            match_id=self.match_id,
            seat=self.seat,
            control=self.token,
            digest=digest,
            client_id=client_id,
            now=timezone.now,
        )

    def _add_nonce(self, client_id: str, nonce: str) -> Ack:
        assert self.seat is not None
        return nonces.add_nonce(
            match_id=self.match_id,
            seat=self.seat,
            control=self.token,
            nonce=nonce,
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

    # --- From the hub --------------------------------------------------------------------------------------------

    def push_view(self, views: EncodedViews, now: datetime) -> None:
        """Send this seat's view unless it, or a newer one, was sent. A slow socket skips to the newest."""
        if self.viewer not in views.by_seat or not self._open:
            return
        if self.viewer == selectors.LATE and views.deal != self._deal:
            self._deal = views.deal
            self.start(self._send_chat())  # what was said in the deal before may be read now
        if self._sending is None or self._sending.done():
            sent, frame = self._sent, self._choose_frame(views, now)
            if frame is None or self.push(frame):
                return
            self._sent = sent
        if self._next is None or self._next.key.version <= views.key.version:
            self._next = views
        if self._sending is None or self._sending.done():
            self._sending = self.start(self._send_views())

    def _choose_frame(self, views: EncodedViews, now: datetime) -> bytes | None:
        """Return the frame to send of these views, and note that it is sent; None if it, or a newer one, was."""
        version, body = views.key.version, views.by_seat[self.viewer]
        if self._sent is not None and (version < self._sent[0] or body == self._sent[1]):
            return None
        self._sent = version, body
        return add_now(body, now)

    def hear_chat(self) -> None:
        """Send what was said; nothing if it was sent."""
        self.start(self._send_chat())

    def check_control(self) -> None:
        """Lose the seat if another window took it, unless the hint is an old one."""
        if self.claimed:
            self.start(self._check_control())

    def check_right(self) -> None:
        """Look whether this person may still watch. What a visitor may is only ever less than what they saw late."""
        if self.player is not None and time.monotonic() - self._right_known_at >= CHECK_RIGHT_SECONDS:
            self.start(self._check_right())

    async def rights_changed(self, message: Message) -> None:
        """Look whether this person may still watch: they have entered a tournament, or play on in it (N4)."""
        await self._check_right()

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

    async def _check_control(self) -> None:
        for _, _, controls in await db_executor.run(table_views.read_view_keys, [self.match_id]):
            if self.seat is not None and controls[self.seat] != self.token:
                self.lose_seat()

    async def _check_right(self) -> None:
        """Hang up on who may watch no more, or only later than they do."""
        self._right_known_at = time.monotonic()
        if self.seat is not None or not self.match_id:
            return
        match, viewpoint = await db_executor.run(find_viewpoint, self.public_id, self.player)
        if match is None or viewpoint is None or viewpoint.seat is not None:
            return
        if viewpoint.is_refused or (viewpoint.viewer == selectors.LATE and self.viewer != selectors.LATE):
            await self.hang_up(protocol.CLOSE_FORBIDDEN)

    async def _send_chat(self) -> None:
        """Something was said, or may have been: send what this socket hasn't been sent yet."""
        async with self._chatting:
            lines = (await get_hub().read_chat(self.match_id)).list_new(
                self._last_line,
                self.seat,
                late=self.viewer == selectors.LATE,
                reader_id=None if self.player is None else self.player.pk,
            )
            if lines:
                self._last_line = lines[-1].pk
                await self.send_frame(protocol.build_chat(lines))

    async def _send_views(self) -> None:
        while self._next is not None:
            views, self._next = self._next, None
            frame = self._choose_frame(views, timezone.now())
            if frame is not None:
                await self.send_encoded(frame)

    def _replace_older_windows(self) -> None:
        """Tell the older windows of this process, even while Redis is away."""
        for other in get_hub().at(self.match_id):
            if other is not self and other.seat == self.seat:
                other.lose_seat()


def find_viewpoint(public_id: str, player: Player | None) -> tuple[Match | None, Viewpoint | None]:
    """The match, and where the player sees it from."""
    match = selectors.find_match(public_id)
    return match, None if match is None else selectors.find_viewpoint(match, player, timezone.now())
