"""A site on a laptop: the address that telephones of the same network reach (O9)."""

from datetime import datetime

import pytest
from django.test import Client, override_settings
from django.urls import reverse

from players.web.addresses import is_loopback
from tests.support.html import read_hooks
from tests.support.standings import create_field
from tests.support.tournaments import GIRONE, Opened

pytestmark = [pytest.mark.django_db]

IN_THE_HALL = override_settings(SITE_URL="http://192.168.1.20:8000")


@pytest.mark.rule("O9")
@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "[::1]:8000", "192.168.1.20:8000"])
def test_addresses_read_on_the_laptop_are_those_that_telephones_reach_o9(
    opened: Opened, organisers: Client, now: datetime, host: str
) -> None:
    tournament = create_field(opened, GIRONE, 4, now)
    reached = f"http://192.168.1.20:8000{reverse('tournament', args=[tournament.public_id])}"
    with IN_THE_HALL:
        hall = organisers.get(reverse("tournament-hall", args=[tournament.public_id]), headers={"host": host})
        assert hall.context["network_address"] == reached
        assert {"network", "plain_http"} <= set(read_hooks(hall, "note"))
        poster = organisers.get(reverse("tournament-qr", args=[tournament.public_id]), headers={"host": host})
        assert poster.context["join"] == reached


@pytest.mark.rule("O9")
def test_a_site_that_only_this_machine_reaches_says_how_to_open_it_o9(
    opened: Opened, organisers: Client, now: datetime
) -> None:
    tournament = create_field(opened, GIRONE, 4, now)
    page = reverse("tournament-hall", args=[tournament.public_id])
    with override_settings(SITE_URL="http://127.0.0.1:8000"):
        assert "alone" in read_hooks(organisers.get(page, headers={"host": "127.0.0.1:8000"}), "note")
    with override_settings(SITE_URL="https://carte.example"):
        public = organisers.get(page, headers={"host": "carte.example"}, secure=True)
    assert not {"alone", "network"} & set(read_hooks(public, "note"))


@pytest.mark.rule("O9")
def test_the_loopback_is_known_by_any_of_its_names_o9() -> None:
    assert all(map(is_loopback, ("localhost", "LOCALHOST:80", "127.0.0.1", "127.1.2.3:8000", "[::1]:8000")))
    assert not any(map(is_loopback, ("192.168.1.20:8000", "carte.example", "localhost.example", "")))
