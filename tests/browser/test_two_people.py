"""Two people, two browsers: a tournament made, entered, played with clicks to the last card, and counted."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import collect_complaints, create_tournament, read_standings_row, sign_up

pytestmark = pytest.mark.usefixtures("swept_site")

PLAYS = 36  # of one deal of Scopa for two


@pytest.fixture
def pages(browser: Browser, base_url: str) -> Iterator[tuple[Page, Page]]:
    """Anna's browser and Bruno's."""
    contexts = [
        browser.new_context(
            base_url=base_url, locale="it-IT", viewport={"width": width, "height": 800}, reduced_motion=motion
        )
        for width, motion in ((1280, "no-preference"), (390, "reduce"))
    ]
    yield contexts[0].new_page(), contexts[1].new_page()
    for context in contexts:
        context.close()


def play_the_deal(anna: Page, bruno: Page) -> None:
    """Play by card and ghost, turn about, to the last card."""
    table = anna.locator("#table[data-turn=mine], #table[data-turn=theirs]")
    expect(table).to_be_visible()
    movers = (anna, bruno) if table.get_attribute("data-turn") == "mine" else (bruno, anna)
    for play in range(PLAYS):
        mover = movers[play % 2]
        expect(mover.locator("#table[data-turn=mine]")).to_be_visible()
        mover.locator("#hand [data-playable]").first.click()
        mover.locator("#ghosts .ghost").first.click()


@pytest.mark.soak
def test_two_people_play_a_whole_match_with_clicks_and_see_it_counted(pages: tuple[Page, Page]) -> None:
    anna, bruno = pages
    heard = [*map(collect_complaints, pages)]
    sign_up(anna, "Anna")
    sign_up(bruno, "Bruno")
    address = create_tournament(anna)
    for page in pages:
        page.goto(address)
        page.get_by_role("button", name="Iscriviti al torneo").click()
        expect(page.locator(".entries, #entries, main").first).to_contain_text("Anna")
    for page in pages:
        page.wait_for_url("**/tavoli/**")  # led there by the tournament's page

    play_the_deal(anna, bruno)

    for page in pages:
        expect(page.locator("#result")).to_be_visible()
    first, second = map(int, re.findall(r"\d+", anna.locator("#result-score").inner_text())[:2])
    anna.get_by_role("link", name="Torna al torneo").first.click()
    anna.locator("label.tab", has_text="Conti").click()
    expect(anna.locator("table.standings")).to_be_visible()
    margins = {}
    for name in ("Anna", "Bruno"):
        row = read_standings_row(anna, name)
        assert row[2] == "1", row
        margins[name] = int(row[6].replace("\u2212", "-").replace("+", ""))
    assert margins["Anna"] == -margins["Bruno"]
    assert abs(margins["Anna"]) == abs(first - second)
    assert heard == [[], []]
