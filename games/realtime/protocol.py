"""The frames a table understands, parsed strictly, and the small ones it answers with. docs/protocol.md describes them.

A frame is refused for a missing, unknown or ill-typed field; it is never guessed at. Match and seat come from the
connection, never from a frame.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from games.bots.reasons import Reason
from games.engine.cards import NAMES
from games.engine.game import AUTOMATIC, GameMove
from games.frames import build_move, to_milliseconds
from games.models import ChatLine
from players.realtime.frames import MAX_ID_CHARACTERS, Frame, FrameError, read_frame_id

MAX_MOVE_CHARACTERS = 80  # "accuso napoletana:d+…", all of them, is shorter
MAX_CALLS = 4  # with one card

DIGEST, FULL_NONCE = re.compile("[0-9a-f]{64}"), re.compile("[0-9a-f]{32}")

CLOSE_FORBIDDEN = 4403  # this table may not be watched
CLOSE_UNKNOWN = 4404  # there is no such table


@dataclass(frozen=True, slots=True)
class MoveFrame:
    """Play ``move``, as seen at version ``v``, with these calls; None: with what the player has automatic."""

    id: str
    v: int
    move: str
    calls: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class OptionsFrame:
    """The calls that the system makes for this player from now on (X1)."""

    id: str
    automatic: frozenset[str]


@dataclass(frozen=True, slots=True)
class AbandonFrame:
    """Lose the match, if ``confirm``."""

    id: str
    confirm: bool


@dataclass(frozen=True, slots=True)
class ReturnFrame:
    """The player is back: the house no longer plays for them."""

    id: str


@dataclass(frozen=True, slots=True)
class HintFrame:
    """Ask in training for what the house would play, at version ``v``."""

    id: str
    v: int


@dataclass(frozen=True, slots=True)
class TakeBackFrame:
    """Take back one's last card in training, as seen at version ``v``."""

    id: str
    v: int


@dataclass(frozen=True, slots=True)
class NonceHashFrame:
    """Add the hash of a nonce to the secret of the cards (J2)."""

    id: str
    hash: str


@dataclass(frozen=True, slots=True)
class NonceFrame:
    """Add a nonce to the secret of the cards (J2)."""

    id: str
    nonce: str


@dataclass(frozen=True, slots=True)
class ChatFrame:
    """Say something: ``text``, or the ready-made ``phrase`` of that code."""

    id: str
    text: str = ""
    phrase: str = ""


@dataclass(frozen=True, slots=True)
class ReportFrame:
    """Ask the referee to look at a player, a line of the chat, or the table."""

    id: str
    reason: str
    text: str
    seat: int | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class SyncFrame:
    """The version the client has; it gets a view if it is behind."""

    v: int


# A move without calls, as our own page writes it, and in the order of the documentation; nothing in its texts that JSON
# would escape.
_ID = rf'"id": ?"(?P<id>[ !#-\[\]-~]{{1,{MAX_ID_CHARACTERS}}})"'
_V = r'"v": ?(?P<v>0|[1-9][0-9]{0,14})'
_TEXT = rf'"move": ?"(?P<move>[ !#-\[\]-~]{{1,{MAX_MOVE_CHARACTERS}}})"'
_MOVES = tuple(
    re.compile(", ?".join((r'\{"t": ?"move"', *fields)) + r"\}") for fields in ((_V, _TEXT, _ID), (_ID, _V, _TEXT))
)


def read_move(text: str) -> MoveFrame | None:
    """Return the move in a text that is a move beyond doubt; None leaves it to the strict parser."""
    for written in _MOVES:
        if match := written.fullmatch(text):
            return MoveFrame(match["id"], int(match["v"]), match["move"])
    return None


REQUIRED_FIELDS = {
    "move": {"t", "id", "v", "move"},
    "options": {"t", "id", "automatic"},
    "abandon": {"t", "id", "confirm"},
    "return": {"t", "id"},
    "hint": {"t", "id", "v"},
    "takeback": {"t", "id", "v"},
    "nonce_hash": {"t", "id", "hash"},
    "nonce": {"t", "id", "nonce"},
    "chat": {"t", "id"},
    "report": {"t", "id", "reason", "text"},
    "sync": {"t", "v"},
}


OPTIONAL_FIELDS = {"move": {"with"}, "chat": {"text", "phrase"}, "report": {"seat", "line"}}


TableFrame = (
    MoveFrame
    | OptionsFrame
    | AbandonFrame
    | ReturnFrame
    | HintFrame
    | TakeBackFrame
    | NonceHashFrame
    | NonceFrame
    | ChatFrame
    | ReportFrame
    | SyncFrame
)


def parse_frame(frame: Frame) -> TableFrame:
    """Parse a frame strictly. FrameError("unknown" or "malformed") otherwise."""
    kind, about = frame["t"], read_frame_id(frame)
    fields = REQUIRED_FIELDS.get(kind)
    if fields is None:
        raise FrameError("unknown", about)
    if frame.keys() - OPTIONAL_FIELDS.get(kind, set()) != fields or ("id" in fields and about is None):
        raise FrameError("malformed", about)
    match kind:
        case "move":
            if not _is_move(frame["move"]):
                raise FrameError("malformed", about)
            return MoveFrame(str(about), _parse_version(frame, about), frame["move"], _parse_calls(frame, about))
        case "options":
            chosen = frame["automatic"]
            if not isinstance(chosen, list) or any(chosen.count(verb) != (verb in AUTOMATIC) for verb in chosen):
                raise FrameError("malformed", about)
            return OptionsFrame(str(about), frozenset(chosen))
        case "abandon":
            if not isinstance(frame["confirm"], bool):
                raise FrameError("malformed", about)
            return AbandonFrame(str(about), frame["confirm"])
        case "return":
            return ReturnFrame(str(about))
        case "hint":
            return HintFrame(str(about), _parse_version(frame, about))
        case "takeback":
            return TakeBackFrame(str(about), _parse_version(frame, about))
        case "nonce_hash":
            return NonceHashFrame(str(about), _parse_hex(frame["hash"], DIGEST, about))
        case "nonce":
            return NonceFrame(str(about), _parse_hex(frame["nonce"], FULL_NONCE, about))
        case "chat":
            return _parse_chat(frame, str(about))
        case "report":
            return _parse_report(frame, str(about))
        case _:
            return SyncFrame(_parse_version(frame, about))


def _parse_chat(frame: Frame, about: str) -> ChatFrame:
    text, phrase = frame.get("text", ""), frame.get("phrase", "")
    if not isinstance(text, str) or not isinstance(phrase, str) or ("text" in frame) == ("phrase" in frame):
        raise FrameError("malformed", about)
    if "phrase" in frame and not phrase:
        raise FrameError("malformed", about)
    return ChatFrame(about, text, phrase)


def _parse_report(frame: Frame, about: str) -> ReportFrame:
    seat, line = frame.get("seat"), frame.get("line")
    texts = isinstance(frame["reason"], str) and isinstance(frame["text"], str)
    numbers = all(number is None or (type(number) is int and number >= 0) for number in (seat, line))
    if not texts or not numbers or (seat is not None and line is not None):
        raise FrameError("malformed", about)
    return ReportFrame(about, frame["reason"], frame["text"], seat, line)


def _is_move(text: object) -> bool:
    return isinstance(text, str) and 0 < len(text) <= MAX_MOVE_CHARACTERS


def _parse_calls(frame: Frame, about: str | None) -> tuple[str, ...] | None:
    if "with" not in frame:
        return None
    calls = frame["with"]
    if not isinstance(calls, list) or len(calls) > MAX_CALLS or not all(_is_move(call) for call in calls):
        raise FrameError("malformed", about)
    if not frame["move"].startswith("play "):
        raise FrameError("malformed", about)
    return tuple(calls)


def _parse_hex(text: object, form: re.Pattern[str], about: str | None) -> str:
    if not isinstance(text, str) or not form.fullmatch(text):
        raise FrameError("malformed", about)
    return text


def _parse_version(frame: Frame, about: str | None) -> int:
    version = frame["v"]
    if type(version) is not int or version < 0:
        raise FrameError("malformed", about)
    return version


def build_ack(client_id: str | None, version: int) -> Frame:
    """An action was committed."""
    return {"t": "ack", "id": client_id, "v": version}


def build_hint(
    client_id: str, version: int, moves: Sequence[GameMove], why: tuple[GameMove, Reason] | None = None
) -> Frame:
    """Return the frame of what the house would play: moves as in the view's ``legal``, calls before their card; and
    why its card is better than another."""
    frame: Frame = {"t": "hint", "id": client_id, "v": version, "moves": [build_move(move) for move in moves]}
    if why is None:
        return frame
    other, reason = why
    cards = [NAMES[card] for card in reason.cards]
    values = {"code": reason.code, "instead": NAMES[other.card], "cards": cards}
    return {**frame, "why": {**values, "n": reason.number, "total": reason.total}}


def build_chat(lines: Sequence[ChatLine]) -> Frame:
    """Return the frame of these lines, the oldest first; ``n`` grows with every line."""
    return {"t": "chat", "lines": [_build_line(line) for line in lines]}


def _build_line(line: ChatLine) -> Frame:
    """``name`` is given where nobody's seat gives it: of whoever watches."""
    name = line.author.name if line.author is not None else None
    return {
        "n": line.pk,
        "seat": line.seat,
        "name": name,
        "text": line.text,
        "phrase": line.phrase or None,
        "at": to_milliseconds(line.at),
    }


def build_watchers(number: int) -> Frame:
    """Return the frame with the number of people who watch."""
    return {"t": "watchers", "n": number}


def build_replaced() -> Frame:
    """Another window took this seat."""
    return {"t": "replaced"}
