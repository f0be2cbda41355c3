"""Sockets of pages and tables in tests, opened with a player's session."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

from django.test import Client
from websockets.sync.client import ClientConnection, connect

from players.models import Player
from players.realtime.frames import MAX_BYTES
from tests.support.live import Site
from tests.support.waiting import PATIENCE


@contextmanager
def open_public_socket(site: Site, path: str) -> Iterator[ClientConnection]:
    with open_socket(site, Client(), path) as socket:
        yield socket


def receive(socket: ClientConnection, seconds: float = PATIENCE) -> dict[str, Any]:
    return json.loads(socket.recv(timeout=seconds))  # type: ignore[no-any-return]


@contextmanager
def open_page_socket(site: Site, player: Player) -> Iterator[ClientConnection]:
    client = Client()
    client.force_login(player.user)
    with open_socket(site, client) as socket:
        assert receive(socket)["t"] == "hello"
        yield socket


def join_cookies(client: Client) -> str:
    return "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())


@contextmanager
def open_socket(
    site: Site,
    client: Client,
    path: str = "/ws/persona/",
    origin: str | None = "",
    more: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[ClientConnection]:
    headers = dict(more) | ({"Cookie": join_cookies(client)} if client.cookies else {})
    with connect(
        f"{site.ws_url}{path}",
        origin=site.url if origin == "" else origin,  # type: ignore[arg-type]
        additional_headers=headers,
        open_timeout=PATIENCE,
    ) as socket:
        yield socket


def expect_pong(socket: ClientConnection, mark: int = 1) -> None:
    """The socket still answers; whatever else arrives first is skipped."""
    socket.send(json.dumps({"t": "ping", "c": mark}))
    while (frame := receive(socket))["t"] != "pong":
        pass
    assert frame["c"] == mark


HOSTILE_FRAMES = [
    ("", "malformed"),
    ("{", "malformed"),
    ("null", "malformed"),
    ("[]", "malformed"),
    ('"t"', "malformed"),
    ("{}", "malformed"),
    ('{"t":1}', "malformed"),
    ('{"t":"a","t":"b"}', "malformed"),  # twice
    ('{"t":"a","n":NaN}', "malformed"),
    ('{"t":"a","n":Infinity}', "malformed"),
    ('{"t":"a","n":1e999}', "malformed"),
    ('{"t":"a","n":99999999999999999999}', "malformed"),
    ('{"t":"a","n":' + "9" * 3000 + "}", "malformed"),
    ('{"t":"a","s":"\\ud800"}', "malformed"),  # half a character
    ('{"t":"a","\\udfff":1}', "malformed"),
    ('{"t":"a","s":"\\u0000"}', "malformed"),
    ('{"t":"a","d":[[[[[1]]]]]}', "too_deep"),
    ('{"t":"a","d":' + "[" * 1900 + "]" * 1900 + "}", "too_deep"),
    ("[" * MAX_BYTES, "too_deep"),
    ('{"t":"a","s":"' + "x" * MAX_BYTES + '"}', "too_long"),
    ('{"t":"a","s":"' + "è" * (MAX_BYTES // 2) + '"}', "too_long"),  # bytes, not characters
    ("{" + ",".join(f'"k{n}":1' for n in range(60)) + ',"t":"a"}', "malformed"),
]
