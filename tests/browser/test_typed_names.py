"""Names typed faster than the site answers (O2): each is entered once, in its order, and a refused one is told."""

import os
from collections.abc import Iterator
from datetime import datetime

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from players.models import Player
from tests.support import live
from tests.support.people import create_person, sign_in
from tests.support.real_tables import open_real
from tests.support.tournaments import GIRONE
from tournaments.models import EntryMember, Tournament
from tournaments.organise import lifecycle
from tournaments.organise.settings import Settings

os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")  # what the test itself reads and writes


@pytest.fixture
def evening(transactional_db: None, now: datetime) -> Tournament:
    """A tournament at real tables whose entries are open."""
    organiser: Player = create_person("Teresa", now)

    def opened(base: Settings = GIRONE, **changed: object) -> Tournament:
        settings = Settings(**{name: changed.get(name, getattr(base, name)) for name in Settings.__slots__})  # type: ignore[arg-type]
        made = lifecycle.create_tournament(organiser=organiser, settings=settings, now=now)
        return lifecycle.publish_tournament(tournament_id=made.pk, by=organiser, now=now)

    return open_real(opened)


@pytest.fixture
def page(browser: Browser, live_site: live.Site, evening: Tournament) -> Iterator[Page]:
    """The page of the entries, signed in as the organiser."""
    context = browser.new_context(base_url=live_site.url, locale="it-IT")
    session = sign_in(evening.organiser).cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_site.url}])
    page = context.new_page()
    page.goto(f"/tornei/{evening.public_id}/iscritti/")
    yield page
    context.close()


def list_names(tournament: Tournament) -> list[str]:
    members = EntryMember.objects.filter(tournament=tournament).order_by("pk")
    return list(members.values_list("person__typed_name", flat=True))


@pytest.mark.rule("O2")
def test_names_typed_before_the_answer_came_are_entered_one_by_one(page: Page, evening: Tournament) -> None:
    held: list[Route] = []
    page.route("**/iscritti/", lambda route: held.append(route) if len(held) < 1 else route.continue_())
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
