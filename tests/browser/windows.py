"""Windows of a browser, used by one test after another: a new one costs as much as the page that is opened in it.

Whatever a test leaves behind (pages, cookies, what scripts have kept, what is done to requests) is gone before the next
one has a window; what can't be undone, as a clock that was the test's, is thrown away with its window.
"""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Page, ViewportSize

PARKING = "/healthz"  # where a page stays meanwhile: an address of the site, so that its process stays too
# Nothing moves but where a test wants it to, and no worker stands between a page and the site (test_on_a_telephone.py).
USUAL = {"locale": "it-IT", "reduced_motion": "reduce", "service_workers": "block"}
TIMEOUT = 120_000  # ms: for a broken build, not to measure anything
PARKING_TIMEOUT = 10_000  # ms: where no site answers any more, another window is opened
DEFAULT: ViewportSize = {"width": 1280, "height": 720}
USUAL_MEDIA = {"color_scheme": "light", "reduced_motion": "no-preference"}
EMPTY = "() => { localStorage.clear(); sessionStorage.clear(); return '__pwClock' in globalThis; }"
NOT_TO_BE_UNDONE = ("add_init_script", "route_web_socket", "expose_function", "expose_binding")


class Windows:
    """Stands in for a browser: its contexts are cleaned where they would be closed, and given again."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[str, list[Window]] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._browser, name)

    def new_context(self, *, viewport: ViewportSize | None = None, **options: Any) -> BrowserContext:
        options = {**USUAL, **options}
        if "base_url" not in options:
            context = self._browser.new_context(**options, viewport=viewport or DEFAULT)
            context.set_default_timeout(TIMEOUT)
            return context
        free = self._free.setdefault(json.dumps(options, sort_keys=True), [])
        window = free.pop() if free else Window(self._browser, options)
        window.give(viewport or DEFAULT)
        window.context.close = partial(self._take_back, window, free)  # type: ignore[method-assign]
        return window.context

    def _take_back(self, window: "Window", free: list["Window"], **_why: Any) -> None:
        if window.clean():
            free.append(window)
        else:
            window.close()


class Window:
    """A context and its first page, which stays."""

    def __init__(self, browser: Browser, options: dict[str, Any]) -> None:
        self.context = browser.new_context(**options)
        self.context.set_default_timeout(TIMEOUT)
        self.parking = options["base_url"] + PARKING
        self.media = {name: options.get(name, usual) for name, usual in USUAL_MEDIA.items()}
        self.close, self._open = self.context.close, self.context.new_page
        self.page: Page | None = None
        self.spoilt = False
        self.viewport = DEFAULT

    def give(self, viewport: ViewportSize) -> None:
        """Have its pages opened as large as this, the one that is there first."""
        self.viewport = viewport
        waiting = [self.page] if self.page else []

        def open_page() -> Page:
            page = waiting.pop() if waiting else self._open()
            self.page = self.page or self._watch(page)
            page.set_viewport_size(viewport)
            return page

        self.context.new_page = open_page  # type: ignore[method-assign]

    def _watch(self, page: Page) -> Page:
        """Note when something is done to a page that can't be undone."""

        def note(do: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
            self.spoilt = True
            return do(*arguments, **named)

        for name in NOT_TO_BE_UNDONE:
            setattr(page, name, partial(note, getattr(page, name)))
        return page

    def clean(self) -> bool:
        """Leave nothing of what a test did; return whether that could be done."""
        try:
            for page in self.context.pages:
                if page is not self.page:
                    page.close()
            if self.page is None or self.spoilt or self.page.is_closed():
                return False
            self.page.unroute_all()
            self.page.emulate_media(media="null", **self.media)
            self.context.clear_cookies()
            self.page.goto(self.parking, timeout=PARKING_TIMEOUT)
            return not self.page.evaluate(EMPTY)
        except Error:  # no site is there any more, or the page is beyond help
            return False
