"""People at a table as the server sees them: a real socket, a real session, the frames they got."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Self
from uuid import uuid4

from django.test import Client
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from games.models import Match
from players.models import Player
from tests.support.live import Site
from tests.support.waiting import PATIENCE

Frame = dict[str, Any]


class AtTable:
    """Open socket of a table; ``frames`` is all it was ever sent, ``raw`` as text."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[Frame] = []
        self.raw: list[str] = []

    def next(self) -> Frame:
        text = self.socket.recv(timeout=PATIENCE)
        assert isinstance(text, str)
        self.raw.append(text)
        self.frames.append(json.loads(text))
        return self.frames[-1]

    def until(self, wanted: Callable[[Frame], bool]) -> Frame:
        """The first frame from here on that is ``wanted``."""
        while not wanted(frame := self.next()):
            pass
        return frame

    def view(self, wanted: Callable[[Frame], bool] = lambda _: True) -> Frame:
        return self.until(lambda frame: frame["t"] == "view" and wanted(frame))

    def showing(self, wanted: Callable[[Frame], bool]) -> Frame:
        """The last view it was sent if that is ``wanted``, else the first that is: a view may come before the ack."""
        return self.seen if wanted(self.seen) else self.view(wanted)

    @property
    def seen(self) -> Frame:
        """The last view it was sent."""
        return next(frame for frame in reversed(self.frames) if frame["t"] == "view")

    def send(self, frame: object) -> None:
        self.socket.send(frame if isinstance(frame, str) else json.dumps(frame))

    def ask(self, frame: Frame) -> Frame:
        """Send an action and wait for its answer: an ack or an error with its id."""
        self.send(frame)
        return self.until(lambda answer: answer["t"] in {"ack", "error"} and answer["id"] == frame["id"])

    def play(self, text: str | None = None, version: int | None = None, about: str | None = None) -> Frame:
        """Play ``text`` or the first legal move of the last view."""
        seen = self.seen
        chosen = text or seen["legal"][0]["move"]
        return self.ask(
            {"t": "move", "id": about or str(uuid4()), "v": seen["v"] if version is None else version, "move": chosen}
        )

    def closing_code(self) -> int | None:
        try:
            while True:
                self.next()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else None

    def answers(self) -> Self:
        """The socket still answers."""
        self.send({"t": "ping", "c": 5})
        assert self.until(lambda frame: frame["t"] == "pong")["c"] == 5
        return self


@contextmanager
def on_site(site: Site, path: str, player: Player | None = None, cookies: str = "") -> Iterator[AtTable]:
    """A socket of ``player`` (None: a visitor, with these ``cookies``), signed in as in a browser."""
    client = Client()
    if player is not None:
        client.force_login(player.user)
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items()) or cookies
    with connect(
        f"{site.ws_url}{path}",
        origin=Origin(site.url),
        additional_headers={"Cookie": cookies} if cookies else {},
        open_timeout=PATIENCE,
    ) as socket:
        yield AtTable(socket)


def at_table(site: Site, match: Match | str, player: Player | None = None) -> AbstractContextManager[AtTable]:
    """A socket of the table of ``match``, or of that public id."""
    return on_site(site, f"/ws/tavolo/{match if isinstance(match, str) else match.public_id}/", player)
