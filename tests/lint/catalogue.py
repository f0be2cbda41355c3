"""The English catalogue is complete and true: nothing untranslated, doubtful or left over, the same places to fill."""

import io
import re
from collections.abc import Iterator
from functools import cache

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from tests.languages.extraction import Key, NotLiteral, find_messages, template_messages
from tests.lint.names import ENGLISH_LINE
from tests.lint.sources import Sources

ENGLISH = "locale/en/LC_MESSAGES/django.po"
TAG = re.compile(r"<[^>]*>")
PLACES = re.compile(r"%\(\w+\)[sd]|\{\w+\}|</?\w+>|%%")
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w+\}")
TEXT_LINE = re.compile(r"\brigh?[ae]\b", re.IGNORECASE)  # a line of text, which is one in English too

# Words both languages write the same way. Anything else that reads the same was forgotten.
SAME = {
    "Asso piglia tutto", "Tresette a perdere", "Accuso", "accuso", "Accusa", "Cappotto", "cappotto", "Morto",
    "Buon gioco", "Collatondrione", "Busso", "Volo", "Striscio", "stillo, pizzico", "secondo, terzo, quarto…",
    "Account", "link", "%(what)s: %(points)s", "MP: %(mp)s. VP: %(vp)s.",
    "Scopa!", "Scopa", "Scopone", "Briscola", "Tresette", "Primiera", "Password", "E-mail", "account", "KO", "VP",
    "Pos.", "ann.", "no",
    "{n} scopa", "{rank} di {suit}", "forfait", "Chat", "MP", "Check-in", "j F Y, H:i", "l j F, H:i", "Africa",
    "America", "Asia", "Australia", "ex aequo", "Menu", "Buchholz", "Sonneborn-Berger",
}  # fmt: skip


@cache
def read_catalogue(sources: Sources) -> Catalog:
    return read_po(io.StringIO(sources[ENGLISH].text), locale="en")


def list_texts(message: Message) -> Iterator[tuple[str, str]]:
    """Yield a message beside its translation; both of each where there is a plural."""
    if isinstance(message.id, str):
        yield message.id, str(message.string)
    else:
        yield from zip(message.id, message.string, strict=True)


def list_messages(sources: Sources) -> list[Message]:
    return [message for message in read_catalogue(sources) if message.id]


def make_key(message: Message) -> Key:
    if isinstance(message.id, str):
        return message.context, message.id, None
    return message.context, message.id[0], message.id[1]


def find_unknown_messages(sources: Sources) -> Iterator[str]:
    """Messages of the code are in the catalogue, and no others: ``make messages`` adds them, to be translated."""
    listed = {make_key(message) for message in list_messages(sources)}
    used: dict[Key, str] = {}
    for source in sources.shipped:
        try:
            used |= dict.fromkeys(find_messages(source.nodes, source.name), source.name)
        except NotLiteral as error:
            yield f"{error}: a message that is put together while the program runs"
    for source in sources.list("templates", endings=(".html", ".txt")):
        used |= dict.fromkeys(template_messages(source.text, source.name), source.name)
    yield from (f"{used[key]}: {key[1]!r} isn't in the catalogue" for key in used.keys() - listed)
    yield from (f"{ENGLISH}: {key[1]!r} is said nowhere" for key in listed - used.keys())


def find_untranslated_messages(sources: Sources) -> Iterator[str]:
    """Messages are all translated, none is doubtful or left over."""
    catalogue = read_catalogue(sources)
    for message in list_messages(sources):
        if not all(text for _, text in list_texts(message)):
            yield f"{message.id!r} isn't translated"
        if message.fuzzy:
            yield f"{message.id!r} is doubtful"
    yield from (f"{key!r} is left over" for key in catalogue.obsolete)


def find_untrue_translations(sources: Sources) -> Iterator[str]:
    """A translation has the same to fill in, the same spaces and last colon, and reads otherwise than the Italian."""
    for message in list_messages(sources):
        for italian, text in list_texts(message):
            if sorted(PLACES.findall(italian)) != sorted(PLACES.findall(text)):
                yield f"{italian!r}: {text!r} has other places to fill"
            if (italian[:1].isspace(), italian[-1:].isspace()) != (text[:1].isspace(), text[-1:].isspace()):
                yield f"{italian!r}: {text!r} has other spaces"
            if italian.endswith(":") != text.endswith(":"):
                yield f"{italian!r}: {text!r} has another end"
            if italian == text and italian not in SAME:
                yield f"{italian!r} reads the same in English: it was forgotten"


def find_plain_punctuation(sources: Sources) -> Iterator[str]:
    """English has typographic apostrophes and quotation marks; only a list of characters names them straight."""
    for message in list_messages(sources):
        for _, text in list_texts(message):
            bare = TAG.sub("", text)
            if "'" in bare.replace("- _ . '", "") or '"' in bare:
                yield repr(text)


def find_lines_in_english(sources: Sources) -> Iterator[str]:
    """Entries are no lines in English either."""
    for message in list_messages(sources):
        texts = list(list_texts(message))
        if not any(TEXT_LINE.search(italian) for italian, _ in texts):
            yield from (text for _, text in texts if ENGLISH_LINE.search(PLACEHOLDER.sub("", text)))


LAWS = (
    find_unknown_messages,
    find_untranslated_messages,
    find_untrue_translations,
    find_plain_punctuation,
    find_lines_in_english,
)
