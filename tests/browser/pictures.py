"""Pictures of the pages in the states that the design shows, for the contact sheet (bench/contact_sheet.py).

They are taken in the tests that bring a page into such a state and measure it; without ``PICTURES`` nothing is taken.
"""

import os
from pathlib import Path
from typing import Literal

from playwright.sync_api import Page

FOLDER = "PICTURES"  # the variable that names where they go


def take_picture(
    page: Page, name: str, *, size: tuple[int, int] | None = None, theme: Literal["light", "dark"] = "light"
) -> None:
    """Keep what a page shows, called as the picture of the design beside which it will stand.

    ``size``: of the window, in pixels; the present one if it isn't told. The page is left as it was.
    """
    folder = os.environ.get(FOLDER)
    if not folder:
        return
    before = page.viewport_size
    if size is not None:
        page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme=theme)
    page.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame))")
    page.screenshot(path=Path(folder) / f"{name}.png", animations="disabled")
    page.emulate_media(color_scheme="light")
    if size is not None and before is not None:
        page.set_viewport_size(before)
