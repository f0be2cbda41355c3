"""What the tables need once in each web process: its sign of life, and the poll for hints that were lost.

Started and stopped with the process (the ASGI lifespan). It decides nothing.
"""

import asyncio
import contextlib

from games.liveness import WEB, Heart
from games.realtime.hub import hub

_heart: Heart | None = None
_poll: "asyncio.Task[None] | None" = None


async def start() -> None:
    """Beat once before anybody is served, so that an outage is made good first; then go on until ``stop``."""
    global _heart, _poll
    if _heart is None:
        _heart = Heart(WEB)
        _heart.start()
        await asyncio.to_thread(_heart.beaten.wait, 10)
    if _poll is None or _poll.done():
        _poll = asyncio.create_task(hub().poll_for_ever())


async def stop() -> None:
    """End the thread and the poll."""
    global _heart, _poll
    heart, poll, _heart, _poll = _heart, _poll, None, None
    if poll is not None:
        poll.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await poll
    if heart is not None:
        await asyncio.to_thread(heart.stop)
