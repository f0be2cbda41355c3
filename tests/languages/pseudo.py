"""A language in which every message stands in ⟦brackets⟧: whatever a page shows outside them never went by a catalogue.

Its catalogue is made from our English one and from those of the libraries whose words people read, and compiled like
any other; the product runs with it as it does with English.
"""

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from unittest.mock import patch

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.conf.locale import LANG_INFO
from django.test import override_settings

from config.launcher.prepare import compile_messages
from tests.languages.extraction import ROOT

CODE = "xx"
OPEN, CLOSE = "⟦", "⟧"
LIBRARIES = ("django/conf", "django/contrib/auth", "django/contrib/humanize", "allauth")
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
BRACKETS = re.compile(f"([{OPEN}{CLOSE}])")
WORD = re.compile(r"[^\W\d_]+")

# What is the same in every language: the product, the two kinds of points, kinds of files.
NAMES = {"Smazzata", "WhatsApp", "MP", "VP", "CSV", "XLSX", "JSON"}

# What a page hands to its scripts in codes and addresses: where cards are drawn, what the reader prefers, frames.
IN_CODES = frozenset({"sprite", "preferences", "frames", "hint", "faces"})
# Elements with a table's first frame, with a record, and with the commitments of rounds.
WITHOUT_WORDS = {"table-first", "table-past", "deck-check-record", "mixing-commitments", "draw-check-draw"}

# What of an element is read by people, beside its text.
ATTRIBUTES = {
    "aria-label", "aria-roledescription", "aria-valuetext", "title", "alt", "placeholder", "label",
    "data-title", "data-table-title", "data-table-link", "data-days",
}  # fmt: skip


def wrapped(text: str) -> str:
    """Return the message in brackets; a line break of a library's at its end stays at the end."""
    body = text.rstrip("\n")
    return f"{OPEN}{body}{CLOSE}{text[len(body) :]}"


def _sources() -> Iterator[Path]:
    yield ROOT / "locale" / "en" / "LC_MESSAGES" / "django.po"
    for library in LIBRARIES:
        package, _, folder = library.partition("/")
        spec = find_spec(package)
        assert spec is not None
        assert spec.submodule_search_locations is not None
        yield Path(spec.submodule_search_locations[0]) / folder / "locale" / "en" / "LC_MESSAGES" / "django.po"


def make_catalogue(folder: Path) -> Path:
    """Write a catalogue of every known message, in brackets, compiled below ``folder``, and return the folder."""
    made = Catalog(locale=None)
    for source in _sources():
        with source.open("rb") as file:
            for message in read_po(file, locale="en"):
                if message.id:
                    ids = message.id if isinstance(message.id, tuple) else (message.id,)
                    texts = tuple(wrapped(text) for text in ids)
                    made.add(message.id, texts if len(texts) > 1 else texts[0], context=message.context)
    target = folder / CODE / "LC_MESSAGES" / "django.po"
    target.parent.mkdir(parents=True)
    with target.open("wb") as file:
        write_po(file, made)
    compile_messages(folder)
    return folder


@contextmanager
def spoken(catalogue: Path) -> Iterator[None]:
    """The product knows the language, and it is everybody's who didn't choose one."""
    changed = {
        "LANGUAGES": [*settings.LANGUAGES, (CODE, "Pseudo")],
        "LOCALE_PATHS": [*settings.LOCALE_PATHS, str(catalogue)],
        "LANGUAGE_CODE": CODE,
    }
    about = {"bidi": False, "code": CODE, "name": "Pseudo", "name_local": wrapped("Pseudo")}
    with patch.dict(LANG_INFO, {CODE: about}), override_settings(**changed):
        yield


class _Reader(HTMLParser):
    """Gathers what people read of a page: its text, some attributes, and the words it hands to its scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.text: list[str] = []
        self.pieces: list[str] = []
        self.links: list[str] = []
        self._open: list[str] = []
        self._left_out = 0  # how deep the element is that isn't in the page's language: code, another language

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "a" and given.get("href", "").startswith("/"):
            self.links.append(given["href"])
        if tag not in VOID:
            is_words = given.get("type") == "application/json" and given.get("id") not in WITHOUT_WORDS
            self._open.append("json" if is_words else tag)
            if not self._left_out and (tag == "code" or given.get("lang", CODE) != CODE):
                self._left_out = len(self._open)
        if self._left_out:
            return
        self.pieces += [value for name, value in given.items() if name in ATTRIBUTES]
        if tag == "meta" and given.get("name") == "description":
            self.pieces.append(given["content"])
        if given.get("type") in ("submit", "button", "reset") and tag == "input":
            self.pieces.append(given.get("value", ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._open and tag not in VOID:
            self._open.pop()
            if len(self._open) < self._left_out:
                self._left_out = 0

    def handle_data(self, data: str) -> None:
        inside = self._open[-1] if self._open else ""
        if inside == "json":
            self.pieces += strings(json.loads(data), IN_CODES)
        elif inside not in ("script", "style", "textarea") and not self._left_out:
            self.text.append(data)


def strings(value: object, but: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield every string inside a JSON value but the keys, and but those under some keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, part in value.items():
            if key not in but:
                yield from strings(part, but)
    elif isinstance(value, list):
        for part in value:
            yield from strings(part, but)


def outside(text: str) -> str:
    """Return the text outside the brackets, which may hold each other."""
    kept, depth = [], 0
    for piece in BRACKETS.split(text):
        if piece in (OPEN, CLOSE):
            depth += 1 if piece == OPEN else -1
        elif depth == 0:
            kept.append(piece)
    return "".join(kept)


def raw_words(texts: Iterable[str], names: Iterable[str] = ()) -> set[str]:
    """The words of these texts that no catalogue gave, but for those of ``names``, which people gave."""
    words = {word for text in texts for word in WORD.findall(outside(text))}
    return words - NAMES - find_words(frozenset(names)) if words else words


@lru_cache(maxsize=8)
def find_words(names: frozenset[str]) -> frozenset[str]:
    """Return the words of names: the same ones for hundreds of pages."""
    return frozenset(word for name in names for word in WORD.findall(name))


def read(page: str, names: Iterable[str] = ()) -> tuple[set[str], list[str]]:
    """Return the words of a page that aren't in brackets, and the addresses it links to."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return raw_words(["\n".join(reader.text), *reader.pieces], names), reader.links
