"""Texts that the server sends at once, without a task: whole and in order beside those it sends in its own way."""

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn
from websockets.frames import Frame, Opcode
from websockets.server import ServerProtocol
from websockets.sync.client import connect

from config.launcher.web_sockets import Gate, Inbox, PushProtocol, is_between_frames
from players.realtime.push import PUSH
from tests.support.live import bound_socket
from tests.support.waiting import PATIENCE, until

SIZES = [0, 1, 125, 126, 127, 65_535, 65_536, 70_000]
HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
MANY = 400  # of 60 kB: far more than a socket that isn't read takes


@pytest.fixture
def sent() -> Iterator[tuple[int, list[str]]]:
    """The port of a server that pushes texts of every size, more than fit, and how it sent each."""
    ways: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "websocket":
            return
        await receive()
        push = scope["extensions"][PUSH]["text"]
        assert not push(b"before the handshake")
        await send({"type": "websocket.accept"})
        for text in [*("x" * size for size in SIZES), *(f"{number:06}" * 10_000 for number in range(MANY))]:
            if push(text.encode()):
                ways.append("pushed")
            else:
                ways.append("sent")
                await send({"type": "websocket.send", "text": text})
        await send({"type": "websocket.close", "code": 1000})
        assert not push(b"after the end")
        ways.append("ended")

    settings = uvicorn.Config(app, log_level="warning", ws=PushProtocol, ws_per_message_deflate=False, lifespan="off")
    server = uvicorn.Server(settings)
    with bound_socket() as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield listening.getsockname()[1], ways
        finally:
            server.should_exit = server.force_exit = True
            thread.join(PATIENCE)


def test_a_frame_that_came_in_part_with_the_handshake_is_read_whole() -> None:
    conn = ServerProtocol()
    conn.receive_data(HANDSHAKE)
    (request,) = conn.events_received()
    conn.send_response(conn.accept(request))
    assert is_between_frames(conn.parser)
    frame = Frame(Opcode.TEXT, b"ciao").serialize(mask=True)
    conn.receive_data(frame[:3])
    assert not is_between_frames(conn.parser)
    conn.receive_data(frame[3:])
    assert is_between_frames(conn.parser)
    conn.parser = conn.parse()
    next(conn.parser)
    conn.receive_data(frame * 2)
    assert [event.data for event in conn.events_received()] == [b"ciao"] * 3


async def test_the_inbox_and_the_gate_wake_who_waits() -> None:
    inbox, gate = Inbox(), Gate()
    reading = asyncio.create_task(inbox.get())
    await asyncio.sleep(0)
    for number in range(3):
        inbox.put_nowait(number)
    assert [await reading, await inbox.get(), await inbox.get()] == [0, 1, 2]
    assert inbox.empty()
    gate.clear()
    assert not gate.is_set()
    waiting = asyncio.create_task(gate.wait())
    await asyncio.sleep(0)
    gate.clear()
    assert not waiting.done()
    gate.set()
    await waiting
    await gate.wait()
    assert gate.is_set()


def test_texts_arrive_whole_and_in_order_however_they_are_sent(sent: tuple[int, list[str]]) -> None:
    port, ways = sent
    with connect(f"ws://127.0.0.1:{port}/", max_size=None, max_queue=4) as socket:
        until(lambda: "sent" in ways[len(SIZES) :], what="the server to find that nobody reads")
        assert [len(socket.recv(timeout=PATIENCE)) for _ in SIZES] == SIZES
        for number in range(MANY):
            assert socket.recv(timeout=PATIENCE) == f"{number:06}" * 10_000
        until(lambda: ways[-1] == "ended", what="the server's end of it")
    assert ways[: len(SIZES)] == ["pushed"] * 6 + ["sent"] * 2
