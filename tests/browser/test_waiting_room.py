"""The waiting room of a free table: the square table with its seats, how the others are called, the house last."""

import os
from collections.abc import Iterator
from datetime import datetime

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect

from games.engine.game import Length
from games.models import FreeTable
from players.models import Player
from players.services.follows import follow_player
from tests.browser.axe import faults
from tests.browser.halls import SIDEWAYS, let_in
from tests.support import live
from tests.support.lobby import open_free_table, sit_down_at
from tests.support.people import create_person

SHOTS = os.environ.get("SHOTS")


def test_shots(live_site: live.Site, request: pytest.FixtureRequest) -> None:
    browser: Browser = request.getfixturevalue("browser")
    now = timezone.now()
    peppino, lia, rocco = (create_person(name, now) for name in ("Peppino", "Lia", "Rocco"))
    table = open_free_table(peppino, now, ruleset="tresette", players=4, length=Length("points", 21))
    sit_down_at(table, lia, 2, now)
    follow_player(player=peppino, followed=rocco, now=now)
    for width, height in ((1280, 800), (390, 844)):
        for scheme in os.environ.get("SCHEMES", "light dark").split():
            context = browser.new_context(
                base_url=live_site.url, viewport={"width": width, "height": height}, color_scheme=scheme
            )
            let_in(context, rocco, live_site.url)
            other = context.new_page()
            other.goto(reverse("free-table", args=[table.public_id]))
            other.wait_for_timeout(600)
            other.screenshot(path=f"{SHOTS}/room-guest-{width}-{scheme}.png")
            context2 = browser.new_context(
                base_url=live_site.url, viewport={"width": width, "height": height}, color_scheme=scheme
            )
            let_in(context2, peppino, live_site.url)
            page = context2.new_page()
            page.wait_for_timeout(3500)
            page.goto(reverse("free-table", args=[table.public_id]))
            page.wait_for_timeout(600)
            page.screenshot(path=f"{SHOTS}/room-{width}-{scheme}.png", full_page=True)
            print(page.evaluate(SIDEWAYS), faults(page))
            context.close()
            context2.close()
