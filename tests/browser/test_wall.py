"""The wall screen in a real browser (O7): sheets that turn, a new round, and a line that is lost."""

import re
from collections.abc import Iterator
from datetime import datetime

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support import live
from tests.support.browser import NOTE_LOCKS, is_awake
from tests.support.real_tables import draw_real, list_round, publish_next
from tests.support.standings import write_result
from tests.support.tournaments import Opened
from tests.support.waiting import until
from tournaments.models import Tournament
from tournaments.running.results import advance


@pytest.fixture
def evening(opened: Opened, now: datetime) -> Tournament:
    """A danese of 24, of which the first round is drawn."""
    return draw_real(opened, 24, now, format="danese", format_options={"rounds": 3})


@pytest.fixture
def screen(browser: Browser, live_site: live.Site, evening: Tournament) -> Iterator[Page]:
    """The screen as a projector shows it, to nobody in particular."""
    context = browser.new_context(base_url=live_site.url, locale="it-IT", viewport={"width": 1920, "height": 1080})
    context.add_init_script(NOTE_LOCKS)
    page = context.new_page()
    page.goto(f"/tornei/{evening.public_id}/schermo/")
    yield page
    context.close()


def find_sheet(page: Page) -> str:
    """The sheet that is shown; there is never more than one."""
    sheets = page.locator(".wall-sheet:visible")
    expect(sheets).to_have_count(1)
    return sheets.get_attribute("data-sheet") or ""


@pytest.mark.rule("O7")
def test_a_room_sees_one_sheet_at_a_time_the_next_round_and_the_hour_of_the_last_picture(
    screen: Page, evening: Tournament, now: datetime
) -> None:
    until(lambda: is_awake(screen), what="a screen that nobody touches for hours")
    sheets = []
    for _ in range(5):
        sheets.append(find_sheet(screen))
        assert screen.locator("#wall-start").evaluate("e => e.getBoundingClientRect().bottom <= innerHeight"), (
            "nobody is there to scroll"
        )
        screen.keyboard.press("ArrowRight")
    assert sheets == ["tables-1", "tables-2", "names-1", "names-2", "tables-1"]
    screen.get_by_role("button", name="Ferma le pagine").click()
    assert find_sheet(screen) == "tables-2"

    for fixture in list_round(evening, 1):
        write_result(fixture, (15, 5), (10, -10), now)
    advance(tournament_id=evening.pk, now=now)
    expect(screen.locator(".wall-points", has_text="30–20").first).to_be_attached()
    assert find_sheet(screen) == "tables-2", "what is read isn't taken away"
    publish_next(evening, now)
    expect(screen.locator("#live")).to_have_attribute("data-round", "2")
    expect(screen.locator("[data-sheet=tables-1]")).to_be_visible()

    picture = screen.locator(".wall-sheet:visible").inner_text()
    screen.context.set_offline(True)
    expect(screen.locator("#wall-lost")).to_be_visible()
    expect(screen.locator("#wall-lost time")).to_have_text(re.compile(r"^\d\d:\d\d$"))
    assert screen.locator(".wall-sheet:visible").inner_text() == picture
    screen.context.set_offline(False)
    expect(screen.locator("#wall-lost")).to_be_hidden()


@pytest.mark.rule("O7")
def test_a_long_name_and_two_clocks_cut_nothing_off(
    browser: Browser, live_site: live.Site, opened: Opened, now: datetime
) -> None:
    name = "Gran galà di Scopa della Società Operaia di Mutuo Soccorso"
    rules = {"format": "danese", "format_options": {"rounds": 3}, "hall_tables": 8, "clock_minutes": 30}
    evening = draw_real(opened, 24, now, name=name, **rules)
    context = browser.new_context(base_url=live_site.url, locale="it-IT", viewport={"width": 1920, "height": 1080})
    page = context.new_page()
    page.goto(f"/tornei/{evening.public_id}/schermo/")
    expect(page.locator("[data-clock]")).to_have_count(2)
    for _ in range(4):
        find_sheet(page)
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "nobody is there to scroll"
        page.keyboard.press("ArrowRight")
    context.close()
