"""Page of tokens and components: nothing for axe by day and by night, nothing sideways, on a phone and at a desk."""

import pytest
from django.test import override_settings
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import THEMES, faults
from tests.support import live
from tests.support.browser import collect_complaints

SIDEWAYS = "() => document.scrollingElement.scrollWidth - innerWidth"
SMALLEST = """() => Math.min(...[...document.querySelectorAll("main *")]
  .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  .map((element) => parseFloat(getComputedStyle(element).fontSize)))"""
PRESSED = """() => [...document.querySelectorAll("main :is(button, .chip, .tabs a)")]
  .map((element) => element.getBoundingClientRect().height).filter((height) => height < 36)"""


def go_along_the_chips(page: Page) -> None:
    """A row of chips is one stop of the Tab key, and arrows go from one to the next."""
    chips = page.locator("main p.chips").first.locator(".chip:not(:disabled)")
    chips.first.focus()
    page.keyboard.press("ArrowRight")
    expect(chips.nth(1)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(chips.last).to_be_focused()
    chips.first.focus()
    page.keyboard.press("Tab")
    expect(page.locator("#chips input").first).to_be_focused()


@pytest.mark.parametrize("width", [360, 1280])
def test_every_component_is_sound_at_both_ends(browser: Browser, live_site: live.Site, width: int) -> None:
    with override_settings(DEBUG=True):
        page = browser.new_page(
            base_url=live_site.url, viewport={"width": width, "height": 800}, reduced_motion="reduce"
        )
        heard = collect_complaints(page)
        page.goto("/stile/")
        assert page.evaluate(SIDEWAYS) <= 0
        assert page.evaluate(SMALLEST) >= 13
        assert page.evaluate(PRESSED) == []
        assert faults(page, THEMES) == []
        go_along_the_chips(page)
        assert heard == []
