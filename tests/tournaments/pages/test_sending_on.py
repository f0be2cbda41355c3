"""Sending on a tournament and a pair (B6): link, WhatsApp and QR code without a script; previews elsewhere."""

from datetime import datetime
from urllib.parse import parse_qs, urlsplit

import pytest
from django.http import HttpResponse
from django.urls import reverse

from players.models import Player
from tests.support.html import Tags, read_attribute, read_hooks
from tests.support.people import sign_in
from tests.support.tournaments import GIRONE, PAIRS, Opened
from tournaments.entries.pairs import enter_pair

pytestmark = pytest.mark.django_db


def read_social(page: HttpResponse) -> dict[str, str]:
    """Return what a page tells other sites of itself."""
    return {attrs["property"]: attrs["content"] for _tag, attrs in Tags(page).tags if "property" in attrs}


def read_whatsapp(page: HttpResponse) -> str:
    """Return the words that the page's link to WhatsApp sends."""
    (address,) = [link for link in read_attribute(page, "href", "a") if link.startswith("https://wa.me/")]
    (text,) = parse_qs(urlsplit(address).query)["text"]
    return text


def test_a_tournament_is_sent_on_with_its_name(opened: Opened) -> None:
    tournament = opened(GIRONE, name="Coppa di maggio")
    page = sign_in(None).get(reverse("tournament", args=[tournament.public_id]))
    text = read_whatsapp(page)
    assert text.startswith("Coppa di maggio http://testserver/")
    assert reverse("tournament-qr", args=[tournament.public_id]) in read_attribute(page, "href", "a")


def test_a_pair_is_sent_on_to_whom_the_link_is_for(opened: Opened, anna: Player, now: datetime) -> None:
    tournament = opened(PAIRS, name="Coppa di coppie")
    entry = enter_pair(tournament_id=tournament.pk, player=anna, partner=None, now=now)
    page = sign_in(anna).get(reverse("tournament", args=[tournament.public_id]))
    link = f"http://testserver{reverse('pair-link', args=[tournament.public_id, entry.token])}"
    assert link in read_attribute(page, "value", "input")
    assert link in read_hooks(page, "copy")
    social = read_social(sign_in(None).get(link))
    assert "Anna" in social["og:title"]
    assert "Coppa di coppie" in social["og:description"]
