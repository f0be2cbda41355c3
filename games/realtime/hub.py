"""The tables this process has sockets for: one read and one encoding for all of them, whoever was told first.

A hint makes it read the table once and offer each socket its own seat's view; a poll finds the tables whose hint was
lost. It lives in one event loop and writes nothing but what ``settle`` does to a table that is overdue.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol
from uuid import uuid4
from weakref import WeakKeyDictionary

from django.utils import timezone

from games import broadcast, match_cache, presence, selectors
from games.selectors import Shown
from games.services import settlement
from players.broadcast import publish
from players.realtime import db_executor

logger = logging.getLogger(__name__)

POLL_EVERY = 5.0  # seconds
TRIES = 3  # readings for one hint
COUNT_AFTER = 0.3  # seconds in which those who come to watch are counted together
SAY_AGAIN = 20.0  # seconds after which a process says anew how many watch through it
FORGET_AFTER = 50.0  # seconds after which one that says nothing more is dead, and nobody watches through it
PROCESS = str(uuid4())


class Onlooker(Protocol):
    """A socket as the hub sees it."""

    match_id: int
    public_id: str
    seat: int | None
    token: str
    person: object  # the same for every window of one person
    claimed: bool  # whether it has taken control of its seat: from then on, another's token there is a newer one

    def offer(self, shown: Shown) -> None:
        """Send the view of its seat, unless it has sent it or a newer one."""

    def lose_seat(self) -> None:
        """Another window controls its seat now."""

    def count_watchers(self, number: int) -> None:
        """So many people watch the table."""


class Heard(NamedTuple):
    """How many watch through another process, and when it said so last."""

    number: int
    at: float


class Hub:
    """All onlookers of one event loop, by match. ``clock``: seconds that only ever grow."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._onlookers: dict[int, set[Onlooker]] = {}
        self._shown: dict[int, Shown] = {}
        self._wanted: dict[int, int] = {}
        self._again: set[int] = set()
        self._readings: dict[int, asyncio.Task[None]] = {}
        self._watching: dict[int, dict[str, Heard]] = {}  # through other processes, by match
        self._said: dict[int, float] = {}  # when it was last said how many watch through here
        self._counting: dict[int, asyncio.Task[None]] = {}

    def enter(self, onlooker: Onlooker) -> None:
        """From now on it gets every new view."""
        self._onlookers.setdefault(onlooker.match_id, set()).add(onlooker)
        onlooker.count_watchers(self.watchers(onlooker.match_id))
        self._count(onlooker)

    def leave(self, onlooker: Onlooker) -> None:
        """It is gone; harmless if it never entered."""
        there = self._onlookers.get(onlooker.match_id)
        if there is None:
            return
        there.discard(onlooker)
        self._count(onlooker)
        if not there:
            self._watching.pop(onlooker.match_id, None)
            self._said.pop(onlooker.match_id, None)
            del self._onlookers[onlooker.match_id]
            self._shown.pop(onlooker.match_id, None)

    def at(self, match_id: int) -> Sequence[Onlooker]:
        """The onlookers of a table."""
        return tuple(self._onlookers.get(match_id, ()))

    def watchers(self, match_id: int) -> int:
        """How many people watch the table, as far as this process has heard."""
        return self._watch_here(match_id) + sum(heard.number for heard in self._watching.get(match_id, {}).values())

    def heard_watching(self, match_id: int, process: str, number: int) -> None:
        """So many watch through that process; one that was unknown hasn't heard of this one yet."""
        if process == PROCESS or match_id not in self._onlookers:
            return
        others = self._watching.setdefault(match_id, {})
        before = others.get(process)
        others[process] = Heard(number, self._clock())
        if before is None:
            self._count(self.at(match_id)[0], always=True)
        if before is None or before.number != number:
            self._tell_watchers(match_id)

    def _count_again(self, match_id: int) -> None:
        """Whoever watched through a process that has died is gone; that this one lives is said from time to time."""
        now, others = self._clock(), self._watching.get(match_id, {})
        silent = [process for process, heard in others.items() if now - heard.at >= FORGET_AFTER]
        for process in silent:
            del others[process]
        if silent:
            self._tell_watchers(match_id)
        if self._watch_here(match_id) and now - self._said.get(match_id, now) >= SAY_AGAIN:
            self._count(self.at(match_id)[0], always=True)

    def _watch_here(self, match_id: int) -> int:
        return len({each.person for each in self.at(match_id) if each.seat is None})

    def _tell_watchers(self, match_id: int) -> None:
        number = self.watchers(match_id)
        for each in self.at(match_id):
            each.count_watchers(number)

    def _count(self, onlooker: Onlooker, *, always: bool = False) -> None:
        """Say soon how many watch through here, once for all who come and go meanwhile."""
        if (always or onlooker.seat is None or len(self.at(onlooker.match_id)) == 1) and (
            onlooker.match_id not in self._counting
        ):
            about = self._say_watching(onlooker.match_id, onlooker.public_id)
            self._counting[onlooker.match_id] = asyncio.create_task(about)

    async def _say_watching(self, match_id: int, public_id: str) -> None:
        await asyncio.sleep(COUNT_AFTER)
        del self._counting[match_id]
        if match_id in self._onlookers:
            self._said[match_id] = self._clock()
        self._tell_watchers(match_id)
        message = {"type": "watching", "process": PROCESS, "n": self._watch_here(match_id)}
        publish(broadcast.group(public_id), message)

    def seats_at(self, match_id: int) -> set[int | None]:
        """The seats that somebody here looks from."""
        return {each.seat for each in self.at(match_id)}

    def show(self, match_id: int, shown: Shown) -> None:
        """Offer a picture of the table that was just taken to everybody here; others may have come meanwhile."""
        known = self._shown.get(match_id)
        if match_id in self._onlookers and (known is None or known.stamp.version < shown.stamp.version):
            self._shown[match_id] = shown
            for each in self.at(match_id):
                each.offer(shown)

    def refresh(self, match_id: int, version: int | None = None) -> None:
        """The table is at ``version`` or later: offer it to everybody here. None: read it in any case."""
        shown = self._shown.get(match_id)
        if version is not None and shown is not None and shown.stamp.version >= version:
            return
        if version is None:
            self._again.add(match_id)
        else:
            self._wanted[match_id] = max(version, self._wanted.get(match_id, 0))
        if match_id not in self._readings and match_id in self._onlookers:
            self._readings[match_id] = asyncio.create_task(self._read(match_id))

    async def _read(self, match_id: int) -> None:
        try:
            for _ in range(TRIES):
                there = self.at(match_id)
                if not there:
                    return
                table = there[0].public_id
                wanted = None if match_id in self._again else self._wanted.get(match_id)
                self._again.discard(match_id)
                shown = await db_executor.run(look, match_id, table, {each.seat for each in there}, wanted)
                there = self.at(match_id)
                if not there:
                    return
                known = self._shown.get(match_id)
                if known is None or known.stamp.version <= shown.stamp.version:  # else a move was shown meanwhile
                    self._shown[match_id] = shown
                for each in there:
                    each.offer(shown)
                fresh = shown.stamp.version >= self._wanted.get(match_id, 0) and match_id not in self._again
                if fresh and all(each.seat in shown.views for each in there):
                    return
        except Exception:
            logger.exception("a table could not be read: %s", match_id)
        finally:
            self._readings.pop(match_id, None)
            self._wanted.pop(match_id, None)

    async def poll(self) -> None:
        """Read again every table here that isn't as it was last shown, and settle what is overdue."""
        ids = tuple(self._onlookers)
        if not ids:
            return
        seated = {(each.match_id, each.seat) for match_id in ids for each in self.at(match_id) if each.seat is not None}
        await db_executor.run(presence.say, seated)
        for match_id in ids:
            self._count_again(match_id)
        in_control = {each for match_id in ids for each in self.at(match_id) if each.claimed}
        for match_id, stamp, controls in await db_executor.run(selectors.stamps, ids):
            shown = self._shown.get(match_id)
            if shown is None or shown.stamp != stamp or stamp.overdue(timezone.now()):
                self.refresh(match_id)
            for each in self.at(match_id):
                if each in in_control and each.seat is not None and controls[each.seat] != each.token:
                    each.lose_seat()

    async def poll_for_ever(self) -> None:
        """Until cancelled; a database that is away is asked again."""
        while True:
            await asyncio.sleep(POLL_EVERY)
            try:
                await self.poll()
            except Exception:
                logger.exception("the versions of the tables could not be read")


def look(match_id: int, public_id: str, seats: Iterable[int | None], version: int | None) -> Shown:
    """The views of these seats at ``version`` or later (None: as the table stands), after doing what is overdue there.

    A version that this process committed itself needn't be read again.
    """
    standing = None if version is None else match_cache.find_committed(public_id, version)
    shown = selectors.encoded_views(match_id, seats, standing)
    now = timezone.now()
    if shown.stamp.overdue(now) and settlement.expire_overdue(match_id=match_id, now=timezone.now):
        shown = selectors.encoded_views(match_id, seats)
    return shown


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def hub() -> Hub:
    """The hub of the running event loop."""
    loop = asyncio.get_running_loop()
    found = _hubs.get(loop)
    if found is None:
        found = _hubs[loop] = Hub()
    return found
