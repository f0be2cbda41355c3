"""Names typed faster than the site answers (O2): each is entered once, in its order, and a refused one is told."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.interception import intercept
from tests.support.real_tables import open_real
from tests.support.tournaments import Opened
from tournaments.models import EntryMember, Tournament


def list_names(tournament: Tournament) -> list[str]:
    members = EntryMember.objects.filter(tournament=tournament).order_by("pk")
    return list(members.values_list("person__typed_name", flat=True))


@pytest.mark.rule("O2")
def test_names_typed_before_the_answer_came_are_entered_one_by_one(
    open_as_organiser: Callable[..., Page], opened: Opened
) -> None:
    evening = open_real(opened)
    page = open_as_organiser(f"/tornei/{evening.public_id}/iscritti/")
    held: list[Route] = []
    intercept(page, "**/iscritti/", lambda route: held.append(route) if len(held) < 1 else route.continue_())
    field = page.locator("#aggiungi input[type=text]").first
    field.focus()
    for name in ("Ada", "Bice", "Ciro"):
        page.keyboard.type(name)
        page.keyboard.press("Enter")
    page.keyboard.type("Dor")
    assert list_names(evening) == [], "the first is still on its way"
    held[0].continue_()
    expect(page.locator(".people li")).to_have_count(3)
    expect(field).to_be_focused()
    page.keyboard.type("a")
    page.keyboard.press("Enter")
    expect(page.locator(".people li")).to_have_count(4)
    assert list_names(evening) == ["Ada", "Bice", "Ciro", "Dora"]

    page.keyboard.type("admin")
    page.keyboard.press("Enter")
    expect(page.locator("#names-said")).to_contain_text("admin:")
    expect(field).to_have_value("admin")
    assert len(list_names(evening)) == 4
