"""Sheets that import others: their text as one, their refusals, and what is left out when they are sent."""

import pytest

from config.bundle import Unbundled
from config.stylesheets import join_imports, squeeze


def join(**sheets: str) -> str:
    return join_imports(
        "css/main.css", {f"css/{name.replace('__', '/')}.css": text for name, text in sheets.items()}.__getitem__
    )


def test_what_a_sheet_imports_stands_in_the_imports_place() -> None:
    text = join(
        main='/* all */\n@import url("tokens.css");\n@import url("components/chip.css");\n',
        tokens=":root {\n  --a: 1;\n}\n",
        components__chip='@import url("../dot.css");\n.chip {\n  order: var(--a);\n}\n',
        dot=".dot {\n}\n",
    )
    assert text == "/* all */\n:root {\n  --a: 1;\n}\n.dot {\n}\n.chip {\n  order: var(--a);\n}\n"


@pytest.mark.parametrize(
    "odd",
    [
        '@import url("a.css") print;',
        '@import "a.css";',
        "@import url(a.css);",
        '  @import url("a.css");',
        '@charset "utf-8";',
        '@import url("deeper/a.css");\n',
        '@import url("main.css");\n',
    ],
)
def test_what_is_not_read_is_refused(odd: str) -> None:
    with pytest.raises(Unbundled):
        join(main=f"{odd}\n", a="p {\n}\n", deeper__a='p {\n  background: url("near.svg");\n}\n')


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("/* it's */\na  b,\nc {\n  color: red; /* \" */\n}\n", "a b,c{color:red;}"),
        ('p::before {\n  content: "a ;  /* b */";\n}', 'p::before{content:"a ;  /* b */";}'),
        ("a :is(b, c) > d {\n  top: calc(1px + 2 * 3px);\n}", "a :is(b,c) > d{top:calc(1px + 2 * 3px);}"),
        ("@media (width < 37.5rem) and (height >= 30rem) {\n}", "@media (width < 37.5rem) and (height >= 30rem){}"),
    ],
)  # fmt: skip
def test_a_sheet_is_sent_without_comments_and_with_no_more_space_than_it_needs(written: str, sent: str) -> None:
    assert squeeze(written) == sent
    assert squeeze(sent) == sent
