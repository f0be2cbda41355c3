"""Quick entry in a real browser (O4): the keyboard alone, each keystroke counted, and without a script."""

import os
from collections.abc import Iterator
from datetime import datetime

import pytest
from playwright.sync_api import Browser, Page, expect

from players.models import Player
from tests.browser.keyboards import CountingKeyboard
from tests.support import live
from tests.support.people import create_person, sign_in
from tests.support.real_tables import draw_real
from tests.support.tournaments import GIRONE
from tournaments.models import Fixture, Tournament
from tournaments.organise import lifecycle
from tournaments.organise.settings import Settings

os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")  # what the test itself reads and writes

TABLES = 12


@pytest.fixture
def evening(transactional_db: None, now: datetime) -> Tournament:
    """A danese of 24 at 12 tables, of which the first round is drawn."""
    organiser: Player = create_person("Teresa", now)

    def opened(base: Settings = GIRONE, **changed: object) -> Tournament:
        settings = Settings(**{name: changed.get(name, getattr(base, name)) for name in Settings.__slots__})  # type: ignore[arg-type]
        made = lifecycle.create_tournament(organiser=organiser, settings=settings, now=now)
        return lifecycle.publish_tournament(tournament_id=made.pk, by=organiser, now=now)

    return draw_real(opened, 2 * TABLES, now, format="danese", format_options={"rounds": 5})


@pytest.fixture
def make_page(browser: Browser, live_site: live.Site, evening: Tournament) -> Iterator[object]:
    """Opens the page of quick entry, signed in as the organiser."""
    session = sign_in(evening.organiser).cookies["sessionid"].value
    contexts = []

    def make(**more: object) -> Page:
        context = browser.new_context(base_url=live_site.url, locale="it-IT", **more)  # type: ignore[arg-type]
        context.add_cookies([{"name": "sessionid", "value": session, "url": live_site.url}])
        contexts.append(context)
        page = context.new_page()
        page.goto(f"/tornei/{evening.public_id}/risultati/")
        return page

    yield make
    for context in contexts:
        context.close()


def count_done(tournament: Tournament) -> int:
    return Fixture.objects.of(tournament).filter(state=Fixture.State.DONE).count()


@pytest.mark.rule("O4")
def test_twelve_tables_cost_two_keys_each_beyond_the_points(make_page: object, evening: Tournament) -> None:
    page: Page = make_page()  # type: ignore[operator]
    keyboard = CountingKeyboard(page)
    for _table in range(TABLES):  # nobody waits for an answer: what is typed ahead is not lost
        keyboard.press("7", "Enter", "4", "Enter")
    expect(page.locator(".quick-result")).to_have_count(TABLES)
    assert keyboard.pressed == TABLES * (2 + 2)
    assert count_done(evening) == TABLES
    assert page.locator(".is-refused").count() == 0
    expect(page.locator(".quick-row").first).to_contain_text("VP")


@pytest.mark.rule("O4", "O5")
def test_another_table_comes_first_and_a_refusal_keeps_what_was_typed(make_page: object, evening: Tournament) -> None:
    page: Page = make_page()  # type: ignore[operator]
    keyboard = CountingKeyboard(page)
    keyboard.press("t", "9", "Enter", "7", "Enter", "5", "Enter")  # twelve points: no deal of tresette gives them
    ninth = page.locator('.quick-row[data-table="9"]')
    expect(ninth).to_have_class("quick-row is-refused")
    expect(ninth.locator('[name="points_1"]')).to_have_value("5")
    expect(page.locator('.quick-row[data-table="10"] [name="points_0"]')).to_be_focused()
    keyboard.press("t", "9", "Enter", "4", "Enter")
    expect(ninth.locator(".quick-result")).to_contain_text("vince")
    assert count_done(evening) == 1


@pytest.mark.rule("O4")
def test_without_a_script_the_same_keys_do_it(make_page: object, evening: Tournament) -> None:
    page: Page = make_page(java_script_enabled=False)  # type: ignore[operator]
    for points in ("7", "4", "6", "5"):
        with page.expect_navigation():
            page.keyboard.type(points)
            page.keyboard.press("Enter")
    assert count_done(evening) == 2
