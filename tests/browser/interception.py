"""Requests of a page that is open already, caught on their way.

What it sends just after a route was set can pass it by: a page learns a moment later that it is listened to.
"""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, Route

PROBE = "/caught-already"
CAUGHT = 299  # a status that no page of ours has
ASK = f"() => fetch('{PROBE}').then((answer) => answer.status === {CAUGHT})"


def intercept(page: Page, where: str, handle: Callable[[Route], Any]) -> None:
    """Have ``handle`` answer the requests to ``where``, from the very next one on."""
    page.route(where, handle)
    page.route(f"**{PROBE}", lambda route: route.fulfill(status=CAUGHT))
    page.wait_for_function(ASK)
    page.unroute(f"**{PROBE}")
