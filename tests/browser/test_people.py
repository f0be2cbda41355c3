"""Hours in the reader's own zone (E7) and an account's pages, in a real browser that says where it is."""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.tournaments import Opened

pytestmark = pytest.mark.usefixtures("live_site")


def hours_now(zone: str) -> set[str]:
    """Return the hours that a clock there shows about now."""
    now = datetime.now(ZoneInfo(zone))
    return {f"{now - timedelta(minutes=ago):%H:%M}" for ago in range(6)}


def shown_hours(page: Page) -> set[str]:
    return set(re.findall(r"\d\d:\d\d", page.locator("main section").first.inner_text()))


def test_on_a_first_visit_too_the_hours_are_the_readers_or_their_zone_is_named(
    browser: Browser, base_url: str, opened: Opened
) -> None:
    """The page comes from the server by the clock of Rome: the browser says where it is only then."""
    tournament = opened()
    for scripts in (True, False):
        context = browser.new_context(
            base_url=base_url, locale="it-IT", timezone_id="America/New_York", java_script_enabled=scripts
        )
        page = context.new_page()
        page.goto(f"/tornei/{tournament.public_id}/")
        page.locator("label.tab", has_text="Diario").click()
        hour = page.locator("#log time").first
        instant = datetime.fromisoformat(hour.get_attribute("datetime") or "")
        zone = ZoneInfo("America/New_York" if scripts else "Europe/Rome")
        expect(hour).to_have_text(re.compile(f"{instant.astimezone(zone):%H:%M}$"))
        expect(page.locator("footer .zone")).to_have_count(0 if scripts else 1)
        context.close()


def test_a_reader_sees_the_hours_of_their_browser_until_they_choose_others(browser: Browser, base_url: str) -> None:
    context = browser.new_context(
        base_url=base_url, locale="it-IT", timezone_id="Asia/Tokyo", viewport={"width": 360, "height": 740}
    )
    page = context.new_page()
    page.goto("/account/signup/")
    page.get_by_label("Nome al tavolo").fill("Carla di Tokyo")
    page.get_by_label("Password", exact=True).fill("sette-bello-77")
    page.get_by_label("Ripeti la password").fill("sette-bello-77")
    page.get_by_role("button", name="Registrati").click()
    expect(page.locator(".who-name")).to_have_text("Carla di Tokyo")
    page.goto("/profilo/accessi/")
    assert shown_hours(page) <= hours_now("Asia/Tokyo")
    page.goto("/profilo/preferenze/")
    page.get_by_label("Fuso orario").select_option("America/New_York")
    page.get_by_label("Un suono").uncheck()
    page.get_by_role("button", name="Salva").click()
    expect(page.get_by_role("status").filter(has_text="Preferenze salvate")).to_be_visible()
    expect(page.locator("body")).to_have_attribute("data-no-sound", "")
    page.goto("/profilo/accessi/")
    assert shown_hours(page) <= hours_now("America/New_York")
    page.goto("/profilo/elimina/")
    page.get_by_label("La tua password").fill("sette-bello-77")
    page.get_by_role("button", name="Elimina per sempre").click()
    expect(page.get_by_text("Il tuo account non c'è più")).to_be_visible()
    expect(page.locator(".who-name")).to_have_count(0)
    context.close()
