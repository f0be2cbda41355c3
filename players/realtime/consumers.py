"""The personal socket: what concerns a person reaches every page they have open (W1). It only forwards."""

from collections import Counter

from players.broadcast import Message, name_player_group
from players.realtime.base import FrameConsumer

_pages: Counter[int] = Counter()  # of this process: the open pages of each player


def list_connected() -> list[int]:
    """List the players who have a page open at this process."""
    return list(_pages)


class PersonConsumer(FrameConsumer):
    """Socket ws/persona/: forwards notices to a member's or guest's pages, and answers nothing but ping. As long as it
    is open its person is here (B1)."""

    _counted: int | None = None

    async def admit(self) -> bool:
        return self.player is not None

    async def on_open(self) -> None:
        assert self.player is not None
        self._counted = self.player.pk
        _pages[self._counted] += 1
        await self.join(name_player_group(self.player.pk))
        await self.send_frame({"t": "hello"})

    async def on_close(self) -> None:
        if self._counted is not None:
            _pages[self._counted] -= 1
            if _pages[self._counted] <= 0:
                del _pages[self._counted]

    async def on_late_join(self) -> None:
        await self.send_frame({"t": "hello"})

    async def notice(self, message: Message) -> None:
        """Forward a notice from the channel layer."""
        await self.send_frame(message["frame"])
