"""The file of a tournament: JSON with a header, a body and the digest of both. Plain Python.

The digest tells a file that was damaged, or edited by hand, from a whole one. It is no signature: two sites share no
secret, so whoever writes a file anew can write its digest. What a giving site takes back it knows by the return ticket
(``loans.py``).
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from players.clean_text import is_storable
from tournaments.transfer.faults import FileFault, FileRefused, JsonObject
from tournaments.transfer.shapes import (
    HourShape,
    MaybeShape,
    NumberShape,
    RecordShape,
    Shape,
    TextShape,
    check,
)

KIND = "smazzata-tournament"
VERSION = 1
MAX_FILE_BYTES = 16 * 1024 * 1024  # a danese of 4,096 entries and 12 rounds, played on the site, has 13 MB
MAX_NUMBER = 2**31 - 1
MAX_REVISION = 10**9  # so that there is room to go on from it
HEADER: Mapping[str, Shape] = {
    "kind": TextShape(40, (KIND,)),
    "version": NumberShape(VERSION, VERSION),
    "site": TextShape(32, least=1),  # an opaque id of the site that wrote it
    "site_name": TextShape(80),
    "tournament": TextShape(12, least=1),  # its public id there
    "revision": NumberShape(0, MAX_REVISION),
    "written_at": HourShape(),
    "loan": MaybeShape(
        RecordShape(
            {"site": TextShape(32, least=1), "tournament": TextShape(12, least=1), "ticket": TextShape(64, least=1)}
        )
    ),
}


@dataclass(frozen=True, slots=True)
class LoanSlip:
    """The loan a file belongs to: the site that gave the tournament, its id there, and the return ticket."""

    site: str
    tournament: str
    ticket: str


@dataclass(frozen=True, slots=True)
class Document:
    """A tournament's file: where it comes from, at which revision, and its body."""

    site: str
    site_name: str
    tournament: str
    revision: int
    written_at: str
    loan: LoanSlip | None
    body: JsonObject

    def digest(self) -> str:
        """Return the digest of header and body."""
        return _compute_digest(self._list_contents())

    def encode(self) -> bytes:
        """Return the file."""
        contents = self._list_contents()
        whole = {**contents, "digest": _compute_digest(contents)}
        return write_json(whole)

    def _list_contents(self) -> JsonObject:
        loan = self.loan and {name: getattr(self.loan, name) for name in LoanSlip.__slots__}
        header = {name: getattr(self, name) for name in Document.__slots__ if name not in ("loan", "body")}
        return {"kind": KIND, "version": VERSION, **header, "loan": loan, "body": self.body}


def write_json(contents: JsonObject) -> bytes:
    """Return a file's text, without blanks: they were two fifths of it."""
    return json.dumps(contents, ensure_ascii=False, separators=(",", ":")).encode()


def read_document(data: bytes, body: Shape) -> Document:
    """Return a file's document, its values of the right shape; FileRefused with every fault."""
    if len(data) > MAX_FILE_BYTES:
        raise FileRefused([FileFault("too_big", values={"limit": MAX_FILE_BYTES // 1024 // 1024})])
    try:
        whole = json.loads(
            data, object_pairs_hook=_take_once, parse_constant=_refuse_number, parse_float=_refuse_number
        )
        _require_storable(whole)
    except (ValueError, RecursionError):
        raise FileRefused([FileFault("no_json")]) from None
    if not isinstance(whole, dict) or whole.get("kind") != KIND:
        raise FileRefused([FileFault("no_tournament")])
    if whole.get("version") != VERSION:
        raise FileRefused(
            [FileFault("other_version", values={"version": str(whole.get("version"))[:20], "known": VERSION})]
        )
    digest = whole.pop("digest", None)
    if digest != _compute_digest(whole):
        raise FileRefused([FileFault("damaged")])
    faults: list[FileFault] = []
    check(whole, RecordShape({**HEADER, "body": body}), "", faults)
    if faults:
        raise FileRefused(sorted(faults, key=lambda fault: fault.place))
    loan = whole["loan"]
    parts = {name: whole[name] for name in Document.__slots__ if name != "loan"}
    return Document(**parts, loan=None if loan is None else LoanSlip(**loan))


def _compute_digest(contents: Mapping[str, Any]) -> str:
    canonical = json.dumps(contents, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(canonical.encode()).hexdigest()


def _require_storable(whole: Any) -> None:
    """Raise ValueError for texts that no database keeps."""
    if not is_storable(whole):
        raise ValueError("no text")


def _take_once(pairs: list[tuple[str, Any]]) -> JsonObject:
    """Return an object; ValueError where a name stands twice, of which readers would take one or the other."""
    taken = dict(pairs)
    if len(taken) != len(pairs):
        raise ValueError("a name stands twice")
    return taken


def _refuse_number(text: str) -> Any:
    """Raise ValueError: the format has no fractions and no NaN."""
    raise ValueError(text)
