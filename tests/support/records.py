"""Golden records, the replay command, and the story of a record as lines."""

import io
import json
import sys
from pathlib import Path
from subprocess import CompletedProcess
from unittest.mock import patch

from django.core.management import ManagementUtility

from records import match_narrative
from tests.support.html import read_element

GOLDEN = Path(__file__).parent.parent / "games" / "golden"


def read_golden(name: str) -> dict[str, object]:
    return json.loads((GOLDEN / f"{name}.json").read_text())


RECORDS = [read_golden(name) for name in ("scopa-2-points", "tresette-4-deals", "scopa-2-third-tie-break-level")]


LINES = [json.dumps(record) for record in RECORDS]


RESULTS = [record["result"] for record in RECORDS]


def read_place(page: str) -> tuple[int, int]:
    """Return the move a page of a deal stands at, and the last one."""
    slider = read_element(page, "slider")
    assert slider is not None
    return int(slider["value"]), int(slider["max"])


def run_replay(*arguments: str, stdin: str | bytes = b"") -> "CompletedProcess[bytes]":
    """Run the command; return its output and its exit status."""
    data = stdin.encode("utf-8") if isinstance(stdin, str) else stdin
    command = ["manage.py", "replay", *arguments]
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    status = 0
    given = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")
    with patch.multiple(sys, stdin=given, stdout=out, stderr=err, argv=command):
        try:
            ManagementUtility(command).execute()
        except SystemExit as ended:
            status = int(ended.code or 0)
    return CompletedProcess(command, status, *(stream.buffer.getvalue() for stream in (out, err)))  # type: ignore[attr-defined]


def narrate(record: object) -> str:
    return "\n".join(match_narrative.write_lines(match_narrative.narrate_record(record)))


def filter_sentences(record: object, kind: str) -> list[str]:
    return [
        sentence.text
        for deal in match_narrative.narrate_record(record).deals
        for sentence in deal.sentences
        if sentence.kind == kind
    ]
