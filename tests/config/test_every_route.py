"""Laws over all routes: whatever answers GET answers HEAD alike, and search engines keep nothing but what is listed."""

import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest
import yaml
from django.conf import settings
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from config.search_engines import INDEXED
from players.models import Player
from tests.browser.addresses import Stop, stops
from tests.languages.world import House, furnish
from tests.support.live import Site
from tests.support.people import create_person, sign_in
from tests.support.tournaments import KO
from tournaments.organise import lifecycle

ALWAYS_THEIR_OWN = {
    "Set-Cookie",
    "Content-Security-Policy",
    "Date",
    "Expires",
    "Content-Length",
}  # a nonce, a token, an hour


@dataclass(frozen=True)
class Asked:
    """An address and who asks for it."""

    address: str
    reader: Player | None


def walk(resolver: URLResolver, before: str = "") -> Iterator[tuple[str, URLPattern]]:
    for pattern in resolver.url_patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from walk(pattern, route)
        else:
            yield route, pattern


def list_plain_addresses(house: House) -> Iterator[str]:
    """Every route of paths, an id of the house in each place: most of them answer, the others say that there is
    nothing."""
    known = {"public_id": house.live.public_id, "what": "iscritti", "ruleset": "scopa", "token": "x" * 22}
    for route, pattern in walk(get_resolver()):
        if any(sign in route for sign in "^$(\\"):
            continue
        address = "/" + route
        for name in pattern.pattern.converters:
            start, end = address.index("<"), address.index(">")
            address = address[:start] + known.get(name, "1") + address[end + 1 :]
        yield address


def list_api_addresses(house: House) -> Iterator[str]:
    """Every address of the API that reads, as its document names them."""
    document = yaml.safe_load((settings.BASE_DIR / "docs/api.yaml").read_text())
    for path, operations in document["paths"].items():
        if "get" in operations:
            yield re.sub(r"{(\w+)}", lambda name: house.live.public_id if name[1] == "public_id" else "1", path)


@pytest.fixture
def asked(db: None) -> list[Asked]:
    house = furnish(timezone.now())
    seen: list[Stop] = stops(house)
    routes = [*list_plain_addresses(house), *list_api_addresses(house), "/api/v1/"]
    plain = [Asked(address, reader) for address in routes for reader in (None, house.teresa)]
    return list(dict.fromkeys([*(Asked(stop.address, stop.reader) for stop in seen), *plain]))


@pytest.mark.rule("W8")
@pytest.mark.timeout(600)
def test_every_address_answers_head_as_it_answers_get(asked: list[Asked]) -> None:
    different, kept = [], []
    # Two readers of each: what a page tells once, it tells the first who comes.
    readers = {reader: (sign_in(reader), sign_in(reader)) for reader in {one.reader for one in asked}}
    for one in asked:
        if "logout" in one.address:
            continue
        first, second = readers[one.reader]
        answer, head = first.get(one.address), second.head(one.address)
        told = [
            (response.status_code, {k: v for k, v in response.headers.items() if k not in ALWAYS_THEIR_OWN})
            for response in (answer, head)
        ]
        if told[0] != told[1] or (not head.streaming and head.content):
            different.append((one.address, *told))
        match = answer.resolver_match
        if "noindex" not in answer.headers.get("X-Robots-Tag", "") and match.url_name not in INDEXED:
            kept.append(one.address)
    assert different == []
    assert kept == [], "search engines would keep it"
    assert len(asked) > 150


@pytest.fixture
def page(transactional_db: None) -> str:
    """The address of a tournament's page."""
    anna = create_person("Anna", timezone.now())
    made = lifecycle.create_tournament(organiser=anna, settings=KO, now=timezone.now())
    lifecycle.publish_tournament(tournament_id=made.pk, by=anna, now=timezone.now())
    return f"/tornei/{made.public_id}/"


@pytest.mark.rule("W8")
def test_the_server_answers_head_too_where_it_has_pages_in_memory_and_files(page: str, live_site: Site) -> None:
    for address in (page, page, "/favicon.ico", "/robots.txt", "/sitemap.xml", "/static/css/site.css", "/healthz"):
        connection = HTTPConnection(urlsplit(live_site.url).netloc)
        connection.request("HEAD", address)
        answer = connection.getresponse()
        assert (answer.status, answer.read()) == (200, b""), address
        connection.close()


def test_a_page_is_sent_compressed_to_who_reads_that_and_as_it_is_to_who_does_not(page: str, live_site: Site) -> None:
    for address in ("/impara/", page, page):  # the last from memory
        told = []
        for sent in ({"Accept-Encoding": "gzip"}, {}):
            connection = HTTPConnection(urlsplit(live_site.url).netloc)
            connection.request("GET", address, headers=sent)
            answer = connection.getresponse()
            body = answer.read()
            if answer.headers.get("Content-Encoding") == "gzip":
                assert sent
                body = gzip.decompress(body)
            elif sent:
                assert address == page, "only pages from memory, which are cut for each reader, are sent as they are"
            told.append(body.decode().count("<"))
            connection.close()
        assert told[0] == told[1] > 50, address
