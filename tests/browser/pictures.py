"""Pictures of the pages in the states that the design shows, for the contact sheet (bench/contact_sheet.py).

They are taken in the tests that bring a page into such a state and measure it; without ``PICTURES`` nothing is taken.
"""

import os
from pathlib import Path
from typing import Literal

from playwright.sync_api import Page

FOLDER = "PICTURES"  # the variable that names where they go


def is_taking() -> bool:
    """Tell if pictures are taken in this run."""
    return bool(os.environ.get(FOLDER))


def take_picture(
    page: Page, name: str, *, size: tuple[int, int] | None = None, theme: Literal["light", "dark"] = "light"
) -> None:
    """Keep what a page shows, called as the picture of the design beside which it will stand.

    ``size``: of the window, in pixels; the present one if it isn't told. The page is left as it was.
    """
    if not is_taking():
        return
    before = page.viewport_size
    if size is not None:
        page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme=theme)
    page.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame))")
    page.screenshot(path=Path(os.environ[FOLDER]) / f"{name}.png", animations="disabled")
    page.emulate_media(color_scheme="light")
    if size is not None and before is not None:
        page.set_viewport_size(before)
