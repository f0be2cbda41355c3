"""Longer texts of people about their club or tournament: stored as Markdown, shown as harmless HTML.

Two fences stand one behind the other: the parser knows no HTML, and nh3 leaves only the tags, attributes and schemes
named here. There are no pictures: no text makes a reader's browser fetch something. It refuses nothing; whoever stores
a text keeps to ``MAX_MARKDOWN_CHARACTERS``.
"""

import functools
import unicodedata

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token

from players.clean_text import UNSEEN

MAX_MARKDOWN_CHARACTERS = 5000  # characters
TAGS = {
    "p", "br", "hr", "em", "strong", "s", "ul", "ol", "li", "blockquote", "code", "pre", "a",
    "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip
ATTRIBUTES = {"a": {"href"}, "ol": {"start"}}
SCHEMES = ("http://", "https://", "mailto:")
REL = "nofollow noopener ugc"
JOINERS = "\u200c\u200d"  # invisible, and part of words and of pictures made of letters

_parser = MarkdownIt("commonmark", {"html": False, "linkify": False, "breaks": True})
_parser.enable(["table", "strikethrough"]).disable("image")


def clean_text(text: str) -> str:
    """Return ``text`` composed, with its lines, without invisible characters, and with at most two empty lines in a
    row."""
    composed = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
    seen = "".join(
        char for char in composed if char in "\n\t" or char in JOINERS or unicodedata.category(char) not in UNSEEN
    )
    lines = [line.rstrip() for line in seen.split("\n")]
    kept = [line for at, line in enumerate(lines) if line or any(lines[max(0, at - 2) : at])]
    return "\n".join(kept).strip("\n")


@functools.lru_cache(maxsize=256)
def render_html(text: str, below: int = 1) -> str:
    """Return ``text`` as HTML, its headings below those of level ``below``, the page's own."""
    tokens = _parser.parse(text[: 2 * MAX_MARKDOWN_CHARACTERS])
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + below)}"
    unsafe = _parser.renderer.render(_drop_fence_words(tokens), _parser.options, {})
    return nh3.clean(
        unsafe,
        tags=TAGS,
        attributes=ATTRIBUTES,
        attribute_filter=_filter_attribute,
        link_rel=REL,
        url_schemes=_name_schemes(),
    )


def _drop_fence_words(tokens: list[Token]) -> list[Token]:
    """Remove the words after a fence, which would become class names."""
    for token in tokens:
        if token.type == "fence":
            token.info = ""
    return tokens


def _name_schemes() -> set[str]:
    return {scheme.partition(":")[0] for scheme in SCHEMES}


def _filter_attribute(tag: str, name: str, value: str) -> str | None:
    """Return the value of an allowed attribute, else None. Links must begin with a scheme: none leads to an act of the
    reader's."""
    allowed = name == "rel" or name in ATTRIBUTES.get(tag, ())  # the first is of nh3's own making: REL
    return value if allowed and (name != "href" or value.lower().startswith(SCHEMES)) else None
