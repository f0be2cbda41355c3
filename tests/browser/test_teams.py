"""Teams at real tables by keyboard (O12): typed with their people, and who plays the next round."""

from collections.abc import Callable
from datetime import datetime

import pytest
from playwright.sync_api import Page, expect

from tests.support.real_tables import draw_present, open_real
from tests.support.tournaments import Opened
from tournaments.core.reads import read_entries

pytestmark = pytest.mark.rule("O12")


def test_teams_are_typed_and_line_ups_named_by_the_keyboard_alone(
    open_as_organiser: Callable[..., Page], opened: Opened, now: datetime
) -> None:
    evening = open_real(opened, team_size=3)
    page = open_as_organiser(f"/tornei/{evening.public_id}/iscritti/")
    page.locator("#aggiungi input[type=text]").first.focus()
    for team, people in (("Leoni", "Ada, Bice, Ciro"), ("Volpi", "Dora - Elio")):
        page.keyboard.type(team)
        page.keyboard.press("Tab")
        page.keyboard.type(people)
        page.keyboard.press("Enter")
    expect(page.locator(".people li")).to_have_count(2)
    assert {row.name: row.people for row in read_entries(evening).values()} == {
        "Leoni": ("Ada", "Bice", "Ciro"), "Volpi": ("Dora", "Elio"),
    }  # fmt: skip
    draw_present(evening, now)

    page.goto(page.url.replace("/iscritti/", "/formazioni/"))
    card = page.locator("[data-card^=t]", has_text="Leoni")
    card.locator("summary").focus()
    page.keyboard.press("Enter")
    for _name in ("Ada", "Bice"):
        page.keyboard.press("Tab")
        page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(card.locator("summary")).to_contain_text("Bice")
    expect(card.locator("summary")).not_to_contain_text("Ada")
