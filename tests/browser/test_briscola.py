"""Briscola at its table, by clicks: the turned card, the stock, the count rank by rank; partners shown at the end.

A game the page has never heard of is played in test_law.py.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.rigged import Lay
from tests.support.browser import collect_complaints

WHOLE = 40  # plays
LEFT = {2: 34, 4: 28}  # cards in the stock at the start, the turned one included
TRICK_SHOWN = 1500  # ms a page leaves a trick lying before it goes on
NAMES = ("Anna", "Bruno", "Carla", "Dino")


@pytest.fixture
def sit(browser: Browser, tables: Lay) -> Iterator[Any]:
    """Seats so many at a table of Briscola, every second one with a telephone; gives their pages."""
    contexts = []

    def seated(count: int, **options: bool) -> list[Page]:
        described = {"ruleset": "briscola", "length": ["deals", 1], "names": NAMES[:count], "options": options}
        rigged = tables(described)
        for seat, name in enumerate(NAMES[:count]):
            size = {"width": 390 if seat % 2 == 0 else 1280, "height": 800}
            contexts.append(rigged.context(browser, name, viewport=size))
        pages = [context.new_page() for context in contexts]
        for page in pages:
            page.clock.install()
            page.goto(rigged.path)
        return pages

    yield seated
    for context in contexts:
        context.close()


def play_first(pages: list[Page]) -> None:
    """Have whoever's turn it is play the first card of their hand, and every page go on."""
    mover = next(page for page in pages if page.locator("#table[data-turn=mine]").count())
    version = int(mover.locator("#table").get_attribute("data-version") or "")
    mover.locator("#hand [data-playable]").first.click()
    mover.locator("#ghosts .ghost").first.click()
    for page in pages:
        page.locator(f'#table[data-version="{version + 1}"]').wait_for()
        page.clock.fast_forward(TRICK_SHOWN)


@pytest.mark.rule("BR1", "BR3", "X2")
@pytest.mark.parametrize("plays", [pytest.param(6), pytest.param(WHOLE, marks=pytest.mark.soak)])
@pytest.mark.parametrize("players", [2, pytest.param(4, marks=pytest.mark.soak)])  # four: test_table_axe.py's scenes
def test_people_play_briscola_with_clicks(sit: Any, players: int, plays: int) -> None:
    pages = sit(players)
    heard = [*map(collect_complaints, pages)]
    for page in pages:
        expect(page.locator("#stock .turned .card")).to_be_visible()
        expect(page.locator("#stock .stock-count")).to_have_text(re.compile(str(LEFT[players])))
        expect(page.locator("#hand [data-card]")).to_have_count(3)
    turned = {page.locator("#stock .turned .card").get_attribute("aria-label") for page in pages}
    assert len(turned) == 1
    for play in range(plays):
        if play == WHOLE - 3 * players:  # the stock is gone; the card is still shown
            for page in pages:
                expect(page.locator("#stock .stock-count")).to_have_text("")
                expect(page.locator("#stock .turned .card")).to_have_attribute("aria-label", next(iter(turned)) or "")
        play_first(pages)
    assert heard == [[] for _ in pages]
    if plays < WHOLE:
        left = LEFT[players] - plays // players * players
        for page in pages:
            expect(page.locator("#stock .stock-count")).to_have_text(re.compile(str(left)))
        return
    for page in pages:
        expect(page.locator("#result")).to_be_visible()
        counted = page.locator("#result-count")
        for code in ("aces", "threes", "kings", "knights", "jacks"):
            expect(counted.locator(f"[data-code={code}]")).to_have_count(1)
        worth = counted.locator("[data-code=card_points] .count-value").all_text_contents()
        assert sum(map(int, worth)) == 120


@pytest.mark.soak
@pytest.mark.rule("BR5")
def test_partners_are_shown_each_others_last_hands_and_nobody_elses(sit: Any) -> None:
    pages = sit(4, mostra_compagno=True)
    for _ in range(WHOLE - 12):
        for page in pages:
            expect(page.locator(".seat[data-place=top] .fan [data-card='back']").first).to_be_attached()
            expect(page.locator(".seat[data-place=top] .fan [data-card]:not([data-card='back'])")).to_have_count(0)
        play_first(pages)
    for page in pages:
        expect(page.locator(".seat[data-place=top] .fan [data-card]:not([data-card='back'])")).to_have_count(3)
        beside = page.locator(".seat:is([data-place=left], [data-place=right]) .fan [data-card='back']")
        assert beside.count() >= 5, "six cards, of which the turned one may be known"
