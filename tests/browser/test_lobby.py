"""The lobby: a tap on a tile seeks, a second stops; one list behind its chips; the bar of whoever waits; the drawer."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from games.lobby import seeks
from games.lobby.kinds import SeekKind
from games.models import Seek
from players.models import Player
from tests.browser.axe import THEMES, faults
from tests.browser.halls import SIDEWAYS, WATCH_SHIFTS, Hall, lay_hall, let_in
from tests.browser.layouts import measure
from tests.browser.pictures import take_picture
from tests.support import live
from tests.support.browser import collect_complaints
from tests.support.people import create_person
from tests.support.tournaments import Opened

LOBBY = "/sala/"
DESK, SMALL_TELEPHONE, TELEPHONE = (1280, 800), (360, 640), (390, 844)
HEIGHT = "() => document.scrollingElement.scrollHeight"
BOTTOM_BAR = 56
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
Open = Callable[..., Page]


@pytest.fixture
def hall(opened: Opened) -> Hall:
    return lay_hall(opened, timezone.now())


@pytest.fixture
def open_lobby(browser: Browser, live_site: live.Site) -> Iterator[Open]:
    """Give what opens the lobby for a reader, in windows of a size."""
    contexts = []

    def open_page(reader: Player | None, size: tuple[int, int], path: str = LOBBY, **more: Any) -> Page:
        viewport = {"width": size[0], "height": size[1]}
        context = browser.new_context(base_url=live_site.url, viewport=viewport, **more)  # type: ignore[arg-type]
        contexts.append(context)
        if reader is not None:
            let_in(context, reader, live_site.url)
        page = context.new_page()
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()


def read_bottom(page: Page, selector: str, number: int = 0) -> float:
    box = measure(page.locator(selector).nth(number))
    return box["y"] + box["height"]


@pytest.mark.rule("B1")
@pytest.mark.parametrize("language", ["it-IT", pytest.param("en-GB", marks=pytest.mark.soak)])
def test_everything_there_is_to_join_is_in_the_first_screen(hall: Hall, open_lobby: Open, language: str) -> None:
    page = open_lobby(hall.peppino, DESK, locale=language)
    heard = collect_complaints(page)
    assert page.evaluate(HEIGHT) <= 900
    assert (page.locator("h1").count(), page.locator("main h2:visible").count()) == (1, 1)
    expect(page.locator(".tile")).to_have_count(8)
    expect(page.locator(".list-row")).to_have_count(8)
    if language == "it-IT":
        take_picture(page, "lobby-states-1280")
        assert faults(page, THEMES) == []
    for width, height in (TELEPHONE, SMALL_TELEPHONE, (320, 568)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(SIDEWAYS) <= 0
        assert page.evaluate("() => [...document.querySelectorAll('.tile')].every((e) => e.offsetHeight === 76)")
        if width == TELEPHONE[0]:
            assert read_bottom(page, ".list-row", 1) <= height - BOTTOM_BAR
            assert faults(page) == []
    assert heard == []


@pytest.mark.rule("B1")
def test_chips_filter_the_list_with_or_without_a_script_and_stay_as_chosen(hall: Hall, open_lobby: Open) -> None:
    for scripted in (True, False):
        page = open_lobby(None, DESK, java_script_enabled=scripted)
        page.locator("label.chip", has_text="Tavoli").click()
        expect(page.locator(".list-row:visible")).to_have_count(1)
        expect(page.locator(".list-row:visible")).to_contain_text("Tavolo di Gegè")
    page = open_lobby(None, DESK)
    page.locator("label.chip", has_text="Guarda").click()
    with page.expect_response(lambda answer: answer.url.endswith(LOBBY)):
        seeks.seek_match(player=create_person("Nunzia", timezone.now()), kind=SeekKind("briscola"), now=timezone.now())
    expect(page.locator("label.chip", has_text="Cercano 4")).to_be_visible()
    expect(page.locator(".list-row:visible")).to_have_count(2)


@pytest.mark.rule("B2", "B4")
def test_one_tap_seeks_the_bar_goes_along_and_a_second_tap_stops(hall: Hall, open_lobby: Open) -> None:
    page = open_lobby(hall.peppino, TELEPHONE)
    page.locator("[data-action=seek-briscola]").click()
    bar = page.locator("#seek-bar")
    expect(bar).to_contain_text("Aspetti a Briscola")
    assert Seek.objects.filter(player=hall.peppino, ruleset="briscola", house=False).exists()
    take_picture(page, "lobby-states-390")
    take_picture(page, "lobby-waiting-dark-1280", size=(1280, 800), theme="dark")
    assert page.evaluate("() => document.getElementById('seek-bar').offsetHeight") == BOTTOM_BAR
    assert page.evaluate(SIDEWAYS) <= 0
    expect(page).to_have_title(re.compile(r"^\d:\d\d Aspetti$"))
    tops = "() => [...document.querySelectorAll('#seek-bar *, .tile')].map((e) => e.getBoundingClientRect().x)"
    before, said = page.evaluate(tops), page.title()
    page.wait_for_function("(said) => document.title !== said", arg=said)
    assert page.evaluate(tops) == before, "nothing moves when the seconds change"
    expect(page.locator("[data-action=seek-briscola]")).to_have_attribute("aria-pressed", "true")
    assert faults(page, THEMES) == []
    page.goto("/regole/")
    expect(bar).to_be_visible()
    expect(page).to_have_title(re.compile(r"^\d:\d\d Aspetti$"))
    Seek.objects.filter(player=hall.peppino).delete()  # as it is paired, or ended in another window
    page.goto(LOBBY)
    expect(bar).to_have_count(0)
    page.locator("[data-action=seek-briscola]").click()
    page.locator("[data-action=seek-briscola]").click()
    expect(bar).to_have_count(0)
    assert not Seek.objects.filter(player=hall.peppino).exists()


@pytest.mark.rule("B4")
def test_in_an_empty_hall_the_house_is_chosen_beforehand_and_can_be_switched_off(
    open_lobby: Open, transactional_db: None
) -> None:
    page = open_lobby(create_person("Sola", timezone.now()), DESK)
    switch = page.get_by_role("checkbox", name="dopo 30 s la casa")
    expect(switch).to_be_checked()
    expect(page.locator("[data-note=nobody_seeks]")).to_be_visible()
    page.locator("[data-action=seek-scopa]").click()
    expect(page.locator("[data-note=house_chosen]")).to_contain_text("la casa entro")
    page.locator("[data-action=end]").click()
    switch.uncheck()
    page.reload()
    expect(switch).not_to_be_checked()
    page.locator("[data-action=seek-scopa]").click()
    expect(page.locator("#seek-bar")).to_be_visible()
    assert not Seek.objects.get().house
    page.get_by_role("button", name="Gioca con la casa").click()
    page.wait_for_url(re.compile(r"/tavoli/(?!libero)\w+/"))


@pytest.mark.rule("B2")
def test_the_drawer_says_its_folded_values_and_seeks_what_was_chosen_without_a_script_too(
    hall: Hall, open_lobby: Open
) -> None:
    for scripted in (True, False):
        page = open_lobby(hall.peppino, TELEPHONE, java_script_enabled=scripted)
        drawer = page.locator("#cerca")
        expect(drawer).to_be_hidden()
        page.get_by_role("button", name="Cerca a modo tuo").click()
        expect(drawer).to_be_visible()
        box = measure(page.locator("[data-action=seek]"))
        assert box["y"] + box["height"] <= TELEPHONE[1]
        page.get_by_role("radio", name="a coppie").check(force=True)
        page.get_by_role("radio", name=re.compile("^lampo")).check(force=True)
        page.locator("#cerca-di-piu > summary").click()
        if scripted:
            page.locator("[name=lowest]").fill("1300")
            expect(page.locator(".folded-value")).to_have_text("1300–…, compagno qualsiasi")
            assert faults(page) == []
        page.locator("[data-action=seek]").click()
        expect(page.locator("#seek-bar")).to_contain_text("Aspetti a Scopa")
        mine = Seek.objects.get(player=hall.peppino)
        assert (mine.form, mine.speed) == ("pairs", "lampo")
        mine.delete()


def test_nothing_jumps_while_the_page_is_live(hall: Hall, open_lobby: Open) -> None:
    for path in (LOBBY, "/"):
        page = open_lobby(None, TELEPHONE, path="/healthz")
        page.add_init_script(WATCH_SHIFTS)
        page.goto(path)
        page.wait_for_function("() => document.fonts.status === 'loaded'")
        name = f"Nunzia {path.strip('/')}"
        with page.expect_response(lambda answer: "/vetrina/" in answer.url or answer.url.endswith(LOBBY)):
            seeks.seek_match(player=create_person(name, timezone.now()), kind=SeekKind(), now=timezone.now())
        page.wait_for_function(TWO_FRAMES)
        assert page.evaluate("shifted") < 0.02, path


def test_a_telephone_has_its_ways_at_the_foot_but_not_at_the_table(hall: Hall, open_lobby: Open) -> None:
    page = open_lobby(None, SMALL_TELEPHONE)
    bar = page.locator(".bottom-bar")
    expect(bar.locator("> *")).to_have_text(["Gioca", "Tornei", "Classifiche", "Circoli", "Altro"])
    expect(page.locator(".site-nav")).to_be_hidden()
    bar.get_by_role("link", name="Tornei").click()
    expect(page.locator("h1")).to_have_text("Tornei")
    expect(bar.get_by_role("link", name="Tornei")).to_have_attribute("aria-current", "page")
    bar.get_by_role("button", name="Altro").click()
    page.locator("#altro").get_by_role("link", name="Regole").click()
    page.wait_for_url(f"**{reverse('rules')}")
    assert int(read_bottom(page, "footer")) <= page.evaluate(HEIGHT) - BOTTOM_BAR, "nothing lies behind it"
    page.goto("/impara/scopa/1/")
    expect(bar).to_have_count(0)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(LOBBY)
    expect(bar).to_be_hidden()
    expect(page.locator(".site-nav")).to_be_visible()
