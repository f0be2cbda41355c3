"""An organiser's evening on one screen (EV12), in a real browser: by keys, by touch, and beside each other."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import faults
from tests.browser.pictures import take_picture
from tests.support.real_tables import draw_present, open_real, type_names
from tests.support.tournaments import Opened
from tournaments.evening.queries import read_door
from tournaments.fees.actions import set_fees
from tournaments.models import Fixture, Tournament

NAMES = (
    "Anna Bianchi", "Beppe Sala", "Carla Neri", "Dino Verdi", "Ezio Prati", "Franco Serra", "Gino Ferrari", "Ida Luni",
    "Lea Bruno", "Mara Ricci", "Nino Lo Cascio", "Olga Conte", "Pina Gallo", "Rosa Esposito", "Sante Ferri",
    "Teo Vinci", "Ugo Monti", "Vera Costa", "Zeno Riva", "Zita Bo", "Elio Greco", "Fabio Leone", "Gaia Bassi",
    "Nicolò Gallo",
)  # fmt: skip
DANESE: dict[str, Any] = {"format": "danese", "format_options": {"rounds": 5}}


def address_of(tournament: Tournament) -> str:
    return f"/tornei/{tournament.public_id}/serata/"


@pytest.fixture
def evening(opened: Opened, now: datetime) -> Tournament:
    """A danese with 24 names at the door and a fee of ten euros; nobody is here yet."""
    tournament = open_real(opened, name="Briscola del giovedì", **DANESE)
    type_names(tournament, NAMES, now)
    set_fees(tournament_id=tournament.pk, by=tournament.organiser, fee_cents=1000, prizes=(), now=now)
    return tournament


def is_drawn_with(tournament: Tournament, now: datetime) -> Tournament:
    draw_present(tournament, now)
    tournament.refresh_from_db()
    return tournament


@pytest.mark.rule("O1", "O10")
def test_presence_and_money_are_keys_at_one_field_without_a_load(
    open_as_organiser: Callable[..., Page], evening: Tournament
) -> None:
    page = open_as_organiser(address_of(evening))
    page.evaluate("window.stayed = true")
    field = page.locator("#door-name")
    field.fill("ferr g")
    expect(page.locator(".door-row:visible")).to_have_count(1)
    field.press("Enter")
    field.press("+")
    row = page.locator(".door-row", has_text="Gino Ferrari")
    expect(row.locator("[id^=presenza]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#door-sums")).to_contain_text("10")
    expect(field).to_be_focused()
    field.press("Enter")
    expect(page.locator("#door-chips")).to_contain_text("Mancano 24")
    field.press("+")
    expect(page.locator("#door-sums")).to_contain_text("0")
    expect(row.locator("[id^=quota]")).to_have_attribute("aria-pressed", "false")
    assert page.evaluate("window.stayed")
    assert not read_door(evening).here


@pytest.mark.rule("O1", "O10")
def test_every_row_is_one_tap_for_each(open_as_organiser: Callable[..., Page], evening: Tournament) -> None:
    page = open_as_organiser(address_of(evening))
    page.evaluate("window.stayed = true")
    for kind in ("presenza", "quota"):
        for button in page.locator(f"[id^={kind}-]").all()[:6]:
            button.click()
    expect(page.locator("#door-chips")).to_contain_text("Da pagare 18")
    expect(page.locator("#door-chips")).to_contain_text("Mancano 18")
    page.locator("[data-show=mancano]").click()
    expect(page.locator(".door-row:visible")).to_have_count(18)
    assert page.evaluate("window.stayed")
    assert len(read_door(evening).here) == 6


@pytest.mark.rule("O2")
def test_whoever_nobody_is_called_like_is_entered_by_a_second_enter(
    open_as_organiser: Callable[..., Page], evening: Tournament
) -> None:
    page = open_as_organiser(address_of(evening))
    field = page.locator("#door-name")
    field.fill("Yuri Sanna")
    field.press("Enter")
    expect(page.locator("#door-keys")).to_contain_text("Invio ancora")
    assert evening.entries.count() == len(NAMES)
    field.press("Enter")
    expect(page.locator(".door-row", has_text="Yuri Sanna")).to_be_visible()
    expect(field).to_have_value("")


@pytest.mark.rule("O4", "O13")
def test_a_result_is_typed_beside_the_door_and_nothing_scrolls(
    open_as_organiser: Callable[..., Page], evening: Tournament, now: datetime
) -> None:
    is_drawn_with(evening, now)
    page = open_as_organiser(address_of(evening))
    page.set_viewport_size({"width": 1280, "height": 800})
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "lists scroll inside"
    first = page.locator(".quick-row [name=points_0]").first
    first.focus()
    page.keyboard.press("t")
    page.keyboard.type("4")
    page.keyboard.press("Enter")
    expect(page.locator('.quick-row[data-table="4"] [name="points_0"]')).to_be_focused()
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    page.keyboard.type("4")
    page.keyboard.press("Enter")
    expect(page.locator('.quick-row[data-table="4"] .quick-result')).to_contain_text("vince")
    expect(page.locator("#round-progress")).to_contain_text("1 su 12")
    assert Fixture.objects.of(evening).filter(state=Fixture.State.DONE).count() == 1
    expect(page.locator("[data-note=waits]")).to_contain_text("11")
    take_picture(page, "organiser-evening-1280")
    take_picture(page, "organiser-states-390-evening", size=(390, 844))


@pytest.mark.rule("O7")
def test_a_touch_waits_for_the_line_and_arrives(open_as_organiser: Callable[..., Page], evening: Tournament) -> None:
    page = open_as_organiser(address_of(evening))
    page.context.set_offline(True)
    button = page.locator("[id^=presenza-]").first
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".door-row.is-unsent")).to_have_count(1)
    page.context.set_offline(False)
    expect(page.locator(".door-row.is-unsent")).to_have_count(0, timeout=20_000)
    assert len(read_door(evening).here) == 1


@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_fits_its_window(
    open_as_organiser: Callable[..., Page], evening: Tournament, now: datetime, width: int
) -> None:
    is_drawn_with(evening, now)
    page = open_as_organiser(address_of(evening))
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    set_fees(tournament_id=evening.pk, by=evening.organiser, fee_cents=0, prizes=(), now=now)
    page.reload()  # nothing is left to press in the rows of the door: they are scrolled by keys all the same
    assert faults(page) == []
