"""The first minute of a visitor: the address, one click, cards."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support import live
from tests.support.browser import collect_complaints
from tests.support.product import Product

Open = Callable[[], Page]


def open_at(browser: Browser, url: str) -> Iterator[Open]:
    """Give what opens a page of a site for somebody who has never been there."""
    contexts = []

    def open_page() -> Page:
        contexts.append(browser.new_context(base_url=url))
        return contexts[-1].new_page()

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def open_visitor(browser: Browser, swept_site: live.Site) -> Iterator[Open]:
    yield from open_at(browser, swept_site.url)


@pytest.fixture
def open_product(browser: Browser, product: Product) -> Iterator[Open]:
    yield from open_at(browser, product.url)


@pytest.mark.rule("B2", "B3")
def test_two_strangers_who_click_gioca_subito_meet_through_the_lobby_and_are_dealt_cards(
    open_visitor: Open,
) -> None:
    page, stranger = open_visitor(), open_visitor()
    heard = collect_complaints(page)
    page.goto("/")
    page.locator(".opponent:visible").get_by_text("Aspetto una persona").click()
    page.get_by_role("button", name="Gioca subito").click()
    page.wait_for_url("**/sala/")
    expect(page.locator("[data-note=seeking]")).to_be_visible()
    stranger.goto("/")
    expect(stranger.locator(".opponent:visible")).to_contain_text("1 persona aspetta a Scopa.")
    stranger.get_by_role("button", name="Gioca subito").click()
    for one in (stranger, page):
        one.wait_for_url("**/tavoli/**")
        expect(one.locator("#hand button").first).to_be_visible()
    assert heard == []


@pytest.mark.soak  # test_line.py has it at a table of its own
def test_the_older_of_two_windows_looks_on_until_it_takes_the_seat_back(
    open_product: Open,
) -> None:
    page = open_product()
    page.goto("/")
    page.get_by_role("button", name="Gioca subito").click()
    page.wait_for_url("**/tavoli/**")
    expect(page.locator("#table")).to_have_attribute("data-turn", "mine")

    newer = page.context.new_page()
    newer.goto(page.url)
    expect(newer.locator("#table")).to_have_attribute("data-turn", "mine")
    expect(page.locator("#table")).to_have_attribute("data-line", "replaced")
    page.locator("#hand button").first.click()
    expect(page.locator("#hand button[data-raised]")).to_have_count(1)
    expect(page.locator("#ghosts button")).to_have_count(0)

    newer.locator("#hand button[data-playable]").first.click()
    newer.locator("#ghosts button").first.click()
    expect(page.locator("#hand button")).to_have_count(2)  # it shows what the newer one played

    page.get_by_role("button", name="Gioca qui").click()
    expect(page.locator("#table")).to_have_attribute("data-line", "open")
    expect(newer.locator("#table")).to_have_attribute("data-line", "replaced")
