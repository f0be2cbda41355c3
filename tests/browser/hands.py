"""Hands of an organiser at a browser: each step counted, with the seconds it takes an average person.

The seconds are those of the keystroke-level model (Card, Moran, Newell, 1980). What the site takes is not in them.
"""

from playwright.sync_api import Locator, Page

KEY, CLICK, POINT, HOMING, THINKING = 0.28, 0.2, 1.1, 0.4, 1.35  # seconds


class Hands:
    """Keyboard and mouse of a page: what was pressed and clicked there, and how long that takes by hand."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.steps: list[str] = []
        self.keys = self.clicks = 0
        self.seconds = 0.0
        self.at_mouse = False

    def press(self, *keys: str, thinking: bool = False) -> None:
        """Press these keys one after the other."""
        self._move_to(mouse=False, thinking=thinking)
        for key in keys:
            self.page.keyboard.press(key)
        self._count_keys(len(keys))

    def click(self, what: Locator) -> None:
        """Find a button, a link or a field, and click it."""
        name = (what.inner_text() or what.get_attribute("name") or "").strip()
        what.click()
        self._move_to(mouse=True, thinking=True)
        self.clicks += 1
        self.seconds += POINT + CLICK
        self.steps.append(f"click «{name}»")

    def write(self, field: Locator, text: str) -> None:
        """Click into a field and write over what is there."""
        name = field.get_attribute("name")
        field.click(click_count=3)
        self._move_to(mouse=True, thinking=True)
        self.clicks += 1
        self.seconds += POINT + 3 * CLICK
        self.press(*text)
        self.steps.append(f"{name}: type {text}")

    def choose(self, field: Locator, value: str) -> None:
        """Open a list of choices and click one of them."""
        field.select_option(value)
        self._move_to(mouse=True, thinking=True)
        self.clicks += 2
        self.seconds += 2 * (POINT + CLICK)
        self.steps.append(f"{field.get_attribute('name')}: choose {value}")

    def paste(self, field: Locator, text: str) -> None:
        """Click into a field and paste a text."""
        self.click(field)
        self._move_to(mouse=False, thinking=False)
        self.page.keyboard.insert_text(text)
        self._count_keys(2)
        self.steps[-1] = f"{field.get_attribute('name')}: paste {len(text.splitlines())} lines"

    def describe(self) -> str:
        """Return what was done, in a sentence."""
        return f"{self.clicks} clicks, {self.keys} keys, {self.seconds:.0f} s by hand"

    def _move_to(self, *, mouse: bool, thinking: bool) -> None:
        self.seconds += HOMING * (mouse is not self.at_mouse) + THINKING * thinking
        self.at_mouse = mouse

    def _count_keys(self, count: int) -> None:
        self.keys += count
        self.seconds += KEY * count
