"""Sending on a table, a pair, a tournament (B6): link, WhatsApp and QR code without a script; previews elsewhere."""

from datetime import datetime
from urllib.parse import parse_qs, urlsplit

import pytest
from django.http import HttpResponse
from django.urls import reverse

from players.models import Player
from players.web.qr import draw_qr
from tests.support.html import Tags, read_attribute, read_hooks
from tests.support.lobby import open_free_table
from tests.support.people import sign_in

pytestmark = pytest.mark.django_db


def read_social(page: HttpResponse) -> dict[str, str]:
    """Return what a page tells other sites of itself."""
    return {attrs["property"]: attrs["content"] for _tag, attrs in Tags(page).tags if "property" in attrs}


def read_whatsapp(page: HttpResponse) -> str:
    """Return the words that the page's link to WhatsApp sends."""
    (address,) = [link for link in read_attribute(page, "href", "a") if link.startswith("https://wa.me/")]
    (text,) = parse_qs(urlsplit(address).query)["text"]
    return text


@pytest.mark.rule("B6")
def test_a_table_that_waits_is_sent_on_without_a_script(anna: Player, now: datetime) -> None:
    table = open_free_table(anna, now)
    link = f"http://testserver{reverse('free-table', args=[table.public_id])}"
    page = sign_in(anna).get(reverse("free-table", args=[table.public_id]))
    assert read_whatsapp(page).endswith(link)
    assert draw_qr(link) in page.content.decode()
    assert read_hooks(page, "copy") == [link]
    assert read_hooks(page, "share") == [link]
    (copy,) = [attrs for tag, attrs in Tags(page).tags if tag == "button" and "data-copy" in attrs]
    assert "hidden" in copy, "a script shows what its browser can do"


@pytest.mark.rule("B6")
def test_its_preview_names_table_game_and_who_waits(anna: Player, now: datetime) -> None:
    table = open_free_table(anna, now)
    social = read_social(sign_in(None).get(reverse("free-table", args=[table.public_id])))
    assert "Anna" in social["og:title"]
    assert "Tresette" in social["og:description"]
    assert "Anna" in social["og:description"]
