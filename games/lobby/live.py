"""Hints that some free table or seek changed: ``{"t": "changed", "v": 0}``; the page then reads itself anew.

It sends no names and no seats, and takes no frames but those every socket takes. The pages of the lobby hear of many
changes at once: however many people come and go, a page is told every RING_SECONDS at most.
"""

import asyncio
import logging
from collections.abc import Collection

from django.utils import timezone

from games.broadcast import LOBBY_GROUP, SEEKS_GROUP
from games.lobby.seeks import hear_of
from games.site_rest import visits
from players import presence
from players.broadcast import ADDRESS, Message
from players.realtime import db_executor
from players.realtime.base import FrameConsumer
from players.realtime.consumers import list_connected, list_watching
from players.realtime.switchboard import get_switchboard

logger = logging.getLogger(__name__)

PAGES_GROUP = "lobby.pages"  # of one process: its sockets of the lobby's pages
RING_SECONDS = presence.TELL_SECONDS


class LobbyConsumer(FrameConsumer):
    """Socket of a free table's page."""

    async def on_open(self) -> None:
        await self.join(LOBBY_GROUP)

    async def on_late_join(self) -> None:
        await self.send_frame({"t": "changed", "v": 0})

    async def changed(self, message: Message) -> None:
        """Tell the page that some free table changed. Hints of the channel layer have no version: each is news."""
        await self.send_frame({"t": "changed", "v": message["v"]})


class LobbyPageConsumer(LobbyConsumer):
    """Socket of the lobby's page, which hears of everything together (B1)."""

    async def on_open(self) -> None:
        await self.join(PAGES_GROUP)


class LobbyBell:
    """Says of one process who is here, keeps their seeks, and rings for its pages of the lobby when something changed
    since it last did."""

    def __init__(self) -> None:
        self._news = True
        self._here: Collection[int] | None = None

    async def keep(self) -> None:
        """Go on until cancelled."""
        for group in (LOBBY_GROUP, SEEKS_GROUP):
            await get_switchboard().join(group, self, self.note)
        while True:
            await asyncio.sleep(RING_SECONDS)
            if visits.rest.is_quiet:
                continue  # no page is open
            try:
                await self.ring()
            except Exception:
                logger.exception("who is here could not be told")

    def note(self, message: Message) -> None:
        """Take a hint that something in the lobby changed."""
        self._news = True

    async def ring(self) -> None:
        """Tell who is here, and the pages that it changed."""
        now, connected = timezone.now(), list_connected()
        here = await asyncio.to_thread(_tell, connected, list_watching())
        if connected:
            await db_executor.run(hear_of, connected, now)
        if here != self._here or self._news:
            self._here, self._news = here, False
            get_switchboard().pass_on({ADDRESS: PAGES_GROUP, "type": "changed", "v": 0})


def _tell(connected: Collection[int], watching: Collection[int]) -> set[int] | None:
    now = timezone.now()
    presence.mark_here(connected, now)
    presence.mark_watching(watching, now)
    return presence.find_here(now)
