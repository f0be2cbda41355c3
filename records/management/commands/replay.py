"""``manage.py replay [FILE…|-]``: match records in, one JSON result a line out, in order; or, with ``--explain``, the
narrative of each match, an empty line after each.

It reads one record a line, or a file that holds a single object over several lines. A record that can't be replayed
gets a result that says where and why, the others are still replayed, and the exit status is then 1. It opens no
database and writes nothing but its output.
"""

import io
import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, BinaryIO

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from games.engine.record import RecordError
from records import match_narrative
from records.results import decode, replay_text

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
        parser.add_argument("--explain", action="store_true", help="racconta ogni partita a parole, invece del JSON")
        languages = [code for code, _name in settings.LANGUAGES]
        parser.add_argument("--language", choices=languages, default=settings.LANGUAGE_CODE, help="la lingua")

    def handle(self, *args: Any, **options: Any) -> None:
        write = _write_narrative if options["explain"] else _write_result
        with override(options["language"]):
            self._replay(chain.from_iterable(map(_read_texts, options["files"])), write)

    def _replay(self, texts: Iterable[bytes], write: Callable[[bytes], tuple[bool, str]]) -> None:
        all_replayed = True
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")  # JSON is UTF-8, whatever the terminal's locale
        try:
            for replayed, answer in map(write, texts):
                all_replayed = all_replayed and replayed
                self.stdout.write(answer)
            self.stdout.flush()
        except BrokenPipeError:  # whoever reads has had enough, as with ``| head``
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)
        if not all_replayed:
            sys.exit(1)


def _write_result(text: bytes) -> tuple[bool, str]:
    """Return True if a record could be replayed, and its result in JSON."""
    result = replay_text(text)
    return result["ok"], json.dumps(result, ensure_ascii=False)


def _write_narrative(text: bytes) -> tuple[bool, str]:
    """Return True if a record could be replayed, and its narrative as plain text."""
    narrative = match_narrative.narrate_text(text)
    return narrative.fault is None, "\n".join(match_narrative.write_lines(narrative)) + "\n"


def _read_texts(name: str) -> Iterator[bytes]:
    """Yield the records' texts of a file; ``-`` is the standard input. CommandError if it can't be read."""
    if name == STDIN:
        yield from _split_records(sys.stdin.buffer)
        return
    try:
        with open(name, "rb") as file:
            yield from _split_records(file)
    except OSError as error:
        reason = next((text for kind, text in UNREADABLE.items() if isinstance(error, kind)), error.strerror)
        raise CommandError(_("%(name)s: non si può leggere: %(reason)s.") % {"name": name, "reason": reason}) from error


def _split_records(file: BinaryIO) -> Iterator[bytes]:
    """Yield a text for each record.

    The file is read whole only where the first line isn't JSON by itself: then it may be a single object over several
    lines; if it isn't, every line is a record of its own, good or bad.
    """
    lines = _read_lines(file)
    first = next(lines, None)
    if first is None:
        return
    if _is_json(first):
        yield from chain([first], lines)
        return
    every = [first, *lines]
    whole = b"\n".join(every)
    yield from [whole] if _is_json(whole) else every


def _read_lines(file: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines that aren't blank, without a byte order mark."""
    for number, line in enumerate(file):
        text = (line.removeprefix(BOM) if number == 0 else line).strip()
        if text:
            yield text


def _is_json(text: bytes) -> bool:
    try:
        decode(text)
    except RecordError:
        return False
    return True
