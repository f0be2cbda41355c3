"""Export of all that the site keeps of one person: one ZIP of JSON, a file for each part, made while it is sent.

Each app registers its parts at start: a name, and a reader that yields rows of plain values. Nothing of others is in
it but what the person saw of them at a table or in a tournament: names, never addresses.
"""

import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from players.models import Player

Row = Mapping[str, Any]  # plain values that JSON can write
PartReader = Callable[[Player], Iterable[Row]]
CHUNK_BYTES = 64 * 1024

_parts: dict[str, PartReader] = {}


def register_part(name: str, reader: PartReader) -> None:
    """Add a part of the export, ``name``.json: at start, by the app that keeps its rows. Said twice it is the same."""
    _parts[name] = reader


def list_parts() -> list[str]:
    """Return the names of all parts, in order."""
    return sorted(_parts)


def read_part(name: str, player: Player) -> Iterator[Row]:
    """Yield the rows of one part."""
    yield from _parts[name](player)


class _Outlet:
    """File that can only be written to: it keeps what nobody has taken yet."""

    def __init__(self) -> None:
        self._chunks: list[bytes] = []
        self.size = 0

    def write(self, data: bytes) -> int:
        self._chunks.append(bytes(data))
        self.size += len(data)
        return len(data)

    def flush(self) -> None:
        """Do nothing: what was written is taken when there is enough of it."""

    def take(self) -> bytes:
        taken, self._chunks, self.size = b"".join(self._chunks), [], 0
        return taken


def stream_archive(player: Player) -> Iterator[bytes]:
    """Yield the ZIP in pieces: each part is a list of rows, one a line, and none is held whole."""
    outlet = _Outlet()
    with zipfile.ZipFile(outlet, "w", zipfile.ZIP_DEFLATED) as archive:  # type: ignore[call-overload]
        for name in list_parts():
            with archive.open(f"{name}.json", "w", force_zip64=True) as file:
                for piece in _write_rows(read_part(name, player)):
                    file.write(piece)
                    if outlet.size > CHUNK_BYTES:
                        yield outlet.take()
    yield outlet.take()


def _write_rows(rows: Iterable[Row]) -> Iterator[bytes]:
    before = "[\n"
    for row in rows:
        yield f"{before}{json.dumps(row, ensure_ascii=False, default=_write_moment)}".encode()
        before = ",\n"
    yield (b"[]\n" if before == "[\n" else b"\n]\n")


def _write_moment(value: Any) -> str:
    if hasattr(value, "isoformat"):
        return str(value.isoformat())
    raise TypeError(type(value).__name__)
