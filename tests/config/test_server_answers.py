"""Answers of the server itself, from memory and of files, to HEAD and compressed; of all pages: tests/crawl."""

import gzip
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest
from django.utils import timezone

from tests.support.live import Site
from tests.support.people import create_person
from tests.support.tournaments import KO
from tournaments.organise import lifecycle


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
