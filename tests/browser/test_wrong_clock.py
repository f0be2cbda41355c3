"""A device whose clock is wrong, is set right, jumps or sleeps (H14): the hours shown stay the server's."""

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.rigged import DESK, Lay, deck, enter
from tests.support import live
from tests.support.waiting import until

HOUR = 3_600_000  # ms
# What the device's two clocks are off by, from now on or from the first script on.
DEVICE = """(first) => {
  const date = Date.now.bind(Date);
  const steady = performance.now.bind(performance);
  window.device = { date: first, steady: 0 };
  Date.now = () => date() + device.date;
  performance.now = () => steady() + device.steady;
}"""
SET, SLEEP = "device.date += 3600000", "device.steady -= 40000"
OFF = "import('/static/js/clock.js').then(({ pageClock }) => pageClock.now())"


@pytest.fixture
def page_of_a_wrong_device(browser: Browser, live_site: live.Site) -> Iterator[Page]:
    context = browser.new_context(base_url=live_site.url, locale="it-IT")
    context.add_init_script(f"({DEVICE})({-HOUR})")
    page = context.new_page()
    page.goto("/")
    yield page
    context.close()


def is_right(page: Page) -> bool:
    """Tell if a page's clock is off by a second at most."""
    return abs(page.evaluate(OFF) - 1000 * time.time()) <= 1000


def test_a_page_has_the_servers_hour_whatever_becomes_of_the_devices(page_of_a_wrong_device: Page) -> None:
    page = page_of_a_wrong_device
    until(lambda: is_right(page), what="the hour of a page on a device that is an hour late")
    for change in (SET, SLEEP, SET):
        page.evaluate(change)
        until(lambda: is_right(page), what=f"the hour after {change}")


ANNA, BRUNO = (" ".join(f"{rank}{suit}" for suit in suits for rank in "A234567FCR") for suits in ("dc", "bs"))


def agree(*pages: Page) -> bool:
    """Tell if the mover's clock runs on these pages, and shows the same seconds, give or take one."""
    texts = [page.locator(".seat[data-to-move] .turn-clock").text_content() or "" for page in pages]
    shown = [60 * int(minutes) + int(seconds) for minutes, seconds in (text.split(":") for text in texts if text)]
    return len(shown) == len(pages) and max(shown) - min(shown) <= 1


def test_at_the_table_both_see_the_same_time_left_whatever_becomes_of_a_devices_clock(
    browser: Browser, lasting_tables: Lay
) -> None:
    rigged = lasting_tables(
        {"names": ["Anna", "Bruno"], "ruleset": "tresette", "length": ["deals", 1], "dealer": 1, "turn_timeout": 600,
         "decks": [deck({0: ANNA, 1: BRUNO}, dealer=1)]}
    )  # fmt: skip
    pages = []
    for name in ("Anna", "Bruno"):
        context = rigged.context(browser, None, **DESK)
        if name == "Anna":
            context.add_init_script(f"({DEVICE})({HOUR})")
        pages.append(context.new_page())
        enter(pages[-1], rigged.path, name)
    anna, bruno = pages
    for page in pages:
        expect(page.locator("#hand .card")).to_have_count(10)
    for change in ("0", SET, SLEEP, SET):
        anna.evaluate(change)
        until(lambda: agree(anna, bruno), what=f"one time on both after {change}")
