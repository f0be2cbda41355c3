"""A hand at the table: the same gestures with a mouse and with a finger, as the browser's own input events."""

import time
from typing import Any, Protocol

from playwright.sync_api import Locator, Page

from tests.browser.layouts import measure

Point = tuple[float, float]
QUICK = 0.06  # seconds from one of two quick taps to the next, and half of it that a finger is down


STILL = """() => Promise.allSettled(document.getAnimations()
  .filter((one) => one.playState === "running" && one.effect?.getComputedTiming().endTime !== Infinity)
  .map((one) => one.finished))"""  # cards fly to their places: who aims waits until they lie there


def middle(what: Locator) -> Point:
    """The middle of what is seen of an element, once nothing flies any more."""
    what.page.evaluate(STILL)
    box = measure(what)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Pointer(Protocol):
    """Pointer of a player. ``press`` takes hold, ``carry`` moves, ``release`` lets go."""

    def tap(self, what: Locator) -> None: ...
    def double(self, what: Locator) -> None: ...
    def press(self, at: Point) -> None: ...
    def carry(self, to: Point) -> None: ...
    def release(self) -> None: ...
    def interrupt(self) -> None:
        """The system takes the pointer away, or another button or finger comes down."""


class Mouse:
    def __init__(self, page: Page) -> None:
        self.page = page

    def tap(self, what: Locator) -> None:
        self.page.mouse.click(*middle(what))

    def double(self, what: Locator) -> None:
        self.page.mouse.dblclick(*middle(what))

    def press(self, at: Point) -> None:
        self.page.mouse.move(*at)
        self.page.mouse.down()

    def carry(self, to: Point) -> None:
        self.page.mouse.move(*to, steps=4)

    def release(self) -> None:
        self.page.mouse.up()

    def interrupt(self) -> None:
        self.page.mouse.down(button="right")
        self.page.mouse.up(button="right")


class Finger:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.session = page.context.new_cdp_session(page)
        self.at: Point = (0, 0)

    def _touch(self, kind: str, *points: Point, at: float | None = None) -> None:
        """``at``: when, by the finger's own clock; otherwise when the browser hears of it."""
        touches: list[dict[str, Any]] = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(points)]
        when = {} if at is None else {"timestamp": at}
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches, **when})

    def tap(self, what: Locator) -> None:
        """Tap once, after a tap far away: two quick ones nearby would be a double tap."""
        self.page.touchscreen.tap(*middle(self.page.locator("#score")))
        self.page.touchscreen.tap(*middle(what))

    def double(self, what: Locator) -> None:
        """Two taps are a double tap by the time between them, however late a busy browser hears of the second."""
        at, began = middle(what), time.time()
        for tap in range(2):
            self._touch("touchStart", at, at=began + tap * QUICK)
            self._touch("touchEnd", at=began + (tap + 0.5) * QUICK)

    def press(self, at: Point) -> None:
        self.at = at
        self._touch("touchStart", at)

    def carry(self, to: Point) -> None:
        (x, y), steps = self.at, 4
        for step in range(1, steps + 1):
            self._touch("touchMove", (x + (to[0] - x) * step / steps, y + (to[1] - y) * step / steps))
        self.at = to

    def release(self) -> None:
        self._touch("touchEnd")

    def interrupt(self) -> None:
        self._touch("touchStart", self.at, (5, 5))

    def lose(self) -> None:
        self._touch("touchCancel")
