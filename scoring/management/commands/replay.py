"""``manage.py replay [FILE…|-]``: match records in, one JSON result a line out, in order.

It reads one record a line, or a file that holds a single object over several lines. A record that can't be replayed
gets a result that says where and why, the others are still replayed, and the exit status is then 1. It opens no
database and writes nothing but its output.
"""

import io
import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, BinaryIO, NoReturn

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import words
from games.engine.record import RecordError
from scoring.selectors import result_of_record

STDIN = "-"
BOM = b"\xef\xbb\xbf"
UNREADABLE = {
    FileNotFoundError: gettext_lazy("il file non c'è"),
    IsADirectoryError: gettext_lazy("è una cartella"),
    PermissionError: gettext_lazy("manca il permesso"),
}


class Command(BaseCommand):
    help = "Rigioca verbali di partita, uno per riga, e stampa per ciascuno il risultato in JSON."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="*", metavar="FILE", default=[STDIN], help="un file di verbali, o - (stdin)")

    def handle(self, *args: Any, **options: Any) -> None:
        all_well = True
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")  # JSON is UTF-8, whatever the terminal's locale
        try:
            for answer in map(_answer, chain.from_iterable(map(_texts, options["files"]))):
                all_well = all_well and answer["ok"]
                self.stdout.write(json.dumps(answer, ensure_ascii=False))
            self.stdout.flush()
        except BrokenPipeError:  # whoever reads has had enough, as with ``| head``
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)
        if not all_well:
            sys.exit(1)


def _texts(name: str) -> Iterator[bytes]:
    """The records' texts in a file; ``-`` is the standard input. CommandError if it can't be read."""
    if name == STDIN:
        yield from _records(sys.stdin.buffer)
        return
    try:
        with open(name, "rb") as file:
            yield from _records(file)
    except OSError as error:
        reason = next((text for kind, text in UNREADABLE.items() if isinstance(error, kind)), error.strerror)
        raise CommandError(_("%(name)s: non si può leggere: %(reason)s.") % {"name": name, "reason": reason}) from error


def _records(file: BinaryIO) -> Iterator[bytes]:
    """A text for each record. Only where the first line isn't JSON by itself is the file read whole: then it may be a
    single object over several lines; if it isn't, every line is a record of its own, good or bad."""
    lines = _lines(file)
    first = next(lines, None)
    if first is None:
        return
    if _is_json(first):
        yield from chain([first], lines)
        return
    every = [first, *lines]
    whole = b"\n".join(every)
    yield from [whole] if _is_json(whole) else every


def _lines(file: Iterable[bytes]) -> Iterator[bytes]:
    """The lines that aren't blank, without a byte order mark."""
    for number, line in enumerate(file):
        text = (line.removeprefix(BOM) if number == 0 else line).strip()
        if text:
            yield text


def _is_json(text: bytes) -> bool:
    try:
        _decode(text)
    except RecordError:
        return False
    return True


def _decode(text: bytes) -> object:
    """What JSON makes of a text; RecordError("not_json") for anything that isn't JSON or is too deep to be a record."""
    try:
        return json.loads(text.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise RecordError("not_json") from None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _answer(text: bytes) -> dict[str, Any]:
    try:
        return result_of_record(_decode(text))
    except RecordError as fault:
        return {
            "ok": False,
            "deal": fault.deal,
            "move": fault.move,
            "code": fault.code,
            "error": words.fault(fault.code),
        }
