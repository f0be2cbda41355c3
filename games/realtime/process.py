"""Tasks of the tables in each web process: its sign of life, the poll for hints that were lost, and who is here.

Started and stopped with the process (the ASGI lifespan); it ends with the event loop in any case. It decides nothing.
"""

import asyncio
import contextlib

from games.lobby.live import LobbyBell
from games.outages import WEB, Heart
from games.plain_moves import writer
from games.realtime.hub import get_hub

FIRST_BEAT_SECONDS = 10  # seconds to wait for it at most

_life: "asyncio.Task[None] | None" = None


async def start() -> None:
    """Beat once before anybody is served, so that an outage is made good first; then go on until ``stop``."""
    global _life
    if _life is not None and not _life.done():
        return
    heart = Heart(WEB)
    heart.start()
    await asyncio.to_thread(heart.beaten.wait, FIRST_BEAT_SECONDS)
    _life = asyncio.create_task(_live(heart))


async def stop() -> None:
    """End the threads and the poll."""
    global _life
    life, _life = _life, None
    if life is not None:
        life.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await life
    await asyncio.to_thread(writer.shut_down)


async def _live(heart: Heart) -> None:
    lobby = asyncio.create_task(LobbyBell().keep())
    try:
        await get_hub().poll_forever()
    finally:
        lobby.cancel()
        heart.stop()
