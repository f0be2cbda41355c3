"""Two strangers and the lobby: they meet, play, take their rematch, and see their levels and each other's page."""

import re
from collections.abc import Iterator

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import collect_complaints, give_up
from tests.support.people import create_person, sign_in
from tests.support.waiting import until

pytestmark = pytest.mark.usefixtures("swept_site")

TABLE = re.compile(r"/tavoli/(?!nuovo/|libero/)\w+/")
SOON = 120_000  # ms: for a broken build, not to measure anything
WATCH_WAITING = """() => new MutationObserver((changes) => {
  globalThis.counts ||= changes.some(({ target }) => target.matches("#seek-bar [data-since]"));
}).observe(document.body, { childList: true, subtree: true })"""


@pytest.fixture
def strangers(browser: Browser, base_url: str, transactional_db: None) -> Iterator[tuple[Page, Page]]:
    """Anna's browser, and Bruno's telephone."""
    contexts = []
    for name, width in (("Anna Straniera", 1280), ("Bruno Straniero", 390)):
        context = browser.new_context(base_url=base_url, viewport={"width": width, "height": 800})
        session = sign_in(create_person(name, timezone.now())).cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": session, "url": base_url}])
        contexts.append(context)
    yield contexts[0].new_page(), contexts[1].new_page()
    for context in contexts:
        context.close()


def read_level(page: Page, name: str) -> int:
    """Return the level on somebody's page, reached by a link with their name; it is uncertain after one match."""
    page.get_by_role("link", name=name, exact=True).first.click()
    page.wait_for_url("**/giocatori/*/")
    level = page.locator("[data-level]").first

    def is_rated() -> bool:  # a page that is read a moment sooner isn't live
        page.reload()
        return level.count() > 0

    until(is_rated, what=f"the level of {name}")
    expect(level).to_have_attribute("data-level", re.compile(r"^\d+\?$"))
    return int((level.get_attribute("data-level") or "").rstrip("?"))


@pytest.mark.soak  # they meet in test_first_minute.py, and take their rematch in test_stakes.py
@pytest.mark.rule("B3", "B5", "L5")
def test_two_strangers_meet_play_take_their_rematch_and_see_their_levels_move(strangers: tuple[Page, Page]) -> None:
    anna, bruno = strangers
    heard = [*map(collect_complaints, strangers)]
    anna.goto("/sala/")
    anna.locator("[data-action=seek-scopa]").click()
    expect(anna.locator("[data-note=seeking]")).to_be_visible()
    anna.evaluate(WATCH_WAITING)
    until(lambda: anna.evaluate("() => globalThis.counts"), what="seconds that go on")  # and no page read anew
    bruno.goto("/sala/")
    bruno.locator("[data-seek]", has_text="Anna Straniera").locator("[data-action^=join-]").click()
    for page in strangers:
        page.wait_for_url(TABLE, timeout=SOON)
        expect(page.locator("#table[data-turn=mine], #table[data-turn=theirs]")).to_be_visible(timeout=SOON)
    first = anna.url

    give_up(bruno)
    for page in strangers:
        expect(page.locator("#result")).to_be_visible()
        page.locator("#rematch-ask").click()
    for page in strangers:
        page.wait_for_url(lambda url: bool(TABLE.search(url)) and url != first, timeout=SOON)
        expect(page.locator("#table[data-turn=mine], #table[data-turn=theirs]")).to_be_visible(timeout=SOON)

    for page, other, line in ((anna, "Bruno Straniero", -1), (bruno, "Anna Straniera", 1)):
        page.goto(first.replace("/tavoli/", "/partite/"))
        assert (read_level(page, other) - 1500) * line > 0
    assert heard == [[], []]
