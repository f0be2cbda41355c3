"""Italian is shown as the code has it, and the messages of the code are found: by tests/lint/catalogue.py, which holds
the English catalogue against them."""

import pytest
from babel.messages.pofile import read_po
from django.utils import translation
from django.utils.translation import gettext, ngettext, pgettext

from tests.languages.extraction import ROOT, NotLiteral, python_messages, template_messages


def test_italian_is_shown_as_the_code_has_it() -> None:
    """No library's Italian catalogue has other words for one of ours."""
    with (ROOT / "locale/en/LC_MESSAGES/django.po").open("rb") as file:
        messages = [message for message in read_po(file, locale="en") if message.id]
    with translation.override("it"):
        for message in messages:
            if isinstance(message.id, tuple):
                one, many = message.id
                assert (ngettext(one, many, 1), ngettext(one, many, 2)) == (one, many)
            elif message.context is not None:
                assert pgettext(message.context, message.id) == message.id
            else:
                assert gettext(message.id) == message.id


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
