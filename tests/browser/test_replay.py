"""A finished deal gone through again in a browser: keys, links, slider, by itself, by address, without a script."""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.axe import THEMES, faults
from tests.browser.rigged import DESK, PHONE, Lay
from tests.support.waiting import until

GOLDEN = Path(__file__).parent.parent / "games" / "golden"

# The least width of a card of the hand with nine of them, px, by window.
LEAST_OF_HAND = {
    (320, 740): 44, (360, 640): 44, (390, 844): 70, (844, 390): 60, (1280, 800): 105, (1920, 1080): 150,
    (2560, 1440): 190,
}  # fmt: skip
# Controls that aren't whole in the window, or more than it.
OUTSIDE = """() => {
  const controls = document.querySelectorAll("#told, .replay-ways :is(a, button, input, select), .replay-seats");
  const found = [...controls].filter((control) => control.offsetParent).filter((control) => {
    const { left, right, top, bottom } = control.getBoundingClientRect();
    return left < 0 || right > innerWidth || top < 0 || bottom > innerHeight;
  });
  if (document.documentElement.scrollWidth > innerWidth) found.push(document.documentElement);
  return found.map((control) => control.id || control.className || control.tagName);
}"""

AS_LARGE = "least => document.querySelector('#hand .card').getBoundingClientRect().width >= least"


@pytest.fixture(scope="module")
def address(lasting_tables: Lay) -> str:
    """A deal of Tresette in four that is over."""
    table = {
        "ruleset": "tresette",
        "length": ["deals", 1],
        "names": ["Anna", "Bruno", "Carla", "Dino"],
        "played": True,
    }
    rigged = lasting_tables(table)
    return f"{rigged.address}/partite/{rigged.path.split('/')[2]}/smazzate/1/"


@pytest.fixture(scope="module")
def window(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(locale="it-IT", reduced_motion="reduce", **DESK)
    yield made
    made.close()


@pytest.fixture
def context(window: BrowserContext) -> Iterator[BrowserContext]:
    """A browser that has what the pages are made of already."""
    yield window
    for page in window.pages:
        page.close()


def opened(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address)
    expect(page.locator("html")).to_have_attribute("data-replay", "ready")
    return page


def at(page: Page, step: int) -> None:
    """The page shows that step, wherever it says so."""
    last = page.locator("#table").get_attribute("data-last")
    expect(page.locator("#place")).to_have_text(f"Mossa {step} di {last}")
    expect(page.locator("#table")).to_have_attribute("data-version", str(step))
    expect(page.locator("#slider")).to_have_value(str(step))
    current = page.locator("#moves [aria-current='step']")
    expect(current).to_have_count(1)
    expect(current).to_have_attribute("href", re.compile(rf"mossa={step}$"))
    expect(page.locator("#told")).to_have_text(current.inner_text())


def test_keys_slider_links_and_the_list_lead_through_the_deal(context: BrowserContext, address: str) -> None:
    page = opened(context, address)
    last = int(page.locator("#table").get_attribute("data-last") or 0)
    at(page, 0)
    expect(page.locator("#hand .card")).to_have_count(10)
    expect(page.locator(".fan:visible .card:not([data-card='back'])")).to_have_count(30)
    page.keyboard.press("ArrowRight")
    at(page, 1)
    expect(page).to_have_url(re.compile(r"\?mossa=1$"))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    at(page, 0)
    page.keyboard.press("End")
    at(page, last)
    expect(page.locator("#count")).to_be_visible()
    expect(page.locator("#count tfoot tr").first).to_contain_text("Punti della smazzata")
    page.keyboard.press("Escape")
    expect(page.locator("#count")).to_be_hidden()
    page.keyboard.press("Home")
    at(page, 0)
    page.locator("#next").click()
    at(page, 1)
    page.locator("#moves a").nth(7).click()
    at(page, 7)
    page.locator("#slider").fill("11")
    at(page, 11)
    expect(page).to_have_url(re.compile(r"\?mossa=11$"))
    page.locator("#slider").press("ArrowRight")
    at(page, 12)
    page.locator("#final").click()
    at(page, last)


def test_it_goes_on_by_itself_until_a_key_stops_it_and_stops_at_the_end(browser: Browser, address: str) -> None:
    page = browser.new_page(locale="it-IT", reduced_motion="reduce", **DESK)  # with a clock of its own
    page.clock.install()
    page.goto(address)
    expect(page.locator("html")).to_have_attribute("data-replay", "ready")
    last = int(page.locator("#table").get_attribute("data-last") or 0)
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "true")
    page.clock.run_for(2100)
    at(page, 1)
    page.locator("#speed").select_option(label="veloce")
    page.clock.run_for(1000)
    at(page, 2)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")
    page.clock.run_for(5000)
    at(page, 1)
    page.locator("#slider").fill(str(last - 1))
    page.locator("#play").click()
    page.clock.run_for(1000)
    at(page, last)
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")
    page.close()


@pytest.mark.parametrize("link", ["#m12", pytest.param("?mossa=12", marks=pytest.mark.soak)])
def test_an_address_opens_at_its_move_and_is_passed_on(context: BrowserContext, address: str, link: str) -> None:
    page = opened(context, address + link)
    at(page, 12)
    page.evaluate("location.hash = '#m4'")
    at(page, 4)
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"\?mossa=5$"))
    other = opened(context, page.url)
    at(other, 5)
    expect(other.locator("#told")).to_have_text(page.locator("#told").inner_text())


def test_from_one_seat_only_its_cards_are_open_at_the_same_move(context: BrowserContext, address: str) -> None:
    page = opened(context, f"{address}?mossa=3")
    page.get_by_role("link", name="Come Carla").click()
    expect(page).to_have_url(re.compile(r"\?posto=2&mossa=3$"))
    at(page, 3)
    cards = page.locator("#hand .card")
    expect(cards).to_have_count(9)
    expect(page.locator("#hand button")).to_have_count(0)
    expect(page.locator(".fan:visible .card:not([data-card='back'])")).to_have_count(0)
    page.get_by_role("link", name="Tutte le carte").click()
    expect(page.locator("#hand .card")).to_have_count(10)
    expect(page.locator(".fan:visible .card:not([data-card='back'])")).to_have_count(27)


def test_without_a_script_each_step_is_a_page_with_links(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False, locale="it-IT", **PHONE)
    page = context.new_page()
    page.goto(address)
    expect(page.locator("#place")).to_contain_text("Mossa 0 di")
    page.locator("#next").click()
    page.locator("#next").click()
    expect(page.locator("#place")).to_contain_text("Mossa 2 di")
    expect(page.locator(".replay-still .shown-cards svg:visible")).to_have_count(40)
    expect(page.locator("#told")).to_have_text(page.locator("#moves [aria-current='step']").inner_text())
    expect(page.locator("#slider")).to_be_hidden()
    page.locator("#final").click()
    expect(page.locator(".replay-still")).to_contain_text("Conta della smazzata")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context.close()


def test_a_pasted_record_is_gone_through_in_the_same_way(context: BrowserContext, address: str) -> None:
    site = address.split("/partite/")[0]
    page = context.new_page()
    page.goto(f"{site}/verbali/")
    page.locator("[name=text]").fill((GOLDEN / "tresette-4-deals.json").read_text())
    page.get_by_role("button", name="Controlla").click()
    page.get_by_role("button", name="Rivedi la partita, carta per carta").click()
    expect(page.locator("html")).to_have_attribute("data-replay", "ready")
    page.keyboard.press("ArrowRight")
    page.locator("#next").click()
    expect(page.locator("#place")).to_contain_text("Mossa 2 di")
    page.locator("#moves button").nth(5).click()
    expect(page.locator("#slider")).to_have_value("5")
    page.get_by_role("button", name="Come A2").click()
    expect(page.locator("html")).to_have_attribute("data-replay", "ready")
    expect(page.locator("#place")).to_contain_text("Mossa 5 di")
    expect(page.locator("#hand .card")).to_have_count(9)
    assert faults(page) == []
    page.get_by_role("button", name="Smazzata seguente").click()
    expect(page).to_have_url(f"{site}/verbali/smazzate/2/?posto=2")
    expect(page.locator("html")).to_have_attribute("data-replay", "ready")
    page.get_by_role("button", name="Risultato").click()
    expect(page.locator("#esito")).to_contain_text("Il verbale è regolare")


def test_in_every_window_the_controls_are_seen_and_the_hand_is_large(context: BrowserContext, address: str) -> None:
    page = opened(context, f"{address}?mossa=5")
    for (width, height), least in LEAST_OF_HAND.items():
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(
            "([width, height]) => innerWidth === width && innerHeight === height", arg=[width, height]
        )
        until(partial(page.evaluate, AS_LARGE, least), what=f"a hand of {least} px, {width} x {height}")
        assert page.evaluate(OUTSIDE) == [], (width, height)


@pytest.mark.parametrize(
    ("link", "themes"),
    [
        ("?mossa=7", THEMES[:1]),
        *(pytest.param(f"?{at}", THEMES, marks=pytest.mark.soak) for at in ("mossa=7", "posto=1&mossa=7", "mossa=999")),
    ],
)
def test_axe_finds_nothing(context: BrowserContext, address: str, link: str, themes: tuple[str, ...]) -> None:
    page = opened(context, address + link)
    assert faults(page, themes) == []
