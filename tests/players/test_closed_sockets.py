"""A socket that has just closed takes nothing any more, and that is no fault of ours: nothing is logged (AT1)."""

import asyncio
import logging
from typing import Any

import pytest
from uvicorn.protocols.utils import ClientDisconnected

from players.realtime.base import FrameConsumer

# What uvicorn raises: the line is broken; or it has noted the end already, and the consumer hasn't heard of it yet.
REFUSALS = [ClientDisconnected(), RuntimeError("Unexpected ASGI message 'websocket.send', after sending 'close'.")]
SCOPE: dict[str, Any] = {"type": "websocket", "headers": [(b"host", b"a"), (b"origin", b"http://a")], "scheme": "ws"}


async def open_and_send(refusal: Exception, refused: str) -> list[str]:
    """Open a socket, send to it, hang it up, on a server that raises at the first message ``refused``."""
    taken: list[str] = []
    heard: asyncio.Queue[Any] = asyncio.Queue()

    async def take(message: Any) -> None:
        if message["type"] == refused:
            raise refusal
        taken.append(message["type"])

    consumer = FrameConsumer()
    await heard.put({"type": "websocket.connect"})
    life = asyncio.create_task(consumer({**SCOPE, "client": ("192.0.2.1", 1)}, heard.get, take))
    await heard.put({"type": "websocket.receive", "text": '{"t":"ping","c":1}'})
    await heard.put({"type": "websocket.receive", "text": "no frame"})
    while not heard.empty():
        await asyncio.sleep(0)
    await consumer.hang_up(4401)
    await heard.put({"type": "websocket.disconnect", "code": 1006})
    await life
    return taken


@pytest.mark.parametrize("refused", ["websocket.accept", "websocket.send", "websocket.close"])
@pytest.mark.parametrize("refusal", REFUSALS, ids=["broken", "noted"])
async def test_what_is_sent_to_a_socket_just_closed_is_no_traceback_at1(
    refusal: Exception, refused: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    assert refused not in await open_and_send(refusal, refused)
    assert [record for record in caplog.records if record.exc_info or record.levelno >= logging.WARNING] == []
