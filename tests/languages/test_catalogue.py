"""The English catalogue is complete and true: nothing untranslated, doubtful or left over, the same places to fill."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from django.utils import translation
from django.utils.translation import gettext, ngettext, pgettext

from tests.languages.extraction import ROOT, Key, NotLiteral, python_messages, said, template_messages

ENGLISH = ROOT / "locale" / "en" / "LC_MESSAGES" / "django.po"
TAG = re.compile(r"<[^>]*>")
PLACES = re.compile(r"%\(\w+\)[sd]|\{\w+\}|</?\w+>|%%")

# Words both languages write the same way. Anything else that reads the same was forgotten.
SAME = {
    "Asso piglia tutto", "Tresette a perdere", "Accuso", "accuso", "Accusa", "Cappotto", "cappotto", "Morto",
    "Buon gioco", "Collatondrione", "Busso", "Volo", "Striscio", "stillo, pizzico", "secondo, terzo, quarto…",
    "Account", "link", "%(what)s: %(points)s", "MP: %(mp)s. VP: %(vp)s.",
    "Scopa!", "Scopa", "Scopone", "Briscola", "Tresette", "Primiera", "Password", "E-mail", "account", "KO", "VP",
    "Pos.", "ann.", "no",
    "{n} scopa", "{rank} di {suit}", "forfait", "Chat", "MP", "Check-in", "j F Y, H:i", "l j F, H:i", "Africa",
    "America", "Asia", "Australia", "ex aequo", "Menu",
}  # fmt: skip


def read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale="en")


@pytest.fixture(scope="module")
def english() -> Catalog:
    return read(ENGLISH)


def texts(message: Message) -> Iterator[tuple[str, str]]:
    """A message beside its translation; both of each where there is a plural."""
    if isinstance(message.id, str):
        yield message.id, str(message.string)
    else:
        yield from zip(message.id, message.string, strict=True)


def messages(catalogue: Catalog) -> Iterator[Message]:
    return (message for message in catalogue if message.id)


def key(message: Message) -> Key:
    if isinstance(message.id, str):
        return message.context, message.id, None
    return message.context, message.id[0], message.id[1]


def test_every_message_of_the_code_is_in_the_catalogue_and_no_other(english: Catalog) -> None:
    """Mended by ``make messages`` and a translation of what it adds."""
    known, used = {key(message) for message in messages(english)}, said()
    assert used - known == set(), "said by the code and not in the catalogue"
    assert known - used == set(), "in the catalogue and said nowhere"


def test_every_message_is_translated_and_none_is_doubtful_or_left_over(english: Catalog) -> None:
    assert [message.id for message in messages(english) if not all(text for _, text in texts(message))] == []
    assert [message.id for message in messages(english) if message.fuzzy] == []
    assert list(english.obsolete) == []


def test_what_is_filled_in_is_the_same_in_both_languages(english: Catalog) -> None:
    different = [
        (italian, text)
        for message in messages(english)
        for italian, text in texts(message)
        if sorted(PLACES.findall(italian)) != sorted(PLACES.findall(text))
    ]
    assert different == []


def test_only_words_common_to_both_languages_read_the_same(english: Catalog) -> None:
    same = {italian for message in messages(english) for italian, text in texts(message) if italian == text}
    assert same - SAME == set()


def test_a_message_keeps_its_spaces_and_its_last_stop(english: Catalog) -> None:
    for message in messages(english):
        for italian, text in texts(message):
            assert (italian[:1].isspace(), italian[-1:].isspace()) == (text[:1].isspace(), text[-1:].isspace()), italian
            assert italian.endswith(":") == text.endswith(":"), italian


def test_english_has_typographic_apostrophes_and_quotation_marks(english: Catalog) -> None:
    """Only a list of characters names them straight."""
    texts_shown = (TAG.sub("", text) for message in messages(english) for _italian, text in texts(message))
    assert [text for text in texts_shown if "'" in text.replace("- _ . '", "") or '"' in text] == []


def test_italian_is_shown_as_the_code_has_it() -> None:
    """No library's Italian catalogue has other words for one of ours."""
    with translation.override("it"):
        for context, message, plural in said():
            if context is not None:
                shown = pgettext(context, message)
            elif plural is not None:
                shown = ngettext(message, plural, 1)
                assert ngettext(message, plural, 2) == plural
            else:
                shown = gettext(message)
            assert shown == message


def test_the_extraction_sees_what_there_is_to_see() -> None:
    code = """
from django.utils.translation import gettext as _, ngettext, pgettext
def words(n):
    return f"{_('Dentro')} e fuori", ngettext("%d carta", "%d carte", n), pgettext("vinte", "V")
"""
    assert set(python_messages(code, "code.py")) == {
        (None, "Dentro", None),
        (None, "%d carta", "%d carte"),
        ("vinte", "V", None),
    }
    page = """{% load i18n %}
  <p title="{% translate 'Titolo' %}">{{ name|default:_("Tavolo") }}</p>
{% blocktranslate count n=n %}{{ n }} asso{% plural %}{{ n }} assi{% endblocktranslate %}
      {% translate "g" context "giorni" %}"""
    assert set(template_messages(page, "page.html")) == {
        (None, "Titolo", None),
        (None, "Tavolo", None),
        (None, "%(n)s asso", "%(n)s assi"),
        ("giorni", "g", None),
    }
    with pytest.raises(NotLiteral):
        list(python_messages("_(name)", "code.py"))
