"""A person's page, one's own and its settings as they are drawn: what stands first, won and lost told apart without
their colours, nothing too small to press."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from players.models import Player
from tests.browser.layouts import NARROWEST, WINDOWS, find_flaws, find_small_targets, measure_box
from tests.browser.pictures import take_picture
from tests.support import live
from tests.support.browser import collect_complaints
from tests.support.histories import set_card_points, store_history
from tests.support.people import create_person, sign_in

FACE_PIXELS, PHONE_FACE_PIXELS = 104, 76
COLOURS = """() => {
  const read = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const parse = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
  const bend = (part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  const light = (hex) => { const [r, g, b] = parse(hex).map(bend); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ratio = (one, other) => { const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05); };
  return ["--won", "--lost"].map((name) => ratio(read(name), read("--panel")));
}"""
PATTERNS = """() => [".bar-won", ".bar-lost"].map((name) =>
  getComputedStyle(document.querySelector(`.month-bar ${name}`)).backgroundImage.includes("gradient"))"""


@pytest.fixture
def people(transactional_db: None) -> list[Player]:
    """Peppino and Marta, who have met for months, and Nuccio, who is new."""
    now = timezone.now() - timedelta(hours=1)
    peppino, marta, nuccio = (create_person(name, now) for name in ("Peppino", "Marta", "Nuccio"))
    results = [(11, 3), (5, 11), (11, 11), (11, 8)]
    store_history([peppino, marta], now, [("scopa", results[day % 4], 9 * day) for day in range(14)])
    [match] = store_history([peppino, marta], now, [("briscola", (1, 0), 0)])
    set_card_points(match, (82, 38))
    return [peppino, marta, nuccio]


@pytest.fixture
def page(people: list[Player], live_site: live.Site, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page of Peppino's browser."""
    browser: Browser = request.getfixturevalue("browser")
    context = browser.new_context(base_url=live_site.url, locale="it-IT", reduced_motion="reduce")
    session = sign_in(people[0]).cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_site.url}])
    yield context.new_page()
    context.close()


def test_a_person_is_a_face_a_name_and_ten_dots_and_their_matches_are_fields(people: list[Player], page: Page) -> None:
    heard = collect_complaints(page)
    address = f"/giocatori/{people[1].public_id}/"
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(address)
        take_picture(page, f"person-{'other' if width > 600 else 'states'}-{width}")
        face = FACE_PIXELS if width > 600 else PHONE_FACE_PIXELS
        assert measure_box(page, ".person-head .portrait")["width"] == face
        expect(page.locator(".person-last i")).to_have_count(10)
        assert measure_box(page, "[data-company] > summary")["bottom"] <= height / 2
        assert page.locator("main .button:visible:not(.button-plain, .button-danger)").count() == 1, "one primary act"
        if width < 600:
            assert find_small_targets(page) == [], width
    first = page.locator(".match-row").first
    expect(first.locator(".outcome-lost")).to_have_text("persa 38–82")
    expect(page.locator("[data-meeting]")).to_be_visible()
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        assert min(page.evaluate(COLOURS)) >= 3, theme
    assert page.evaluate(PATTERNS) == [False, True], "solid and hatched"
    expect(page.locator(".month-legend")).to_contain_text("vinte")
    expect(page.locator(".month-legend")).to_contain_text("perse")
    for way in ("", "partite/", "statistiche/", "tornei/", "premi/"):
        page.goto(f"{address}{way}")
        assert find_flaws(page, ("light", "dark")) == [], way
    page.set_viewport_size({"width": NARROWEST, "height": 568})
    page.goto(address)
    assert find_flaws(page) == []
    assert (first.locator(".match-way").get_attribute("href") or "").endswith("/1/"), "its replay"
    assert heard == []


def test_ones_own_page_has_a_gear_with_five_rows_and_a_face_that_changes_at_a_tap(page: Page) -> None:
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        page.goto("/profilo/")
        take_picture(page, f"profile-own-{width}")
        assert find_flaws(page, ("light", "dark")) == [], width
        page.get_by_role("link", name="Impostazioni").first.click()
        expect(page.locator(".setting-row")).to_have_count(5)
        assert find_flaws(page, ("light", "dark")) == [], width
        if width < 600:
            assert find_small_targets(page) == [], width
    with page.expect_response("**/profilo/aspetto/") as answer:
        page.get_by_label("Re di spade").check(force=True)
    assert answer.value.status == 204
    with page.expect_response("**/profilo/aspetto/"):
        page.get_by_label("scuro").check(force=True)
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.goto("/profilo/")
    assert "#figure-12" in (page.locator(".person-head .portrait use").get_attribute("href") or "")


def test_three_steps_follow_a_sign_up_on_one_page(page: Page) -> None:
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        page.goto("/profilo/benvenuto/")
        expect(page.locator(".welcome-steps > section")).to_have_count(3)
        assert find_flaws(page, ("light", "dark")) == [], width
        if width < 600:
            assert find_small_targets(page) == [], width
    page.get_by_label("Piacentine").check(force=True)
    page.locator(".welcome-games button").first.click()
    page.wait_for_url("**/sala/")
    expect(page.locator("main")).to_contain_text("Scopa")
