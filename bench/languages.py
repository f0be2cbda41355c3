"""Languages on the wire of each side of a bench: our protocol, and boardgame.io's over Socket.IO.

A language turns texts into what the load program wants to know (a version, and what this seat may play now) and a play
into a text. It keeps no state of the game.
"""

import json
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol
from uuid import uuid4


class Heard(NamedTuple):
    """A new state of the table as one seat got it. ``play``: a legal play if it is its turn, else empty."""

    version: int
    play: str


class Acknowledged(NamedTuple):
    """This seat's move was taken; the table is at ``version`` now. Languages without acks never say so."""

    version: int


class Complaint(NamedTuple):
    """The server refused something, which a load program never gives it reason to."""

    text: str


Said = Heard | Acknowledged | Complaint | None


@dataclass(frozen=True, slots=True)
class Place:
    """Seat at a table, as its socket reaches it."""

    table: str
    seat: int
    cookie: str = ""
    port: int = 0  # of the process its socket goes to; 0: the job's


class Language(Protocol):
    """Language of one kind of server."""

    acks: bool  # whether the mover hears of the move apart from the new state

    def path(self, place: Place) -> str:
        """Return the address of the socket."""

    def headers(self, port: int, place: Place) -> dict[str, str]:
        """Return the headers of the handshake."""

    def reply(self, text: str, place: Place) -> str:
        """Return the answer that keeps or opens the conversation; empty for none."""

    def read(self, text: str, place: Place) -> Said:
        """Return the meaning of a text."""

    def move(self, play: str, version: int, place: Place) -> str:
        """Return the text that makes a play."""


class Ours:
    """docs/protocol.md."""

    acks = True

    def path(self, place: Place) -> str:
        return f"/ws/tavolo/{place.table}/"

    def headers(self, port: int, place: Place) -> dict[str, str]:
        return {"Origin": f"http://127.0.0.1:{port}", "Cookie": place.cookie}

    def reply(self, text: str, place: Place) -> str:
        return ""

    def read(self, text: str, place: Place) -> Said:
        frame: dict[str, Any] = json.loads(text)
        match frame["t"]:
            case "view":
                return Heard(frame["v"], frame["legal"][0]["move"] if frame["legal"] else "")
            case "ack":
                return Acknowledged(frame["v"])
            case "error" | "replaced":
                return Complaint(text)
        return None

    def move(self, play: str, version: int, place: Place) -> str:
        return json.dumps({"t": "move", "id": str(uuid4()), "v": version, "move": play})


class BoardgameIo:
    """Engine.IO 4 and Socket.IO 5 as text, and boardgame.io's ``sync`` and ``update`` in them."""

    acks = False
    ROOM = "/tresette,"

    def path(self, place: Place) -> str:
        return "/socket.io/?EIO=4&transport=websocket"

    def headers(self, port: int, place: Place) -> dict[str, str]:
        return {"Origin": "http://127.0.0.1"}

    def reply(self, text: str, place: Place) -> str:
        if text.startswith("0"):
            return f"40{self.ROOM}"
        if text == "2":
            return "3"
        if text.startswith(f"40{self.ROOM}"):
            return self._said("sync", place.table, str(place.seat), None, 4)
        return ""

    def read(self, text: str, place: Place) -> Said:
        if text.startswith("44"):
            return Complaint(text)
        start = f"42{self.ROOM}"
        if not text.startswith(start):
            return None
        kind, *arguments = json.loads(text[len(start) :])
        if kind not in {"update", "sync"}:
            return None
        state: dict[str, Any] = arguments[1] if kind == "update" else arguments[1]["state"]
        legal = state["G"]["legal"]
        return Heard(state["_stateID"], legal[0] if legal else "")

    def move(self, play: str, version: int, place: Place) -> str:
        payload = {"type": "play", "args": [play], "playerID": str(place.seat), "credentials": None}
        action = {"type": "MAKE_MOVE", "payload": payload}
        return self._said("update", action, version, place.table, str(place.seat))

    def _said(self, *words: object) -> str:
        return f"42{self.ROOM}{json.dumps(words)}"


LANGUAGES: dict[str, Language] = {"ours": Ours(), "boardgame.io": BoardgameIo()}
