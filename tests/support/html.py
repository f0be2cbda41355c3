"""The text of a page as a browser reads it, and what its elements carry: how its templates are laid out in lines is
nobody's business, nor how its sentences are worded.

Hooks, which templates put on elements for tests: ``data-notice``, the code of a message about what was just done or
refused; ``data-note``, the code of a sentence that stands on the page; ``data-action``, what a button or a link does.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from html.parser import HTMLParser

from django.forms import BaseForm
from django.http import HttpResponse

BLOCKS = (
    "article|aside|body|button|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-4]|head|header|html|input"
    "|label|legend|li|link|main|meta|nav|ol|option|p|script|section|select|summary|table|tbody|td|tfoot|th|thead|tr|ul"
)
ROUND_BLOCK = re.compile(rf" ?(</?(?:{BLOCKS})\b[^>]*>) ?")
ROUND_CLASS = re.compile(r'class=" ?([^"]*?) ?"')


def drop_layout(html: str) -> str:
    """Return a page without the line breaks and spaces nobody sees: round blocks, inside tags and in their classes."""
    html = re.sub(r" (/?>)", r"\1", " ".join(html.split()))
    return ROUND_BLOCK.sub(r"\1", ROUND_CLASS.sub(r'class="\1"', html))


class Tags(HTMLParser):
    """Start tags of a page, with their attributes."""

    def __init__(self, page: HttpResponse | str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.feed(read_text(page))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))


def read_text(page: HttpResponse | str) -> str:
    return page if isinstance(page, str) else page.content.decode()


@lru_cache(maxsize=8)
def parse_tags(text: str) -> list[tuple[str, dict[str, str]]]:
    """Return the tags of a page, of which a test asks one thing after the other."""
    return Tags(text).tags


def read_attribute(page: HttpResponse | str, name: str, tag: str = "") -> list[str]:
    """Return an attribute's values on a page, in the order of the elements that have it; of one kind if asked."""
    return [attrs[name] for element, attrs in parse_tags(read_text(page)) if name in attrs and tag in ("", element)]


def read_hooks(page: HttpResponse | str, name: str) -> list[str]:
    """Return the values of a page's hooks, in their order: ``notice`` reads ``data-notice``."""
    return read_attribute(page, f"data-{name}")


def read_element(page: HttpResponse | str, id_: str) -> dict[str, str] | None:
    """Return the attributes of the element with this id; None if the page has none."""
    return next((dict(attrs) for _tag, attrs in parse_tags(read_text(page)) if attrs.get("id") == id_), None)


def read_ways(page: HttpResponse | str) -> set[str]:
    """Return the addresses a page leads to: of its links, its forms and its buttons."""
    return {address for name in ("href", "action", "formaction") for address in read_attribute(page, name)}


def read_error_codes(answer: HttpResponse, form: str = "form") -> dict[str, list[str]]:
    """Return the codes of the errors a page's form shows, by field; on top of it: ``__all__``."""
    shown: BaseForm = answer.context[form]  # type: ignore[attr-defined]
    return {field: list(_list_codes(shown, field)) for field in shown.errors}


def _list_codes(form: BaseForm, field: str) -> Iterator[str]:
    for error in form.errors.as_data()[field]:
        yield error.code or ""


class _Fields(HTMLParser):
    """Fields of a page's biggest form, with the values that a browser without a script would send."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.forms: list[dict[str, str]] = [{}]
        self.buttons: list[list[tuple[str, str]]] = [[]]
        self._select, self._text = "", ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        fields, name = self.forms[-1], known.get("name", "")
        if tag == "form":
            self.forms.append({})
            self.buttons.append([])
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select and ("selected" in known or self._select not in fields):
            fields[self._select] = known.get("value", "")
        elif tag == "textarea":
            self._text, fields[name] = name, ""
        elif tag == "button":
            self.buttons[-1].append((name, known.get("value", "")))
        elif tag == "input" and (known.get("type") not in ("radio", "checkbox") or "checked" in known):
            fields[name] = known.get("value", "on" if known.get("type") in ("radio", "checkbox") else "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self._select = ""
        elif tag == "textarea":
            self.forms[-1][self._text] = self.forms[-1][self._text].removeprefix("\n")  # as browsers do
            self._text = ""

    def handle_data(self, data: str) -> None:
        if self._text:
            self.forms[-1][self._text] += data


@lru_cache(maxsize=8)
def parse_fields(text: str) -> _Fields:
    return _Fields(text)


def read_form(page: HttpResponse | str) -> dict[str, str]:
    """Return the names and values that a page's biggest form would send, without those of its buttons."""
    return dict(max(parse_fields(read_text(page)).forms, key=len))


def read_buttons(page: HttpResponse | str) -> list[tuple[str, str]]:
    """Return name and value of the buttons of a page's biggest form; the first is what Enter sends."""
    known = parse_fields(read_text(page))
    return known.buttons[known.forms.index(max(known.forms, key=len))]
