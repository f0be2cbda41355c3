"""The page of the API: whole, made on the server, and within the site's own security policy."""

import re

import pytest
from django.test import Client

from config.api_page import read_document
from tests.support.html import read_hooks

pytestmark = pytest.mark.django_db

PAGE = "/api/docs/"


@pytest.mark.rule("AP9")
def test_it_names_every_address_and_every_object_u9(client: Client) -> None:
    page = client.get(PAGE).content.decode()
    document = read_document()
    for path, methods in document["paths"].items():
        for method in methods:
            assert page.count(f"{method.upper()} {path}") >= 2, "in the list and at its own heading"
    ids = re.findall(r'id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(ids), "a link that leads nowhere"
    assert set(document["components"]["schemas"]) <= set(ids)


@pytest.mark.rule("AP9")
def test_it_needs_nothing_that_the_policy_forbids_u9(client: Client) -> None:
    answer = client.get(PAGE)
    policy = answer.headers["Content-Security-Policy"]
    assert "unsafe" not in policy
    page = answer.content.decode()
    assert re.findall(r"(?:src|href)=\"(?:https?:)?//(?!testserver)[^\"]*\"", page) == []
    assert [
        tag
        for tag in re.findall(r"<(?:script|style)[^>]*>", page)
        if not re.search(r"nonce=|src=|type=\"application/json\"", tag)
    ] == []
    assert " style=" not in page
    assert client.head(PAGE).status_code == 200
    assert read_hooks(answer, "notice") == []
