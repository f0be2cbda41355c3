"""The waiting room of a free table: the square table with its seats, how the others are called, the house last."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from games.engine.game import Length
from games.models import FreeTable
from players.models import Player
from tests.browser.axe import THEMES, faults
from tests.browser.halls import SIDEWAYS, let_in
from tests.browser.layouts import measure
from tests.browser.pictures import take_picture
from tests.support import live
from tests.support.lobby import open_free_table, sit_down_at
from tests.support.people import create_person

TABLE = re.compile(r"/tavoli/(?!nuovo/|libero/)\w+/")
MIDDLES = """() => Object.fromEntries([...document.querySelectorAll(".place")].map((place) => {
  const { x, y, width, height } = place.getBoundingClientRect();
  return [place.dataset.side, [Math.round(x + width / 2), Math.round(y + height / 2)]];
}))"""
Open = Callable[..., Page]


@pytest.fixture
def people(transactional_db: None) -> list[Player]:
    """Peppino, who opens the table, and three others."""
    return [create_person(name, timezone.now()) for name in ("Peppino", "Lia", "Ugo", "Ida")]


@pytest.fixture
def table(people: list[Player]) -> FreeTable:
    """A table in pairs, at which Peppino and Lia sit opposite each other."""
    now = timezone.now()
    waiting = open_free_table(people[0], now, ruleset="tresette", players=4, length=Length("points", 21))
    sit_down_at(waiting, people[1], 2, now)
    return waiting


@pytest.fixture
def open_room(browser: Browser, live_site: live.Site, table: FreeTable) -> Iterator[Open]:
    """Give what opens the room of the table for somebody."""
    contexts = []

    def open_page(reader: Player | None, width: int = 1280, height: int = 800, **more: Any) -> Page:
        viewport = {"width": width, "height": height}
        context = browser.new_context(base_url=live_site.url, viewport=viewport, **more)  # type: ignore[arg-type]
        contexts.append(context)
        if reader is not None:
            let_in(context, reader, live_site.url)
        page = context.new_page()
        page.goto(reverse("free-table", args=[table.public_id]))
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.mark.parametrize("language", ["it-IT", pytest.param("en-GB", marks=pytest.mark.soak)])
def test_partners_sit_opposite_and_sending_the_link_is_the_one_primary_act(
    people: list[Player], open_room: Open, language: str
) -> None:
    page = open_room(people[0], locale=language)
    for width, height in ((1280, 800), (390, 844), (360, 640), (320, 568)):
        page.set_viewport_size({"width": width, "height": height})
        if language == "it-IT" and width in (1280, 390):
            take_picture(page, f"waiting-room-{width}")
        seats = page.evaluate(MIDDLES)
        assert seats["top"][0] == seats["bottom"][0]
        assert seats["left"][1] == seats["right"][1]
        assert page.evaluate(SIDEWAYS) <= 0
        primary = page.locator("main .button:visible:not(.button-plain, .button-outline)")
        expect(primary).to_have_attribute("data-action", "send")
        if width == 390:
            box = measure(primary)
            assert box["y"] + box["height"] <= height - 56
        if language == "it-IT" and width in (1280, 390):
            assert faults(page, THEMES if width == 390 else THEMES[:1]) == []
    if language == "it-IT":
        expect(page.locator(".place[data-side=top]")).to_contain_text("in coppia con te")
        expect(page.locator(".waiting-missing")).to_have_text("Mancano 2")


def test_who_comes_by_the_link_sits_down_and_all_who_waited_see_the_table_full(
    people: list[Player], open_room: Open, table: FreeTable
) -> None:
    host, ugo = open_room(people[0], 390, 844), open_room(people[2], 390, 844)
    expect(ugo.locator("[data-action=sit]")).to_have_count(2)
    expect(ugo.locator("[data-action=unseat]")).to_have_count(0)
    ugo.get_by_role("button", name="Siediti al posto 2").click()
    expect(host.locator(".waiting-missing")).to_have_text("Manca 1")
    host.get_by_role("button", name="Fai alzare Ugo").click()
    expect(host.locator(".waiting-missing")).to_have_text("Mancano 2")
    expect(ugo.locator("[data-action=sit]")).to_have_count(2)
    ugo.get_by_role("button", name="Siediti al posto 2").click()
    expect(host.locator(".waiting-missing")).to_have_text("Manca 1")
    sit_down_at(table, people[3], 3, timezone.now())
    expect(host.locator(".waiting-missing")).to_have_text("Si parte")
    expect(host.locator(".place[data-taken]")).to_have_count(4)
    for page in (host, ugo):
        page.wait_for_url(TABLE)


def test_without_a_script_the_room_reads_and_its_link_is_there(open_room: Open, table: FreeTable) -> None:
    page = open_room(None, java_script_enabled=False)
    expect(page.locator(".call .qr")).to_be_visible()
    expect(page.locator(".call-address")).to_contain_text(table.public_id)
    expect(page.locator("[data-copy]")).to_be_hidden()
    page.get_by_role("button", name="Siediti al posto 4").click()
    expect(page.locator(".waiting-missing")).to_have_text("Manca 1")
