"""Quit rate on a person's page, and what comes of it said beforehand (U1)."""

from datetime import datetime

import pytest
from django.urls import reverse

from games.services import playing
from players.models import Player
from tests.support.histories import store_history
from tests.support.html import read_hooks
from tests.support.people import sign_in
from tests.support.tables import FIRST, seated

pytestmark = pytest.mark.django_db


@pytest.mark.rule("U1")
def test_everybody_reads_a_quit_rate_that_says_something_on_a_person_s_page(
    anna: Player, bruno: Player, now: datetime
) -> None:
    store_history([anna, bruno], now, [("scopa", (11, 3), day) for day in range(1, 9)])
    match = seated([anna, bruno], now, context="free")
    playing.abandon(match_id=match.pk, seat=0, control=FIRST, confirm=True, client_id=None, now=now)
    assert read_hooks(sign_in(None).get(reverse("person", args=[anna.public_id])), "quits") == [], "of nine matches"
    store_history([anna, bruno], now, [("scopa", (11, 3), 9)])
    pages = [sign_in(None).get(reverse("person", args=[player.public_id])) for player in (anna, bruno)]
    assert [read_hooks(page, "quits") for page in pages] == [["1"], []]
    assert [read_hooks(page, "rate") for page in pages] == [["10"], []]


@pytest.mark.rule("U1")
def test_what_leaving_costs_is_said_at_the_table_and_in_the_lobby(anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now, context="free")
    for address in (reverse("table", args=[match.public_id]), reverse("lobby")):
        assert "quits_count" in read_hooks(sign_in(anna).get(address), "note")
