"""Sockets of the tournament's page and of the front page. They only tell that something changed, never what."""

from django.urls import URLPattern, path

from games.broadcast import LOBBY_GROUP
from players.broadcast import Message
from players.realtime import db_executor
from players.realtime.base import FrameConsumer
from players.realtime.frames import Frame, FrameError, read_frame_id
from tournaments.core import notify, visibility


class TournamentConsumer(FrameConsumer):
    """Socket of one tournament's page."""

    public_id: str

    async def admit(self) -> bool:
        self.public_id = self.scope["url_route"]["kwargs"]["public_id"]
        return await self._version() is not None

    async def on_open(self) -> None:
        await self.join(notify.group_name(self.public_id))
        await self._tell()

    async def on_late_join(self) -> None:
        await self._tell()

    async def on_frame(self, frame: Frame) -> None:
        if frame["t"] != "sync":
            raise FrameError("unknown", read_frame_id(frame))
        await self._tell()

    async def changed(self, message: Message) -> None:
        """Tell the page that its tournament has a new version."""
        await self.send_frame({"t": "changed", "v": message["v"]})

    async def _tell(self) -> None:
        version = await self._version()
        if version is not None:
            await self.send_frame({"t": "changed", "v": version})

    async def _version(self) -> int | None:
        tournament = await db_executor.run(visibility.find_visible, self.public_id, self.player)
        return None if tournament is None else tournament.version


class TournamentListConsumer(FrameConsumer):
    """Socket of the front page: something in the lists changed, of tournaments or of free tables."""

    async def on_open(self) -> None:
        await self.join(notify.LIST_GROUP)
        await self.join(LOBBY_GROUP)

    async def on_late_join(self) -> None:
        await self.send_frame({"t": "changed", "v": 0})

    async def changed(self, message: Message) -> None:
        """Tell the page that a list changed. Versions of different tournaments can't be compared: each hint is news."""
        await self.send_frame({"t": "changed", "v": message["v"]})


websocket_urlpatterns: list[URLPattern] = [
    path("ws/tornei/", TournamentListConsumer.as_asgi()),
    path("ws/tornei/<id:public_id>/", TournamentConsumer.as_asgi()),
]
