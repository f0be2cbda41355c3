"""A tournament's page in its states, as people see it: waiting, with their table open, over; and without a script."""

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from games.models import Match
from players.models import Player
from tests.browser.axe import THEMES, faults
from tests.browser.layouts import measure
from tests.browser.pictures import take_picture
from tests.support import live
from tests.support.entries import enter_all, fill_sit_and_go
from tests.support.people import create_person, sign_in
from tests.support.play import open_ready, rounds_played
from tests.support.tournaments import GIRONE, KO, PAIRS, Opened
from tournaments.entries.house import enter_house_players
from tournaments.models import Tournament

NAMES = ("Peppino", "Marta", "Nino di Bari", "Ida", "Rocco", "Gegè")
PHONE, SMALL_PHONE, DESK = ({"width": w, "height": h} for w, h in ((390, 844), (360, 640), (1280, 800)))
SIZES = pytest.mark.parametrize(
    "size",
    [
        pytest.param(SMALL_PHONE, id="360"),
        pytest.param(PHONE, id="390", marks=pytest.mark.soak),  # between the two others
        pytest.param(DESK, id="1280"),
    ],
)
HASH = re.compile(r"\b[0-9a-f]{8,}\b")
SIDEWAYS = "document.scrollingElement.scrollWidth - innerWidth"
SHIFTS = """
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
"""
MOST_SHIFT = 0.02
SHOWN = "[...document.querySelectorAll('[data-panel]')].filter((e) => e.checkVisibility()).map((e) => e.dataset.panel)"
SECONDS = """() => ({
  title: document.title.match(/^\\d+:\\d\\d/)?.[0],
  banner: document.querySelector("#table-banner time")?.textContent,
  card: document.querySelector("#adesso time")?.textContent,
})"""

Look = Callable[..., Page]


@pytest.fixture
def people(transactional_db: None, now: datetime) -> list[Player]:
    return [create_person(name, now) for name in NAMES]


@pytest.fixture
def look(live_site: live.Site, request: pytest.FixtureRequest) -> Iterator[Look]:
    """Give what opens a tournament's page for one reader, in a window of this size."""
    browser: Browser = request.getfixturevalue("browser")  # after the site: its thread wants the first loop
    contexts = []

    def look(tournament: Tournament, reader: Player | None, size: Any = DESK, **more: Any) -> Page:
        context = browser.new_context(base_url=live_site.url, locale="it-IT", viewport=size, **more)
        contexts.append(context)
        if reader is not None:
            session = sign_in(reader).cookies["sessionid"].value
            context.add_cookies([{"name": "sessionid", "value": session, "url": live_site.url}])
        page = context.new_page()
        page.add_init_script(SHIFTS)
        page.goto(reverse("tournament", args=[tournament.public_id]))
        return page

    yield look
    for context in contexts:
        context.close()


def expect_sound(page: Page) -> None:
    """Check what every state keeps: nothing jumps, nothing sideways, no digits of a commitment, nothing for axe."""
    assert page.evaluate(SIDEWAYS) <= 0
    assert page.evaluate("window.shifts") < MOST_SHIFT
    assert HASH.findall(page.locator("main").inner_text()) == []
    assert page.locator("h1").count() == 1
    assert faults(page, THEMES) == []


def call(match: Match) -> Match:
    """Have a table wait for two minutes from now."""
    Match.objects.filter(pk=match.pk).update(noshow_at=timezone.now() + timedelta(seconds=120))
    return match


@pytest.mark.rule("W1", "G8")
@SIZES
def test_an_open_table_is_called_with_the_same_seconds_three_times(
    look: Look, opened: Opened, people: list[Player], size: dict[str, int]
) -> None:
    tournament = fill_sit_and_go(opened, people[:2], timezone.now() - timedelta(seconds=10))
    [match] = open_ready(tournament, timezone.now())
    call(match)
    page = look(tournament, people[0], size)
    page.locator("[data-stay]").click()  # else it is left before it has been looked at
    expect(page).to_have_title(re.compile(r"^[12]:\d\d Il tuo tavolo$"))
    take_picture(page, f"tournament-states-{size['width']}-called")
    told = page.evaluate(SECONDS)
    seconds = [int(minutes) * 60 + int(rest) for minutes, rest in (text.split(":") for text in told.values())]
    assert max(seconds) - min(seconds) <= 1, told
    seat = page.locator("#adesso .now-acts > a")
    box = measure(seat)
    assert box["y"] + box["height"] <= min(600, size["height"])
    expect(page.locator("#adesso .countdown circle + circle")).to_have_attribute("stroke-dasharray", re.compile(r"^\d"))
    expect_sound(page)
    seat.click()
    page.wait_for_url(f"**{reverse('table', args=[match.public_id])}")


@pytest.mark.rule("W1")
def test_who_stays_on_the_page_is_left_there_and_who_does_not_is_seated(
    look: Look, opened: Opened, people: list[Player]
) -> None:
    tournament = fill_sit_and_go(opened, people[:2], timezone.now() - timedelta(seconds=10))
    [match] = open_ready(tournament, timezone.now())
    stays = look(tournament, people[0])
    line = stays.locator("[data-opening]")
    stays.locator("[data-stay]").click()  # before anything else: the page waits for some seconds only
    goes = look(tournament, people[1])
    expect(line).not_to_have_attribute("data-left", re.compile("."))
    goes.wait_for_url(f"**{reverse('table', args=[match.public_id])}")
    stays.reload()
    expect(stays.locator("#table-banner time")).to_be_visible()
    assert line.get_attribute("data-left") is None, "nor later, in this window"


@SIZES
def test_who_waits_sees_who_is_in_and_what_is_missing(
    look: Look, opened: Opened, people: list[Player], size: dict[str, int]
) -> None:
    tournament = enter_all(opened(KO, max_entries=8, house_allowed=True), people[:5], timezone.now())
    enter_house_players(tournament_id=tournament.pk, count=1, now=timezone.now())
    page = look(tournament, people[0], size)
    expect(page.locator("#adesso .countdown-said")).to_contain_text("6/8")
    expect(page.locator("#adesso .now-big")).to_have_text("Sei dentro. Mancano 2.")
    expect(page.locator(".entries > li")).to_have_count(7)
    expect(page.locator(".entries .portrait-house")).to_have_count(1)
    take_picture(page, f"tournament-states-{size['width']}-before")
    expect(page.locator(".entries .free-place .button")).to_have_attribute("href", re.compile(tournament.public_id))
    enter_all(tournament, people[5:], timezone.now())
    expect(page.locator("#adesso .now-big")).to_have_text("Sei dentro. Manca 1.")  # in place, by itself
    expect_sound(page)


@SIZES
def test_a_tournament_that_is_over_shows_people_on_the_podium_and_the_house_below_without_a_place(
    look: Look, opened: Opened, people: list[Player], size: dict[str, int]
) -> None:
    tournament = enter_all(opened(KO, max_entries=8, house_allowed=True), people, timezone.now())
    enter_house_players(tournament_id=tournament.pk, count=2, now=timezone.now())
    rounds_played(tournament, timezone.now())
    house = list(tournament.members.bots().values_list("person__player__name", flat=True))
    page = look(tournament, people[0], size)
    podium = page.locator(".podium")
    expect(podium.locator(".podium-step[data-place='1']")).to_be_visible()
    assert [name for name in house if name in podium.inner_text()] == []
    rows = page.locator(".end-table tbody tr")
    expect(rows).to_have_count(8)
    take_picture(page, f"tournament-states-{size['width']}-over")
    places = [text.strip() for text in rows.locator("td:first-child").all_inner_texts()]
    assert places[-2:] == ["–", "–"]
    assert [name for name in house if name in rows.nth(6).inner_text() + rows.nth(7).inner_text()] == house
    expect_sound(page)


def test_one_person_alone_has_no_podium(look: Look, opened: Opened, people: list[Player]) -> None:
    tournament = enter_all(opened(KO, max_entries=4, house_allowed=True), people[:1], timezone.now())
    enter_house_players(tournament_id=tournament.pk, count=3, now=timezone.now())
    rounds_played(tournament, timezone.now())
    page = look(tournament, people[0])
    expect(page.locator("[data-note=alone]")).to_be_visible()
    expect(page.locator(".podium")).to_have_count(0)
    assert {text.strip() for text in page.locator(".end-table td:first-child").all_inner_texts()} == {"–"}


@pytest.mark.parametrize(
    "base", [pytest.param(GIRONE, id="alone"), pytest.param(PAIRS, id="pairs", marks=pytest.mark.soak)]
)
def test_standings_and_rounds_stand_together_at_the_desk_and_behind_tabs_on_a_telephone(
    look: Look, opened: Opened, people: list[Player], base: Any
) -> None:
    entries = people[:4] if base is GIRONE else []
    tournament = enter_all(opened(base, house_allowed=base is PAIRS), entries, timezone.now())
    if base is PAIRS:
        enter_house_players(tournament_id=tournament.pk, count=4, now=timezone.now())
    desk, phone = look(tournament, None), look(tournament, None, PHONE)
    assert desk.evaluate(SHOWN) == ["classifica", "turni", "regole"]
    assert phone.evaluate(SHOWN) == ["classifica"]
    if base is GIRONE:
        take_picture(desk, "tournament-states-1280-running")
        take_picture(phone, "tournament-states-390-running")
    phone.locator(".tab", has_text="Turni").click()
    assert phone.evaluate(SHOWN) == ["turni"]
    phone.keyboard.press("ArrowRight")
    assert phone.evaluate(SHOWN) == ["iscritti"]
    for page in (desk, phone):
        expect_sound(page)


def test_the_page_is_read_without_a_script(look: Look, opened: Opened, people: list[Player]) -> None:
    tournament = enter_all(opened(KO, max_entries=8), people[:3], timezone.now())
    page = look(tournament, people[0], PHONE, java_script_enabled=False)
    expect(page.locator("[data-panel=iscritti]")).to_be_visible()
    for name, panel in (("Regole", "regole"), ("Diario", "diario"), ("Condividi", "condividi")):
        page.locator(".tab", has_text=name).click()
        expect(page.locator(f"[data-panel={panel}]")).to_be_visible()
        expect(page.locator("[data-panel=iscritti]")).to_be_hidden()
    expect(page.get_by_role("button", name="Ritirati")).to_be_visible()
