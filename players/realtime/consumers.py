"""The personal socket: what concerns a person reaches every page they have open (W1). It only forwards."""

from players.broadcast import Message, name_player_group
from players.realtime.base import FrameConsumer


class PersonConsumer(FrameConsumer):
    """Socket ws/persona/: forwards notices to a member's or guest's pages, and answers nothing but ping."""

    async def admit(self) -> bool:
        return self.player is not None

    async def on_open(self) -> None:
        assert self.player is not None
        await self.join(name_player_group(self.player.pk))
        await self.send_frame({"t": "hello"})

    async def on_late_join(self) -> None:
        await self.send_frame({"t": "hello"})

    async def notice(self, message: Message) -> None:
        """Forward a notice from the channel layer."""
        await self.send_frame(message["frame"])
