"""Attackers on the sockets of a storm (AT1): one in a seat of a table that is being played, one beside it.

None of their frames may be made: they are broken, or about a version that never is.
"""

import asyncio
import contextlib
import json
from collections.abc import Sequence
from random import Random

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin

from bench.storm.clients import StagedTable, hang_up

FRAMES_A_LINE = 120  # the hundredth in 20 s closes the line
DEEP = 5_000
WORDS = ("move", "options", "abandon", "chat", "report", "sync", "ping", "view", "ack", "", "__class__", "MOVE")
VALUES = (None, True, -1, 2**63, 1e308, "", "x" * 37, "\u202e", "\x00", [], {}, ["declare d ho"] * 9, {"a": {"b": {}}})
NEVER = 1_000_000  # no match has so many versions
MOVES = ("play 7c", "play 7c x 4d 3s", "timeout", "noshow", "0 play Ad", "play", "play Zz", "redeal", "declare d ho")


def make_frame(dice: Random) -> str | bytes:
    """Return a hostile frame: no JSON, not an object, too deep, too long, or one of ours with wrong fields."""
    kind = dice.randrange(9)
    if kind == 0:
        return dice.randbytes(dice.randrange(1, 200))
    if kind == 1:
        return dice.choice(("{", "[]", "null", "NaN", '"t"', '{"t":NaN}', '{"t":"\\ud800"}', "\ufeff{}", "{}{}"))
    if kind == 2:
        return "[" * dice.randrange(2, DEEP // 2) + "]" * dice.randrange(1, 5)
    if kind == 3:
        return json.dumps({"t": "chat", "id": "a", "text": "x" * dice.choice((201, 4_000, 8_000))})
    frame = {
        "t": dice.choice(WORDS),
        "id": dice.choice((*VALUES, "again")),
        "v": dice.choice((*VALUES, NEVER)),
        "move": dice.choice((*VALUES, *MOVES)),
        "with": dice.choice(VALUES),
        "confirm": dice.choice((False, None, "true", 1)),  # never true: to give up is everybody's right
        "automatic": dice.choice((["nonsense"], 7, None)),
        "text": dice.choice(VALUES),
        "reason": dice.choice(VALUES),
    }
    chosen = dice.sample(sorted(frame), dice.randrange(1, len(frame)))
    return json.dumps({name: frame[name] for name in {"t", *chosen}})


async def attack(port: int, tables: Sequence[StagedTable], seat: int | None, dice: Random, frames: int) -> int:
    """Send so many hostile frames, to one table after the other and over as many lines as it takes, from a seat or as
    a visitor; how many went out."""
    sent = 0
    while sent < frames:
        table = tables[sent * len(tables) // frames]
        with contextlib.suppress(OSError, TimeoutError, WebSocketException):
            socket = await connect(
                f"ws://127.0.0.1:{port}/ws/tavolo/{table.table}/",
                origin=Origin(f"http://127.0.0.1:{port}"),
                additional_headers={} if seat is None else {"Cookie": table.cookies[seat]},
                compression=None,
                ping_interval=None,
            )
            drain = asyncio.create_task(read_all(socket))
            try:
                for _ in range(FRAMES_A_LINE):
                    await socket.send(make_frame(dice))
                    sent += 1
                    if dice.random() < 0.1:
                        await asyncio.sleep(0.001)
            finally:
                drain.cancel()
                hang_up(socket)
        await asyncio.sleep(0.01)
    return sent


async def read_all(socket: ClientConnection) -> None:
    """Take what the server answers, so that it needn't wait for us."""
    with contextlib.suppress(WebSocketException):
        async for _ in socket:
            pass
