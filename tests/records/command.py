"""``manage.py replay`` without a process of its own: the same entrance, the same streams of bytes, the same status."""

import io
import sys
from subprocess import CompletedProcess
from unittest.mock import patch

from django.core.management import ManagementUtility


def replay(*arguments: str, stdin: str | bytes = b"") -> "CompletedProcess[bytes]":
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
