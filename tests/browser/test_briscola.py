"""The table's page knows no rules: a game it has never heard of is played on it with clicks, trump card and all.

The whole of a game nobody has heard of is played in test_law.py.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.rigged import Rigged, Sites
from tests.support.browser import collect_complaints

WHOLE = 40  # plays
TRICK_SHOWN = 1500  # ms a page leaves a trick lying before it goes on


@pytest.fixture
def table(sites: Sites, tmp_path: Path) -> Iterator[Rigged]:
    """A site with Briscola on offer, and a table of it."""
    offered = {"ruleset": "briscola", "length": ["deals", 1], "names": ["Anna", "Bruno"]}
    with sites.site(tmp_path, {**offered, "offer": "tests.games.briscola.offer"}) as started:
        yield started


@pytest.fixture
def pages(browser: Browser, table: Rigged) -> Iterator[tuple[Page, Page]]:
    """Anna's browser, on a telephone, and Bruno's, both at the table."""
    contexts = [
        table.context(browser, name, viewport={"width": width, "height": 800})
        for name, width in (("Anna", 390), ("Bruno", 1280))
    ]
    opened = [context.new_page() for context in contexts]
    for page in opened:
        page.clock.install()
        page.goto(table.path)
    yield opened[0], opened[1]
    for context in contexts:
        context.close()


@pytest.mark.parametrize("plays", [pytest.param(6), pytest.param(WHOLE, marks=pytest.mark.soak)])
def test_two_people_play_briscola_with_clicks(pages: tuple[Page, Page], plays: int) -> None:
    anna, bruno = pages
    heard = [*map(collect_complaints, pages)]
    for page in pages:
        expect(page.locator("#stock .turned .card")).to_be_visible()
        expect(page.locator("#stock .stock-count")).to_have_text(re.compile("34"))
        expect(page.locator("#hand [data-card]")).to_have_count(3)
    turned = anna.locator("#stock .turned .card").get_attribute("aria-label")
    assert turned == bruno.locator("#stock .turned .card").get_attribute("aria-label")

    for play in range(plays):
        if play == WHOLE - 6:  # the stock is gone; the card is still shown
            for page in pages:
                expect(page.locator("#stock .stock-count")).to_have_text("")
                expect(page.locator("#stock .turned .card")).to_have_attribute("aria-label", turned or "")
        mover = anna if anna.locator("#table[data-turn=mine]").count() else bruno
        version = int(mover.locator("#table").get_attribute("data-version") or "")
        mover.locator("#hand [data-playable]").first.click()
        mover.locator("#ghosts .ghost").first.click()
        for page in pages:
            page.locator(f'#table[data-version="{version + 1}"]').wait_for()
            page.clock.fast_forward(TRICK_SHOWN)

    assert heard == [[], []]
    if plays < WHOLE:
        for page in pages:
            expect(page.locator("#stock .stock-count")).to_have_text(re.compile(str(34 - plays)))
            expect(page.locator("#hand [data-card]")).to_have_count(3)
        return
    scores = []
    for page in pages:
        expect(page.locator("#result")).to_be_visible()
        expect(page.locator("#result-count")).to_contain_text("Punti delle carte")
        scores.append(sorted(map(int, re.findall(r"\d+", page.locator("#result-score").inner_text()))))
    assert scores[0] == scores[1]
    assert sum(scores[0]) == 120
