"""Frames of a socket: one strict parser for everything a browser sends, one printer for everything it gets.

The stock JSON consumer dies on malformed, binary, deep or huge input; this one answers with a code. It knows no
particular frame: the consumer gives it a meaning.
"""

import json
import math
from typing import Any

import orjson

MAX_BYTES = 4096
MAX_DEPTH = 4
MAX_KEYS = 32
MAX_INTEGER = 2**53 - 1
MAX_ID_CHARACTERS = 36

Frame = dict[str, Any]


class FrameError(Exception):
    """Refusal of a frame. ``code`` is one of docs/protocol.md; ``about`` is the client's own id, if any."""

    def __init__(self, code: str, about: str | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.about = about


def _refuse_constant(_: str) -> float:
    raise FrameError("malformed")


def _parse_float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise FrameError("malformed")
    return value


def _parse_integer(text: str) -> int:
    if len(text) > 17:
        raise FrameError("malformed")
    value = int(text)
    if abs(value) > MAX_INTEGER:
        raise FrameError("malformed")
    return value


def _parse_object(pairs: list[tuple[str, Any]]) -> Frame:
    fields = dict(pairs)
    if len(fields) != len(pairs) or len(fields) > MAX_KEYS:
        raise FrameError("malformed")
    return fields


def _require_plain(text: str) -> None:
    """Raise FrameError for control characters (PostgreSQL refuses NUL) and lone surrogates."""
    if any(char < " " or "\ud800" <= char <= "\udfff" or char == "\x7f" for char in text):
        raise FrameError("malformed")


def _walk(value: Any, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise FrameError("too_deep")
    if isinstance(value, str):
        _require_plain(value)
    elif isinstance(value, dict):
        for key, inner in value.items():
            _require_plain(key)
            _walk(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            _walk(inner, depth + 1)


def parse(text: str | None, data: bytes | None = None) -> Frame:
    """Return the frame in ``text``: a JSON object with a string ``t``. FrameError otherwise, and for any ``data``."""
    if data is not None or text is None:
        raise FrameError("binary")
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise FrameError("too_long")
    try:
        frame = json.loads(
            text,
            parse_constant=_refuse_constant,
            parse_float=_parse_float,
            parse_int=_parse_integer,
            object_pairs_hook=_parse_object,
        )
    except RecursionError:
        raise FrameError("too_deep") from None
    except ValueError:
        raise FrameError("malformed") from None
    if not isinstance(frame, dict):
        raise FrameError("malformed")
    _walk(frame, 0)
    if not isinstance(frame.get("t"), str):
        raise FrameError("malformed")
    return frame


def read_frame_id(frame: Frame) -> str | None:
    """Return the client's own id of a frame, for its ack or error; None without a usable one."""
    value = frame.get("id")
    return value if isinstance(value, str) and 0 < len(value) <= MAX_ID_CHARACTERS else None


def dump(frame: Frame) -> bytes:
    """Encode a frame. TypeError for what isn't JSON."""
    return orjson.dumps(frame)
