"""Measures that the design of every page is held to, in the windows it was drawn for."""

from typing import Any

from playwright.sync_api import FloatRect, Locator, Page

from tests.browser.axe import faults
from tests.support.waiting import until

WINDOWS = ((360, 640), (390, 844), (1280, 800))  # small and usual telephone, desk
NARROWEST = 320
MOST_LINKS = 7  # of one list
SIDEWAYS = "() => document.scrollingElement.scrollWidth - innerWidth"
HEADINGS = "() => document.querySelectorAll('h1').length"
LONG_LISTS = """(most) => [...document.querySelectorAll("main ul, main ol, main nav")]
  .filter((list) => list.querySelectorAll(":scope > li > a:only-child, :scope > a").length > most)
  .map((list) => list.ariaLabel ?? list.className)"""
PRESSED = "main :is(a, button, summary, select, input:not([type=hidden]))"
SMALL_TARGETS = """(pressed) => [...document.querySelectorAll(pressed)]
  .filter((element) => element.checkVisibility({ checkOpacity: true, visibilityProperty: true }))
  .map((element) => [element, (element.closest("label") ?? element).getBoundingClientRect()])
  .filter(([element, box]) => !element.closest("p, td, [popover], .match-about") && box.width > 1 && box.height < 43.5)
  .filter(([element]) => getComputedStyle(element, "::after").position !== "absolute")
  .map(([element, box]) => `${element.outerHTML.slice(0, 80)} ${box.width}x${box.height}`)"""


def measure(element: Locator) -> FloatRect:
    """Return where an element stands in the window, as soon as it is shown: what is drawn anew is gone for a moment."""
    return until(element.bounding_box, what=f"{element} to be shown")


def measure_box(page: Page, selector: str) -> dict[str, float]:
    """Return where the first element that fits stands in the window, its lower edge too."""
    box: Any = measure(page.locator(selector).first)
    return {**box, "bottom": box["y"] + box["height"]}


def find_flaws(page: Page, themes: tuple[str, ...] = ("light",)) -> list[str]:
    """Return what every page is held to and this one, as it stands, isn't."""
    flaws = faults(page, themes)
    if page.evaluate(SIDEWAYS) > 0:
        flaws.append("wider than its window")
    if page.evaluate(HEADINGS) != 1:
        flaws.append("not one h1")
    return [*flaws, *page.evaluate(LONG_LISTS, MOST_LINKS)]


def find_small_targets(page: Page) -> list[str]:
    """Return what is pressed on a telephone and less than 44 pixels high."""
    small: list[str] = page.evaluate(SMALL_TARGETS, PRESSED)
    return small
