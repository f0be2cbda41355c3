"""The first minute of a visitor: the address, one click, cards."""

import re

import pytest
from playwright.sync_api import Page, expect
from pytest_playwright.pytest_playwright import CreateContextCallback

from tests.support.browser import collect_complaints


def test_the_home_page_opens_without_a_complaint_of_the_browser(page: Page) -> None:
    heard = collect_complaints(page)
    page.goto("/")
    expect(page.get_by_role("button", name="Gioca subito").first).to_be_visible()
    assert heard == []


@pytest.mark.rule("B2", "B3")
def test_two_strangers_who_click_gioca_subito_meet_through_the_lobby_and_are_dealt_cards(
    page: Page, new_context: CreateContextCallback
) -> None:
    heard = collect_complaints(page)
    page.goto("/")
    page.get_by_role("button", name="Gioca subito").first.click()
    page.wait_for_url("**/sala/")
    expect(page.locator("[data-note=seeking]")).to_be_visible()
    stranger = new_context().new_page()
    stranger.goto("/sala/")
    own = page.locator("[data-seek]").filter(has=page.locator(".tag", has_text=re.compile("^tu$")))
    stranger.locator(f"[data-action=join-{own.get_attribute('data-seek')}]").click()
    for one in (stranger, page):
        one.wait_for_url("**/tavoli/**", timeout=60_000)
        expect(one.locator("#hand button").first).to_be_visible(timeout=60_000)
    assert heard == []


@pytest.mark.soak  # test_line.py has it at a table of its own
def test_the_older_of_two_windows_looks_on_until_it_takes_the_seat_back(page: Page) -> None:
    page.goto("/")
    page.get_by_label("gioca con la casa").check()
    page.get_by_role("button", name="Gioca subito").first.click()
    page.wait_for_url("**/tavoli/**", timeout=60_000)
    expect(page.locator("#table")).to_have_attribute("data-turn", "mine", timeout=60_000)

    newer = page.context.new_page()
    newer.goto(page.url)
    expect(newer.locator("#table")).to_have_attribute("data-turn", "mine", timeout=60_000)
    expect(page.locator("#table")).to_have_attribute("data-line", "replaced")
    page.locator("#hand button").first.click()
    expect(page.locator("#hand button[data-raised]")).to_have_count(1)
    expect(page.locator("#ghosts button")).to_have_count(0)

    newer.locator("#hand button[data-playable]").first.click()
    newer.locator("#ghosts button").first.click()
    expect(page.locator("#hand button")).to_have_count(2, timeout=20_000)  # it shows what the newer one played

    page.get_by_role("button", name="Gioca qui").click()
    expect(page.locator("#table")).to_have_attribute("data-line", "open")
    expect(newer.locator("#table")).to_have_attribute("data-line", "replaced")
