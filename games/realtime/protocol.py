"""The frames a table understands, parsed strictly, and the small ones it answers with. docs/protocol.md describes them.

A frame is refused for a missing, unknown or ill-typed field; it is never guessed at. Match and seat come from the
connection, never from a frame.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from games.frames import milliseconds
from games.models import ChatLine
from players.realtime.frames import Frame, FrameError, frame_id

LONGEST_MOVE = 64  # "play 7c x 4d 3s …" is shorter

CLOSE_FORBIDDEN = 4403  # this table may not be watched
CLOSE_UNKNOWN = 4404  # there is no such table


@dataclass(frozen=True, slots=True)
class MoveFrame:
    """Play ``move``, as seen at version ``v``."""

    id: str
    v: int
    move: str


@dataclass(frozen=True, slots=True)
class AbandonFrame:
    """Lose the match, if ``confirm``."""

    id: str
    confirm: bool


@dataclass(frozen=True, slots=True)
class ChatFrame:
    """Say something to the table."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class SyncFrame:
    """The version the client has; it gets a view if it is behind."""

    v: int


FIELDS = {
    "move": {"t", "id", "v", "move"},
    "abandon": {"t", "id", "confirm"},
    "chat": {"t", "id", "text"},
    "sync": {"t", "v"},
}


def read(frame: Frame) -> MoveFrame | AbandonFrame | ChatFrame | SyncFrame:
    """What a frame asks for. FrameError("unknown" or "malformed") otherwise."""
    kind, about = frame["t"], frame_id(frame)
    fields = FIELDS.get(kind)
    if fields is None:
        raise FrameError("unknown", about)
    if frame.keys() != fields or ("id" in fields and about is None):
        raise FrameError("malformed", about)
    match kind:
        case "move":
            move = frame["move"]
            if not isinstance(move, str) or not 0 < len(move) <= LONGEST_MOVE:
                raise FrameError("malformed", about)
            return MoveFrame(str(about), _version(frame, about), move)
        case "abandon":
            if not isinstance(frame["confirm"], bool):
                raise FrameError("malformed", about)
            return AbandonFrame(str(about), frame["confirm"])
        case "chat":
            if not isinstance(frame["text"], str):
                raise FrameError("malformed", about)
            return ChatFrame(str(about), frame["text"])
        case _:
            return SyncFrame(_version(frame, about))


def _version(frame: Frame, about: str | None) -> int:
    version = frame["v"]
    if type(version) is not int or version < 0:
        raise FrameError("malformed", about)
    return version


def ack(client_id: str | None, version: int) -> Frame:
    """An action was committed."""
    return {"t": "ack", "id": client_id, "v": version}


def chat(lines: Sequence[ChatLine]) -> Frame:
    """What was said, the oldest first; ``n`` grows with every line."""
    said = [{"n": line.pk, "seat": line.seat, "text": line.text, "at": milliseconds(line.at)} for line in lines]
    return {"t": "chat", "lines": said}


def replaced() -> Frame:
    """Another window took this seat."""
    return {"t": "replaced"}
