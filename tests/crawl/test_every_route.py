"""Laws over all addresses: HEAD is answered as GET, search engines keep nothing but what is listed, no link leads
nowhere, and nothing is a fault of ours."""

import re

import pytest

from config.search_engines import INDEXED
from tests.crawl.walk import Crawl, find_view

# A nonce, a token, an hour.
ALWAYS_THEIR_OWN = {"Set-Cookie", "Content-Security-Policy", "Date", "Expires", "Content-Length", "X-Hour"}
FOUND = (200, 301, 302)
WITHOUT_A_WORKER = {"readyz"}  # says that nothing sweeps here


def test_nothing_that_is_only_looked_at_is_a_fault_of_ours(crawl: Crawl) -> None:
    faults = [str(one) for one in crawl.answers.values() if one.status >= 500 and one.view not in WITHOUT_A_WORKER]
    assert faults == []
    assert len(crawl.answers) > 400


@pytest.mark.rule("W8")
def test_every_address_answers_head_as_it_answers_get(crawl: Crawl) -> None:
    different = []
    for answer, head in crawl.heads:
        told = [
            (one.status, {name: value for name, value in one.headers.items() if name not in ALWAYS_THEIR_OWN})
            for one in (answer, head)
        ]
        if told[0] != told[1] or head.has_body:
            different.append((answer.address, *told, head.has_body))
    assert different == []
    asked = {answer.view for answer, _head in crawl.heads}
    assert asked >= {one.view for one in crawl.answers.values() if one.status != 405}


@pytest.mark.rule("W8")
def test_search_engines_keep_nothing_but_what_is_listed(crawl: Crawl) -> None:
    kept = [
        one for one in crawl.answers.values() if not one.fault and "noindex" not in one.headers.get("X-Robots-Tag", "")
    ]
    assert [str(one) for one in kept if one.view not in INDEXED] == [], "search engines would keep it"
    assert {one.view for one in kept if one.status == 200} | {"person"} == INDEXED, "of a person: test_search_engines"


def test_no_link_leads_nowhere(crawl: Crawl) -> None:
    pages = [one for one in crawl.answers.values() if one.status in FOUND]
    followed = {(page.reader, link) for page in pages for link in page.links} & set(crawl.answers)
    assert [str(crawl.answers[key]) for key in followed if crawl.answers[key].status not in FOUND] == []
    assert len(followed) > 200
    links = {link for page in pages for link in page.links}
    assert [link for link in links if not find_view(link)] == [], "there is no such address"


def test_pages_need_nothing_that_their_policy_forbids(crawl: Crawl) -> None:
    """No script and no style but the page's own, nothing from elsewhere: whatever else stood there would do nothing."""
    wrong = []
    for page in crawl.list_pages():
        tags = re.findall(r"<(?:script|style)\b[^>]*>", page.text)
        if (
            "unsafe" in page.headers["Content-Security-Policy"]
            or re.search(
                r"<(?:script|link|img|iframe|use)\b[^>]* (?:src|href)=\"(?:https?:)?//(?!testserver)", page.text
            )
            or [tag for tag in tags if not re.search(r"nonce=|src=|type=\"application/json\"", tag)]
            or re.search(r"<[a-z][^>]* (?:style|on[a-z]+)=", page.text)
        ):
            wrong.append(str(page))
    assert wrong == []
