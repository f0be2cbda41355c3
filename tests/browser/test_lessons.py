"""Lessons in the browser, on a telephone: a wrong card and the right one, a question, and a whole lesson."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import faults
from tests.browser.interception import intercept
from tests.browser.layouts import measure
from tests.browser.rigged import PHONE
from tests.support.browser import collect_complaints
from tests.support.waiting import until

pytestmark = pytest.mark.usefixtures("live_site")

PATIENT = 120_000  # ms

WINDOWS = ((360, 640), (390, 844), (640, 400), (1280, 800))
LAID_OUT = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"

# Clicks on the next card or choice in every frame, as no hand could.
PLAY_ON = """() => {
  const on = () => {
    const choice = document.querySelector("#ghosts .ghost:not([data-sent])");
    (choice ?? document.querySelector("#hand [data-playable]"))?.click();
    requestAnimationFrame(on);
  };
  on();
}"""


@pytest.fixture
def phone(browser: Browser, base_url: str) -> Iterator[Page]:
    context = browser.new_context(base_url=base_url, locale="it-IT", reduced_motion="reduce", **PHONE)  # type: ignore[arg-type]
    yield context.new_page()
    context.close()


def follow_hint(page: Page) -> None:
    """Play what the tutor suggests, by touch."""
    page.locator("#lesson-hint").tap()
    page.locator("#hand .card[data-hint]").first.tap()
    page.locator("#ghosts .ghost").first.tap()


def wait_for_answer(page: Page) -> None:
    expect(page.locator("#table:not([data-busy])")).to_be_attached(timeout=PATIENT)


@pytest.mark.rule("B8")
def test_a_wrong_card_is_explained_and_the_right_one_goes_on(phone: Page) -> None:
    heard = collect_complaints(phone)
    phone.goto("/impara/")
    phone.locator("[data-lesson=scopa] a").tap()
    phone.wait_for_url("**/impara/scopa/1/")
    phone.goto("/impara/scopa/3/")
    expect(phone.locator("#hand .card[data-playable]")).to_have_count(3)
    phone.locator("#hand [data-card=Ab]").tap()
    phone.locator("#hand [data-card=Ab]").tap()
    expect(phone.locator("#said[data-right=false]")).to_be_visible()
    expect(phone.locator("#hand .card")).to_have_count(3)
    follow_hint(phone)
    expect(phone.locator("#said[data-right=true]")).to_be_visible()
    expect(phone.locator("#lying [data-card='7d']")).to_have_count(0)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    assert faults(phone) == []
    phone.locator("#lesson-next").tap()
    phone.wait_for_url("**/impara/scopa/4/")
    phone.goto("/impara/")
    expect(phone.locator("[data-lesson=scopa]")).to_have_attribute("data-done", "3")
    assert heard == []


@pytest.mark.rule("B8")
def test_the_bar_of_a_telephone_says_which_game_is_learnt_and_a_refusal_says_why(phone: Page) -> None:
    phone.goto("/impara/scopa/3/")
    heading = measure(phone.locator(".table-title h1"))
    assert heading["width"] > 60
    assert heading["height"] > 10
    refusal = {"code": "throttled", "said": "Piano."}
    intercept(phone, "**/risposta/**", lambda route: route.fulfill(status=429, json=refusal))
    phone.locator("#hand [data-card=Ab]").tap()
    phone.locator("#hand [data-card=Ab]").tap()
    expect(phone.locator("#said[data-right=false]")).to_have_text("Piano.")
    expect(phone.locator("#toast")).to_be_hidden()


@pytest.mark.rule("B8")
def test_from_step_to_step_nothing_of_the_table_moves_and_what_to_press_is_in_sight(
    browser: Browser, base_url: str
) -> None:
    context = browser.new_context(base_url=base_url, locale="it-IT", reduced_motion="reduce")
    page = context.new_page()
    places: dict[tuple[int, int], set[tuple[float, ...]]] = {window: set() for window in WINDOWS}
    for game, step in (("scopa", 1), ("scopa", 3), ("tressette-classico", 11), ("tressette-classico", 6)):
        page.goto(f"/impara/{game}/{step}/")
        for width, height in WINDOWS:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(LAID_OUT)
            felt, on = (measure(page.locator(where)) for where in (".felt", "#lesson-next"))
            places[width, height].add(tuple(felt.values()))
            assert on["y"] + on["height"] <= height, (game, step, width)
            assert page.evaluate("document.documentElement.scrollHeight") <= height
    assert {window: len(found) for window, found in places.items()} == dict.fromkeys(WINDOWS, 1)
    for width, height in (WINDOWS[-1], WINDOWS[0]):
        page.set_viewport_size({"width": width, "height": height})
        assert faults(page) == [], width
    context.close()


def test_in_a_lesson_for_four_the_partner_is_marked(phone: Page) -> None:
    phone.goto("/impara/tressette-classico/6/")
    expect(phone.locator(".seat-partner:visible")).to_have_count(1)
    expect(phone.locator("[data-seat='2'] .seat-partner")).to_be_visible()


def test_a_choice_shows_what_it_takes_apart_from_the_card_that_takes(phone: Page) -> None:
    phone.goto("/impara/scopa/4/")
    phone.locator("#hand [data-card=Fd]").tap()
    choice = phone.locator("#ghosts .ghost").first
    expect(choice.locator(".card")).to_have_count(1)
    expect(choice.locator(".ghost-takes > span:visible")).to_have_count(2)


@pytest.mark.rule("A1")
def test_where_fewer_points_are_better_the_count_marks_who_has_fewer(phone: Page) -> None:
    for game, better in (("tresette", 0), ("tresette-a-perdere", 1)):
        phone.goto(f"/impara/{game}/8/")
        follow_hint(phone)
        cells = phone.locator("#count-body tr[data-code=last_trick] td")
        expect(cells.nth(better)).to_have_attribute("data-won", "")
        expect(cells.nth(1 - better)).not_to_have_attribute("data-won", "")


@pytest.mark.rule("B8")
def test_who_waits_for_no_trick_to_be_seen_plays_the_deal_to_its_end(phone: Page) -> None:
    phone.clock.install()
    phone.goto("/impara/scopa/11/")
    expect(phone.locator("#hand .card").first).to_be_visible()
    phone.evaluate(PLAY_ON)

    def has_ended() -> bool:
        phone.clock.run_for(400)  # what others play is looked at, and nobody has to
        return phone.locator("#table[data-done]").count() > 0

    until(has_ended, seconds=120, what="the end of the deal")
    expect(phone.locator("#count")).to_be_visible()


@pytest.mark.soak
@pytest.mark.rule("B8")
@pytest.mark.parametrize("game", ["scopa", "tresette", "briscola"])
def test_a_whole_lesson_is_gone_through_to_its_last_card(phone: Page, game: str) -> None:
    heard = collect_complaints(phone)
    phone.goto(f"/impara/{game}/")
    counted = 0
    while True:
        answers = phone.locator(".lesson-answers button")
        place = 0
        while answers.count():
            answers.nth(place).tap()
            phone.wait_for_url(f"**/?risposta={place}")
            place += 1
        while not phone.locator("#table[data-done]").count():
            follow_hint(phone)
            wait_for_answer(phone)
        if phone.locator("#count:visible").count():
            phone.locator("#count-close").tap()
            counted += 1
        with phone.expect_navigation():
            phone.locator("#lesson-next").tap()
        if re.search(r"/impara/$", phone.url):
            break
    assert counted == 2, "the step that explains it, and the whole deal"
    lesson = phone.locator(f"[data-lesson={game}]")
    expect(lesson).to_have_attribute("data-done", re.compile("^1[01]$|^9$"))
    assert heard == []
