"""The tables that this process has sockets for: one read and one encoding serve all of them, whichever heard first.

A hint makes the hub read the table once and push to each socket its own seat's view; a poll finds the tables whose hint
was lost. A hub lives in one event loop and writes nothing but what ``expire_overdue`` does to an overdue table.
"""

import asyncio
import itertools
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import partial
from typing import NamedTuple, Protocol
from uuid import uuid4
from weakref import WeakKeyDictionary

from django.utils import timezone

from games import broadcast, chat, match_cache, metrics, presence, table_views
from games.chat import RecentLines
from games.services import settlement
from games.table_views import EncodedViews
from players.broadcast import Message, publish
from players.realtime import db_executor
from players.realtime.switchboard import get_switchboard

logger = logging.getLogger(__name__)

POLL_SECONDS = 5.0  # each table is polled once in so long
POLL_PARTS = 20  # of the tables, polled one after the other: a move waits for one part's poll at most
IDLE_SECONDS = 0.5  # between two looks whether somebody has come, while nobody sits or watches through here
AGAIN_SECONDS = 1.0  # after a poll that failed
MAX_READINGS = 3  # for one hint
COUNT_AFTER_SECONDS = 0.3  # those who begin to watch within it are counted together
COUNT_AFTER_SECONDS_EACH = 0.002  # more for each who is told: a crowd is told less often
KEEP_CHAT_SECONDS = 2.0  # who comes in within it is sent the same lines, unless something was said
REPEAT_SECONDS = 20.0  # a process publishes its count of watchers again after so long
FORGET_SECONDS = 50.0  # a process that published nothing for so long is dead, and nobody watches through it
PROCESS = str(uuid4())


class TableSubscriber(Protocol):
    """A socket as the hub sees it."""

    match_id: int
    public_id: str
    seat: int | None
    viewer: int | None  # what it is shown: the view of its seat, a spectator's (None) or a late one's (LATE)
    token: str
    person: object  # the same for every window of one person
    claimed: bool  # it has taken control of its seat: from then on, another's token in its place is a newer one

    def push_view(self, views: EncodedViews, now: datetime) -> None:
        """Send the view of its seat, as at ``now``, unless it has sent it or a newer one."""

    def lose_seat(self) -> None:
        """Tell it that another window controls its seat now."""

    def count_watchers(self, number: int) -> None:
        """Tell it how many people watch the table."""

    def hear_chat(self) -> None:
        """Tell it that something was said, or may have been."""

    def check_control(self) -> None:
        """Tell it that another window may have taken its seat."""

    def check_right(self) -> None:
        """Ask it to look, if it hasn't lately, whether its person may still watch (N4)."""


class WatcherCount(NamedTuple):
    """The number of people who watch through another process, and the second at which that process published it."""

    number: int
    at: float


class ChatReading(NamedTuple):
    """Reading of a table's chat. ``until``: seconds of the hub's clock; who asks later reads again."""

    until: float
    reading: asyncio.Task[RecentLines]


class Hub:
    """All subscribers of one event loop, by match. ``clock``: seconds that only ever grow."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._subscribers: dict[int, set[TableSubscriber]] = {}
        self._views: dict[int, EncodedViews] = {}
        self._chats: dict[int, ChatReading] = {}
        self._wanted: dict[int, int] = {}
        self._again: set[int] = set()
        self._readings: dict[int, asyncio.Task[None]] = {}
        self._watching: dict[int, dict[str, WatcherCount]] = {}  # through other processes, by match
        self._published_at: dict[int, float] = {}  # when this process last published its count
        self._counting: dict[int, asyncio.Task[None]] = {}
        self._looks: set[asyncio.Task[bool]] = set()  # at the due times after an outage

    async def listen(self, match_id: int, public_id: str) -> bool:
        """Listen to what is said of a table: subscribe first, read second. False while Redis is away."""
        switchboard = get_switchboard()
        await switchboard.join(broadcast.TABLES_GROUP, self, self._hear_tables)
        return await switchboard.join(broadcast.name_group(public_id), self, partial(self._hear, match_id))

    def _hear_tables(self, message: Message) -> None:
        """Tables have new versions, or new due times at the same ones: of those that nobody looks at from here nothing
        is read."""
        if message["type"] == "deadlines":
            look = asyncio.create_task(self._poll_once())
            self._looks.add(look)  # the loop itself keeps no task alive
            look.add_done_callback(self._looks.discard)
            return
        for match_id, version in message["at"]:
            if match_id in self._subscribers:
                self.refresh(match_id, version)

    def _hear(self, match_id: int, message: Message) -> None:
        """Something happened at a table. Hints may be lost, doubled or late: versions decide."""
        subscribers = self.at(match_id)
        match message["type"]:
            case "changed":
                self.refresh(match_id, message["v"])
            case "watching":
                self.note_watchers(match_id, message["process"], message["n"])
            case "chat.said":
                self._chats.pop(match_id, None)
                for subscriber in subscribers:
                    subscriber.hear_chat()
            case "seat.claimed":
                for subscriber in subscribers:
                    if subscriber.seat == message["seat"] and subscriber.token != message["token"]:
                        subscriber.check_control()

    async def read_chat(self, match_id: int) -> RecentLines:
        """Return the last lines of a table, read once for all who ask at about the same time, and since the last
        hint."""
        hit = self._chats.get(match_id)
        if hit is None or self._clock() >= hit.until:
            reading = asyncio.create_task(db_executor.run(chat.read_recent, match_id))
            hit = self._chats[match_id] = ChatReading(self._clock() + KEEP_CHAT_SECONDS, reading)
        try:
            return await asyncio.shield(hit.reading)
        except Exception:
            self._chats.pop(match_id, None)
            raise

    def enter(self, subscriber: TableSubscriber) -> None:
        """Push every new view to this socket from now on."""
        self._subscribers.setdefault(subscriber.match_id, set()).add(subscriber)
        subscriber.count_watchers(self.watchers(subscriber.match_id))
        self._count_soon(subscriber)

    def leave(self, subscriber: TableSubscriber) -> None:
        """Forget a socket that is gone; harmless if it never entered."""
        subscribers = self._subscribers.get(subscriber.match_id)
        if subscribers is None:
            return
        subscribers.discard(subscriber)
        self._count_soon(subscriber)
        if not subscribers:
            self._watching.pop(subscriber.match_id, None)
            self._published_at.pop(subscriber.match_id, None)
            del self._subscribers[subscriber.match_id]
            self._views.pop(subscriber.match_id, None)
            self._chats.pop(subscriber.match_id, None)
            get_switchboard().leave(broadcast.name_group(subscriber.public_id), self)

    def at(self, match_id: int) -> Sequence[TableSubscriber]:
        """Return the subscribers of a table."""
        return tuple(self._subscribers.get(match_id, ()))

    def watchers(self, match_id: int) -> int:
        """Return the number of people who watch the table, as far as this process has heard."""
        return self._count_here(match_id) + sum(count.number for count in self._watching.get(match_id, {}).values())

    def note_watchers(self, match_id: int, process: str, number: int) -> None:
        """Note the count of another process. A process that was unknown is sent the count of this one."""
        if process == PROCESS or match_id not in self._subscribers:
            return
        others = self._watching.setdefault(match_id, {})
        before = others.get(process)
        others[process] = WatcherCount(number, self._clock())
        if before is None:
            self._count_soon(self.at(match_id)[0], always=True)
        if before is None or before.number != number:
            self._push_count(match_id)

    def _refresh_counts(self, match_id: int) -> None:
        """Drop the counts of processes that have died, and publish the own one from time to time."""
        now, others = self._clock(), self._watching.get(match_id, {})
        silent = [process for process, count in others.items() if now - count.at >= FORGET_SECONDS]
        for process in silent:
            del others[process]
        if silent:
            self._push_count(match_id)
        if self._count_here(match_id) and now - self._published_at.get(match_id, now) >= REPEAT_SECONDS:
            self._count_soon(self.at(match_id)[0], always=True)

    def _count_here(self, match_id: int) -> int:
        return len({subscriber.person for subscriber in self.at(match_id) if subscriber.seat is None})

    def _push_count(self, match_id: int) -> None:
        number = self.watchers(match_id)
        for subscriber in self.at(match_id):
            subscriber.count_watchers(number)

    def _count_soon(self, subscriber: TableSubscriber, *, always: bool = False) -> None:
        """Publish soon the number of people who watch through here, once for all who come and go meanwhile."""
        match_id = subscriber.match_id
        if match_id not in self._counting and (always or subscriber.seat is None or len(self.at(match_id)) == 1):
            self._counting[match_id] = asyncio.create_task(self._publish_count(match_id, subscriber.public_id))

    async def _publish_count(self, match_id: int, public_id: str) -> None:
        await asyncio.sleep(COUNT_AFTER_SECONDS + COUNT_AFTER_SECONDS_EACH * len(self.at(match_id)))
        del self._counting[match_id]
        if match_id in self._subscribers:
            self._published_at[match_id] = self._clock()
        self._push_count(match_id)
        message = {"type": "watching", "process": PROCESS, "n": self._count_here(match_id)}
        publish(broadcast.name_group(public_id), message)

    def viewers_at(self, match_id: int) -> set[int | None]:
        """Return the views that somebody here is shown."""
        return {subscriber.viewer for subscriber in self.at(match_id)}

    def push_views(self, match_id: int, views: EncodedViews) -> None:
        """Push views that were just encoded to everybody here, unless newer ones have been pushed meanwhile."""
        latest = self._views.get(match_id)
        if match_id in self._subscribers and (latest is None or latest.key.version < views.key.version):
            self._keep_views(match_id, views)
            now = timezone.now()
            for subscriber in self.at(match_id):
                subscriber.push_view(views, now)

    def _keep_views(self, match_id: int, views: EncodedViews) -> None:
        latest = self._views.get(match_id)
        if latest is not None and latest.deal != views.deal:
            self._chats.pop(match_id, None)  # who watches late may read more of it
        self._views[match_id] = views

    def refresh(self, match_id: int, version: int | None = None) -> None:
        """Push to everybody here the table at ``version`` or later. None: read it in any case."""
        views = self._views.get(match_id)
        if version is not None and views is not None and views.key.version >= version:
            return
        if version is None:
            self._again.add(match_id)
        else:
            self._wanted[match_id] = max(version, self._wanted.get(match_id, 0))
        if match_id not in self._readings and match_id in self._subscribers:
            self._readings[match_id] = asyncio.create_task(self._read(match_id))

    async def _read(self, match_id: int) -> None:
        try:
            for _ in range(MAX_READINGS):
                subscribers = self.at(match_id)
                if not subscribers:
                    return
                public_id, viewers = subscribers[0].public_id, self.viewers_at(match_id)
                wanted = None if match_id in self._again else self._wanted.get(match_id)
                self._again.discard(match_id)
                views = await db_executor.run(read_views, match_id, public_id, viewers, wanted)
                subscribers = self.at(match_id)
                if not subscribers:
                    return
                latest = self._views.get(match_id)
                if latest is None or latest.key.version <= views.key.version:  # else a move was pushed meanwhile
                    self._keep_views(match_id, views)
                now = timezone.now()
                for subscriber in subscribers:
                    subscriber.push_view(views, now)
                fresh = views.key.version >= self._wanted.get(match_id, 0) and match_id not in self._again
                if fresh and all(subscriber.viewer in views.by_seat for subscriber in subscribers):
                    return
        except Exception:
            logger.exception("a table could not be read: %s", match_id)
        finally:
            self._readings.pop(match_id, None)
            self._wanted.pop(match_id, None)

    async def poll(self, part: int | None = None) -> None:
        """Read again every table here that isn't as it was last pushed, after doing what is overdue at it.

        ``part``: only of these tables, one of ``POLL_PARTS`` counted from 0.
        """
        ids = tuple(match_id for match_id in self._subscribers if part in (None, match_id % POLL_PARTS))
        if not ids:
            return
        everybody = [subscriber for match_id in ids for subscriber in self.at(match_id)]
        await db_executor.run(
            presence.mark_present,
            {(subscriber.match_id, subscriber.seat) for subscriber in everybody if subscriber.seat is not None},
        )
        for match_id in ids:
            self._refresh_counts(match_id)
        for subscriber in everybody:
            if subscriber.seat is None:
                subscriber.check_right()
        in_control = {subscriber for match_id in ids for subscriber in self.at(match_id) if subscriber.claimed}
        for match_id, key, controls in await db_executor.run(table_views.read_view_keys, ids):
            views = self._views.get(match_id)
            if views is not None and views.key.version < key.version and match_id not in self._readings:
                metrics.count_healed(key.version - views.key.version)
            if views is None or views.key != key or key.is_overdue(timezone.now()):
                self.refresh(match_id)
            for subscriber in self.at(match_id):
                if subscriber not in in_control or subscriber.seat is None:
                    continue
                if controls[subscriber.seat] != subscriber.token:
                    subscriber.lose_seat()

    async def poll_forever(self) -> None:
        """Poll until cancelled, a part of the tables at a time; a database that was away is asked again soon for all of
        them, for hints may have been lost with it."""
        next_at = self._clock()
        for part in itertools.cycle(range(POLL_PARTS)):
            while not self._subscribers:
                await asyncio.sleep(IDLE_SECONDS)
            next_at = max(next_at + POLL_SECONDS / POLL_PARTS, self._clock())  # a slow poll lengthens no round
            await asyncio.sleep(next_at - self._clock())
            well = await self._poll_once(part)
            while not well:
                await asyncio.sleep(AGAIN_SECONDS)
                well = await self._poll_once()

    async def _poll_once(self, part: int | None = None) -> bool:
        try:
            await self.poll(part)
        except Exception:
            logger.exception("the versions of the tables could not be read")
            return False
        return True


def read_views(match_id: int, public_id: str, viewers: Iterable[int | None], version: int | None) -> EncodedViews:
    """Return the views of these viewers at ``version`` or later (None: as the table stands), once nothing is overdue.

    A version that this process committed itself needn't be read again.
    """
    committed = None if version is None else match_cache.find_committed(public_id, version)
    views = table_views.encode_views(match_id, viewers, committed)
    if views.key.is_overdue(timezone.now()) and settlement.expire_overdue(match_id=match_id, now=timezone.now):
        views = table_views.encode_views(match_id, viewers)
    return views


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def get_hub() -> Hub:
    """Return the hub of the running event loop."""
    loop = asyncio.get_running_loop()
    own = _hubs.get(loop)
    if own is None:
        own = _hubs[loop] = Hub()
    return own
