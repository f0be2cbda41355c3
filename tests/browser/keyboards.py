"""Keyboards of pages on which every key counts (O4)."""

from playwright.sync_api import Page


class CountingKeyboard:
    """The keyboard of a page, and how many keys were pressed on it."""

    def __init__(self, page: Page) -> None:
        self.page, self.pressed = page, 0

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.pressed += 1
