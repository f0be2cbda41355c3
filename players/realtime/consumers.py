"""The personal socket: what concerns a person reaches every page they have open (W1). It says which table waits,
forwards, and hears whether its page is looked at (U4)."""

from collections import Counter

from django.utils import translation

from players.broadcast import Message, name_player_group
from players.realtime import db_executor
from players.realtime.base import FrameConsumer
from players.realtime.frames import Frame, FrameError
from players.services.open_tables import OpenTable, find_awaited_table

_pages: Counter[int] = Counter()  # of this process: the open pages of each player
_watched: Counter[int] = Counter()  # and those they have before their eyes


def list_connected() -> list[int]:
    """List the players who have a page open at this process."""
    return list(_pages)


def list_watching() -> list[int]:
    """List the players who look at a page that is open at this process."""
    return list(_watched)


class PersonConsumer(FrameConsumer):
    """Socket ws/persona/: forwards notices to a member's or guest's pages. As long as it is open its person is here
    (B1); they look at the page unless it says otherwise (U4)."""

    _counted: int | None = None
    _looked_at = False

    async def admit(self) -> bool:
        return self.player is not None

    async def on_open(self) -> None:
        assert self.player is not None
        self._counted = self.player.pk
        _pages[self._counted] += 1
        self._look(True)
        await self.join(name_player_group(self.player.pk))
        await self._greet()

    async def on_close(self) -> None:
        if self._counted is not None:
            self._look(False)
            _drop(_pages, self._counted)

    async def on_frame(self, frame: Frame) -> None:
        """Note whether the page is before its reader's eyes: ``{"t": "look", "on": false}`` once it is hidden."""
        if frame["t"] != "look":
            await super().on_frame(frame)
        elif frame.keys() != {"t", "on"} or not isinstance(frame["on"], bool):
            raise FrameError("malformed")
        else:
            self._look(frame["on"])
            await self.send_frame({"t": "look", "on": frame["on"]})

    async def _greet(self) -> None:
        """Say that the socket listens, and which table waits: what was told since the page was made is lost."""
        table = await db_executor.run(self._find_table)
        frame: Frame = {"t": "hello"}
        if table is not None:
            frame["table"] = table.build_frame()
        await self.send_frame(frame)

    def _find_table(self) -> OpenTable | None:
        assert self.player is not None
        with translation.override(self.language):
            return find_awaited_table(self.player.pk)

    def _look(self, on: bool) -> None:
        if self._counted is None or on == self._looked_at:
            return
        self._looked_at = on
        if on:
            _watched[self._counted] += 1
        else:
            _drop(_watched, self._counted)

    async def on_late_join(self) -> None:
        await self._greet()

    async def notice(self, message: Message) -> None:
        """Forward a notice from the channel layer."""
        await self.send_frame(message["frame"])


def _drop(pages: Counter[int], player_id: int) -> None:
    pages[player_id] -= 1
    if pages[player_id] <= 0:
        del pages[player_id]
