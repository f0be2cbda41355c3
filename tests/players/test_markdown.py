"""Texts in Markdown: what may be said, and what nobody gets past the two fences."""

import re

import pytest
from django.template import Context, Template

from players.markdown import MAX_MARKDOWN_CHARACTERS, REL, TAGS, clean_text, render_html

LINK = f'<a href="https://example.org/" rel="{REL}">qui</a>'


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Si gioca *sempre*.", "<p>Si gioca <em>sempre</em>.</p>"),
        ("uno\ndue", "<p>uno<br>\ndue</p>"),
        ("[qui](https://example.org/)", f"<p>{LINK}</p>"),
        ("<https://example.org/>", f'<p><a href="https://example.org/" rel="{REL}">https://example.org/</a></p>'),
        ("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"),
        ("3. terzo", '<ol start="3">\n<li>terzo</li>\n</ol>'),
        ("~~no~~", "<p><s>no</s></p>"),
        ("a < b & c", "<p>a &lt; b &amp; c</p>"),
        ("```js\nalert(1)\n```", "<pre><code>alert(1)\n</code></pre>"),
    ],
)
def test_what_one_may_write(text: str, shown: str) -> None:
    assert render_html(text).strip() == shown


def test_headings_stand_below_the_pages_own() -> None:
    assert render_html("# Uno\n\n###### Sei").split("\n")[:2] == ["<h2>Uno</h2>", "<h6>Sei</h6>"]
    assert render_html("# Uno", 2) == "<h3>Uno</h3>\n"


HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](https://example.org/pixel.png)",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](&#x6A;&#x61;vascript:alert(1))",
    "[x](\u0001javascript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:msgbox)",
    "[x](file:///etc/passwd)",
    "[x](//example.org/)",
    "[x](/tornei/abc/annulla/)",
    "[x](https&#58;//e.org)[y](ｊavascript:alert(1))",
    "<javascript:alert(1)>",
    "[x]: javascript:alert(1)\n\n[x]",
    '[x](https://e.org/ "t\\" onmouseover=alert(1) x=\\"")',
    '[x](https://e.org/" onclick="alert(1))',
    "<a href='javascript:alert(1)'>x</a>",
    "<svg/onload=alert(1)>",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "`<script>alert(1)</script>`",
    "<style>*{display:none}</style>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "> " * 400 + "fondo",
    "[" * 2000 + "](https://e.org)" * 100,
    "*" * 4000,
    "- " * 1500 + "x",
    "|a|b|\n|:--|--:|\n|<b>1</b>|<script>|",
    "```\"><script>alert(1)</script>\nx\n```",
    "\u202egnp.exe\u202c [\u200bx](https://e.org/\u202e)",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_written_becomes_code(text: str) -> None:
    for shown in (render_html(text), render_html(clean_text(text))):
        for tag, attributes in re.findall(r"<\s*/?\s*([^\s>/]+)([^>]*)>", shown):
            assert tag in TAGS, shown
            for name, value in re.findall(r'([\w-]+)="([^"]*)"', attributes):
                assert name in ("href", "rel", "start"), shown
                assert name != "href" or value.lower().startswith(("http://", "https://", "mailto:")), shown
            assert not re.sub(r'\s(?:href|rel|start)="[^"]*"', "", attributes).strip(" /"), shown
        assert shown.count("<a ") == shown.count(f'rel="{REL}">')


def test_a_text_is_kept_without_what_cannot_be_seen() -> None:
    assert clean_text("a\u202eb\u200bc\x00\r\nd  \r\n\r\n\r\n\r\n\r\ne\n\n") == "abc\nd\n\n\ne"
    assert clean_text("\n \n") == ""
    assert clean_text("    codice\n\tx") == "    codice\n\tx"


def test_the_longest_text_is_shown_at_once() -> None:
    for text in ("a **b** [c](https://e.org) ", "<", "![[", "&#", "`", "|a\n|-\n"):
        longest = (text * MAX_MARKDOWN_CHARACTERS)[:MAX_MARKDOWN_CHARACTERS]
        assert len(render_html(longest)) < 100 * MAX_MARKDOWN_CHARACTERS


def test_a_template_shows_it_and_escapes_nothing_twice() -> None:
    shown = Template("{% load texts %}{{ text|markdown:2 }}").render(Context({"text": "# A & B\n\n<b>"}))
    assert shown == "<h3>A &amp; B</h3>\n<p>&lt;b&gt;</p>\n"
