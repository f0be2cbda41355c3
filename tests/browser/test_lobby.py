"""The lobby: tiles, the bar of whoever waits, the one list, the drawer; at a desk and on telephones, by day and night."""

import os

import pytest
from django.utils import timezone
from playwright.sync_api import Browser

from tests.browser.halls import SIDEWAYS, Hall, lay_hall, let_in
from tests.support import live
from tests.support.tournaments import Opened

SHOTS = os.environ.get("SHOTS")


@pytest.fixture
def hall(opened: Opened) -> Hall:
    return lay_hall(opened, timezone.now())


def test_shots(hall: Hall, live_site: live.Site, request: pytest.FixtureRequest) -> None:
    browser: Browser = request.getfixturevalue("browser")
    for width, height in ((1280, 800), (390, 844), (360, 640)):
        if os.environ.get("W") and str(width) not in os.environ["W"]:
            continue
        for scheme in os.environ.get("SCHEMES", "light dark").split():
            context = browser.new_context(
                base_url=live_site.url, viewport={"width": width, "height": height}, color_scheme=scheme
            )
            let_in(context, hall.peppino, live_site.url)
            page = context.new_page()
            page.on("console", lambda m: print(m.text))
            page.on("pageerror", lambda m: print(m))
            for name, path in (("lobby", "/sala/"), ("home", "/")):
                page.goto(path)
                page.wait_for_timeout(700)
                page.screenshot(path=f"{SHOTS}/{name}-{width}-{scheme}.png")
                print(name, width, page.evaluate(SIDEWAYS), page.evaluate("document.documentElement.scrollHeight"))
            if scheme == "light":
                page.goto("/sala/")
                page.get_by_role("button", name="Cerca a modo tuo").click()
                page.wait_for_timeout(400)
                page.screenshot(path=f"{SHOTS}/drawer-{width}.png")
                page.keyboard.press("Escape")
            page.goto("/sala/")
            page.locator("[data-action=seek-briscola]").click()
            page.wait_for_timeout(900)
            page.screenshot(path=f"{SHOTS}/waiting-{width}-{scheme}.png")
            print(page.url, page.title())
            page.locator("[data-action=end]").first.click()
            context.clear_cookies()
            page.goto("/")
            page.wait_for_timeout(600)
            page.screenshot(path=f"{SHOTS}/visitor-{width}-{scheme}.png")
            context.close()
