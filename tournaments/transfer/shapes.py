"""Shapes that the values of a file must have, and the check of a value against its shape. Plain Python.

A shape is strict: a record has exactly its fields, a number is no text, a hour has a zone. ``check`` collects every
fault instead of stopping at the first, and goes no deeper where the value is of another kind.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from players.bounds import is_within
from tournaments.transfer.faults import FileFault


@dataclass(frozen=True, slots=True)
class TextShape:
    most: int
    choices: tuple[str, ...] = ()
    least: int = 0


@dataclass(frozen=True, slots=True)
class NumberShape:
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class FlagShape:
    """True or false."""


@dataclass(frozen=True, slots=True)
class HourShape:
    """An instant as ISO 8601, with its zone."""


@dataclass(frozen=True, slots=True)
class JsonShape:
    """An object or a list whose contents somebody else checks."""

    kind: type = dict


@dataclass(frozen=True, slots=True)
class MaybeShape:
    """Null, or a value of this shape."""

    shape: "Shape"


@dataclass(frozen=True, slots=True)
class ListShape:
    of: "Shape"
    most: int
    least: int = 0


@dataclass(frozen=True, slots=True)
class RecordShape:
    fields: Mapping[str, "Shape"]
    optional: frozenset[str] = frozenset()  # that files from before there were such fields don't have


Shape = TextShape | NumberShape | FlagShape | HourShape | JsonShape | MaybeShape | ListShape | RecordShape


def check(value: object, shape: Shape, place: str, faults: list[FileFault]) -> None:
    """Add to ``faults`` what is wrong with a value at that place."""
    match shape:
        case MaybeShape():
            if value is not None:
                check(value, shape.shape, place, faults)
        case RecordShape():
            _check_record(value, shape, place, faults)
        case ListShape():
            _check_list(value, shape, place, faults)
        case _:
            fault = _find_fault(value, shape)
            if fault is not None:
                faults.append(FileFault(fault[0], place, fault[1]))


def _check_record(value: object, shape: RecordShape, place: str, faults: list[FileFault]) -> None:
    if not isinstance(value, dict):
        faults.append(FileFault("wrong_kind", place, {"wanted": "record"}))
        return
    for name in shape.fields.keys() - value.keys() - shape.optional:
        faults.append(FileFault("missing", join_place(place, name)))
    for name in value.keys() - shape.fields.keys():
        faults.append(FileFault("unknown", join_place(place, str(name)[:40])))
    for name, inner in shape.fields.items():
        if name in value:
            check(value[name], inner, join_place(place, name), faults)


def _check_list(value: object, shape: ListShape, place: str, faults: list[FileFault]) -> None:
    if not isinstance(value, list):
        faults.append(FileFault("wrong_kind", place, {"wanted": "list"}))
        return
    if len(value) > shape.most:
        faults.append(FileFault("too_long", place, {"limit": shape.most}))
        return
    if len(value) < shape.least:
        faults.append(FileFault("other_size", place, {"wanted": shape.least}))
        return
    for number, item in enumerate(value, start=1):
        check(item, shape.of, f"{place}[{number}]", faults)


def _find_fault(value: object, shape: Shape) -> tuple[str, dict[str, object]] | None:
    """Return the code and the values of what is wrong with a single value."""
    match shape:
        case TextShape():
            if not isinstance(value, str):
                return "wrong_kind", {"wanted": "text"}
            if len(value) > shape.most:
                return "too_long", {"limit": shape.most}
            if shape.choices and value not in shape.choices:
                return "no_choice", {"value": value[:40], "choices": shape.choices}
            return ("missing", {}) if len(value) < shape.least else None
        case NumberShape():
            if not isinstance(value, int) or isinstance(value, bool):
                return "wrong_kind", {"wanted": "number"}
            if not shape.low <= value <= shape.high:
                return "out_of_range", {"low": shape.low, "high": shape.high}
        case FlagShape():
            if not isinstance(value, bool):
                return "wrong_kind", {"wanted": "flag"}
        case HourShape():
            if not isinstance(value, str) or read_hour(value) is None:
                return "wrong_kind", {"wanted": "hour"}
        case JsonShape():
            if not isinstance(value, shape.kind):
                return "wrong_kind", {"wanted": "list" if shape.kind is list else "record"}
    return None


def read_hour(text: str) -> datetime | None:
    """Return an instant; None for a text that is none, has no zone, or is of another age."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    return at if at.tzinfo is not None and is_within(at) else None


def join_place(*parts: str) -> str:
    """Return the path of a field inside a place."""
    return ".".join(part for part in parts if part)


def check_once(values: Sequence[object], places: Sequence[str], faults: list[FileFault]) -> None:
    """Add a fault for each value that stood before."""
    seen: set[object] = set()
    for value, place in zip(values, places, strict=True):
        if value in seen:
            faults.append(FileFault("twice", place, {"value": value}))
        seen.add(value)
