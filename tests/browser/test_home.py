"""The front page: one press to play the game one wants, against whom its line had named; the match, the tournaments."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from games.models import Match, Seek
from players.models import Player
from tests.browser.axe import THEMES, faults
from tests.browser.halls import SIDEWAYS, Hall, lay_hall, let_in
from tests.browser.pictures import take_picture
from tests.support import live
from tests.support.browser import collect_complaints
from tests.support.tournaments import Opened
from tournaments.core.shared_reads import forget_shared_reads

TABLE = re.compile(r"/tavoli/(?!nuovo/|libero/)\w+/")
BOTTOM_BAR = 56
PRIMARY = "[data-action=play-now]"
Open = Callable[..., Page]


@pytest.fixture
def hall(opened: Opened) -> Hall:
    return lay_hall(opened, timezone.now())


@pytest.fixture
def open_home(browser: Browser, swept_site: live.Site) -> Iterator[Open]:
    """Give what opens the front page for a reader, in windows of a size."""
    forget_shared_reads()
    contexts = []

    def open_page(reader: Player | None = None, size: tuple[int, int] = (1280, 800), **more: Any) -> Page:
        viewport = {"width": size[0], "height": size[1]}
        context = browser.new_context(base_url=swept_site.url, viewport=viewport, **more)  # type: ignore[arg-type]
        contexts.append(context)
        if reader is not None:
            let_in(context, reader, swept_site.url)
        page = context.new_page()
        page.goto("/")
        return page

    yield open_page
    for context in contexts:
        context.close()


def read_box(page: Page, selector: str, number: int = 0) -> dict[str, float]:
    box: dict[str, float] = page.evaluate(
        """([selector, number]) => {
          const { top, bottom, height } = document.querySelectorAll(selector)[number].getBoundingClientRect();
          return { top, bottom, height };
        }""",
        [selector, number],
    )
    return box


@pytest.mark.parametrize("language", ["it-IT", pytest.param("en-GB", marks=pytest.mark.soak)])
def test_the_primary_act_is_in_the_first_screen_of_every_width(hall: Hall, open_home: Open, language: str) -> None:
    page = open_home(locale=language)
    heard = collect_complaints(page)
    if language == "it-IT":
        take_picture(page, "home-visitor-1280")
        take_picture(page, "home-visitor-390", size=(390, 844))
    assert read_box(page, ".hero")["height"] <= 376
    assert read_box(page, PRIMARY)["bottom"] <= 420
    expect(page.locator(".next-card")).to_have_count(6)
    assert read_box(page, ".next-card", 5)["bottom"] <= 800
    expect(page.locator(".empty")).to_have_count(0)
    expect(page.locator("h1")).to_have_count(1)
    if language == "it-IT":
        assert faults(page, THEMES) == []
    page.emulate_media(color_scheme="light")
    for width, height, most in ((390, 844, 600), (360, 640, 584), (320, 568, 568 - BOTTOM_BAR)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(SIDEWAYS) <= 0
        assert read_box(page, PRIMARY)["bottom"] <= min(most, height - BOTTOM_BAR)
        expect(page.locator(".next-card:visible")).to_have_count(4)
        if width == 390:
            assert read_box(page, ".hero .chip")["top"] == read_box(page, ".hero .chip", 3)["top"], "one line of chips"
            assert faults(page) == []
    assert heard == []


@pytest.mark.rule("B2")
def test_one_press_plays_against_whoever_waits_for_the_game(hall: Hall, open_home: Open) -> None:
    page = open_home()
    expect(page.locator(".opponent:visible")).to_contain_text("2 persone aspettano a Scopa.")
    page.locator(PRIMARY).click()
    page.wait_for_url(TABLE)
    assert Match.objects.latest("pk").house_seats == 0
    page.goto("/")
    expect(page.locator("h1")).to_contain_text("Ciao")
    assert read_box(page, ".hero")["height"] <= 120


@pytest.mark.rule("B4")
def test_where_nobody_waits_the_line_names_the_house_and_the_first_card_is_one_press_away(
    open_home: Open, transactional_db: None
) -> None:
    page = open_home(size=(360, 640))
    line = page.locator(".opponent:visible")
    expect(line).to_contain_text("giochi con la casa")
    page.locator("label.chip", has_text="Briscola").click()
    expect(line).to_have_attribute("data-game", "briscola")
    page.locator(PRIMARY).click()
    page.wait_for_url(TABLE)
    expect(page.locator("#hand button").first).to_be_visible()
    match = Match.objects.get()
    assert (match.ruleset, match.house_seats > 0) == ("briscola", True)
    visitor = page.context
    visitor.clear_cookies(name="sessionid")
    page.goto("/")
    expect(page.get_by_role("radio", name="Briscola")).to_be_checked()  # kept for the next visit


@pytest.mark.rule("B4")
def test_whoever_wants_a_person_says_so_in_the_line_and_is_seated_opposite_nobody_else(
    open_home: Open, transactional_db: None
) -> None:
    page = open_home()
    page.locator(".opponent:visible").get_by_text("Aspetto una persona").click()
    expect(page.locator(".opponent:visible")).to_contain_text("appena arriva qualcuno")
    page.get_by_role("switch", name="Aspetto una persona").focus()
    page.keyboard.press("Space")
    expect(page.locator(".opponent:visible")).to_contain_text("la casa")
    page.keyboard.press("Space")
    page.locator(PRIMARY).click()
    page.wait_for_url("**/sala/")
    assert not Seek.objects.get().house
    assert not Match.objects.exists()


def test_the_other_games_open_in_place_and_without_a_script_in_the_lobby(
    open_home: Open, transactional_db: None
) -> None:
    page = open_home(size=(390, 844))
    page.get_by_role("link", name="altri 5").click()
    expect(page.locator(".hero-tiles .tile")).to_have_count(5)
    assert faults(page) == []
    page.locator("[data-action=seek-scopone]").click()
    page.wait_for_url(TABLE)
    assert Match.objects.get().ruleset == "scopone"
    plain = open_home(java_script_enabled=False)
    plain.get_by_role("link", name="altri 5").click()
    plain.wait_for_url("**/sala/")
    plain.goto("/")
    plain.get_by_role("radio", name="Tresette").check(force=True)
    plain.locator(PRIMARY).click()
    plain.wait_for_url(TABLE)


def test_the_line_of_opponents_is_told_anew_while_the_page_is_open(hall: Hall, open_home: Open) -> None:
    page = open_home()
    expect(page.locator(".opponent:visible")).to_contain_text("2 persone")
    Seek.objects.filter(player=hall.marta).delete()
    expect(page.locator(".opponent:visible")).to_contain_text("1 persona aspetta a Scopa.")
