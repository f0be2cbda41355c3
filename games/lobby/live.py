"""Hints that some free table changed: ``{"t": "changed", "v": 0}``; the page that waits then reads itself anew.

It sends no names and no seats, and takes no frames but those every socket takes.
"""

from games.broadcast import LOBBY_GROUP
from players.broadcast import Message
from players.realtime.base import FrameConsumer


class LobbyConsumer(FrameConsumer):
    """Socket of a free table's page."""

    async def on_open(self) -> None:
        await self.join(LOBBY_GROUP)

    async def on_late_join(self) -> None:
        await self.send_frame({"t": "changed", "v": 0})

    async def changed(self, message: Message) -> None:
        """Tell the page that some free table changed. Hints of the channel layer have no version: each is news."""
        await self.send_frame({"t": "changed", "v": message["v"]})
