"""Addresses asked by whoever doesn't simply open a page: programs that want its head alone, people who type the
address of an act, browsers and crawlers with questions of their own."""

from datetime import datetime

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from players.models import Player
from tests.support.html import read_ways
from tests.support.tournaments import PAIRS
from tournaments.models import Tournament
from tournaments.organise import lifecycle

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament(anna: Player, now: datetime) -> Tournament:
    made = lifecycle.create_tournament(organiser=anna, settings=PAIRS, now=now)
    return lifecycle.publish_tournament(tournament_id=made.pk, by=anna, now=now)


def test_who_opens_the_address_of_an_act_gets_a_page_with_a_way_back(
    client: Client, tournament: Tournament, anna: Player
) -> None:
    above = reverse("tournament", args=[tournament.public_id])
    client.force_login(anna.user)
    acts = {
        reverse("language"): "/",
        reverse("tournament-join", args=[tournament.public_id]): above,
        reverse("pair-house", args=[tournament.public_id]): reverse("pair", args=[tournament.public_id]),
        reverse("sessions-end"): reverse("sessions"),
    }
    for act, back in acts.items():
        for language, words in (("it", "Qui non c'è una pagina"), ("en", "There is no page here")):
            answer = client.get(act, headers={"accept-language": language})
            assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
            assert words in answer.content.decode()
            assert back in read_ways(answer.content.decode())
    assert client.get(reverse("language"), headers={"accept": "application/json"}).content == b"", "a script"
    assert Client().get(reverse("language")).status_code == 405


def test_an_address_the_api_does_not_have_is_refused_as_the_api_refuses(client: Client) -> None:
    for address in ("/api/v1/nope", "/api/v1/nope/", "/api/nope"):
        answer = client.get(address)
        assert (answer.status_code, answer.json()["code"], answer.json()["detail"][-1]) == (404, "not_found", ".")
    assert client.get("/nope").headers["Content-Type"].startswith("text/html")


def test_crawlers_are_told_what_is_not_for_them_and_browsers_get_the_icon(client: Client) -> None:
    rules = client.get("/robots.txt")
    assert rules.headers["Content-Type"] == "text/plain"
    said = rules.content.decode()
    kept_out = [line.removeprefix("Disallow: ") for line in said.splitlines() if line.startswith("Disallow: ")]
    ways = (reverse("account_login"), reverse("preferences"), reverse("tournament-new"), "/api/v1/")
    assert all(any(way.startswith(path) for path in kept_out) for way in ways)
    public = (reverse("home"), reverse("clubs"), reverse("rules"), reverse("tournament", args=["abcdefghij"]))
    assert not any(page.startswith(path) for path in kept_out for page in public)
    assert f"Sitemap: {settings.SITE_URL}/sitemap.xml" in said
    icon = client.get("/favicon.ico")
    assert (icon.status_code, icon.headers["Content-Type"], icon.content[:4]) == (200, "image/x-icon", b"\0\0\1\0")
