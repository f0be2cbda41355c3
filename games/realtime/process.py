"""Tasks of the tables in each web process: its sign of life, the poll for hints that were lost, and who is here.

Started and stopped with the process (the ASGI lifespan); it ends with the event loop in any case. It decides nothing.
"""

import asyncio
import contextlib

from games.broadcast import REST_GROUP
from games.lobby.live import LobbyBell
from games.outages import WEB, Heart
from games.plain_moves import writer
from games.realtime.hub import get_hub
from games.site_rest import VisitTeller, visits
from players.realtime.switchboard import get_switchboard

FIRST_BEAT_SECONDS = 10  # seconds to wait for it at most

_life: "asyncio.Task[None] | None" = None


async def start() -> None:
    """Beat once before anybody is served, so that an outage is made good first; then go on until ``stop``."""
    global _life
    if _life is not None and not _life.done():
        return
    visits.rest.begin()
    heart = Heart(WEB, visits.rest)
    heart.start()
    await asyncio.to_thread(heart.beaten.wait, FIRST_BEAT_SECONDS)
    teller = VisitTeller(visits)
    teller.start()
    _life = asyncio.create_task(_live(heart, teller))


async def stop() -> None:
    """End the threads and the poll."""
    global _life
    life, _life = _life, None
    if life is not None:
        life.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await life
    await asyncio.to_thread(writer.shut_down)


async def _live(heart: Heart, teller: VisitTeller) -> None:
    lobby = asyncio.create_task(LobbyBell().keep())
    listening = asyncio.create_task(get_switchboard().join(REST_GROUP, heart, lambda _: heart.rest.call()))
    try:
        await get_hub().poll_forever()
    finally:
        lobby.cancel()
        listening.cancel()
        get_switchboard().leave(REST_GROUP, heart)
        teller.stop()
        heart.stop()
