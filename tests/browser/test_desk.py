"""Referee's desk in a browser: a call from a table, clocks held, time given back, a result corrected."""

import re
from collections.abc import Iterator

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from players.models import Player
from tests.support.browser import DECK_FELL, SOON, collect_complaints, decide_at_desk
from tests.support.people import create_person, sign_in
from tests.support.tournaments import GIRONE, make_opened
from tournaments.desk import clocks
from tournaments.desk.act import Act
from tournaments.models import Fixture

pytestmark = pytest.mark.usefixtures("swept_site")

PHONE = {"viewport": {"width": 390, "height": 780}, "is_mobile": True, "has_touch": True}


@pytest.fixture
def players(transactional_db: None) -> dict[str, Player]:
    return {name: create_person(name, timezone.now()) for name in ("Mara", "Pino", "Gina")}


@pytest.fixture
def people(browser: Browser, base_url: str, players: dict[str, Player]) -> Iterator[dict[str, Page]]:
    """The referee at a desk, one player at a desk, one with a telephone."""
    devices = {"Mara": {"viewport": {"width": 1280, "height": 900}}, "Pino": {}, "Gina": PHONE}
    contexts = {name: browser.new_context(base_url=base_url, **more) for name, more in devices.items()}
    for name, context in contexts.items():
        session = sign_in(players[name]).cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": session, "url": base_url}])
    yield {name: context.new_page() for name, context in contexts.items()}
    for context in contexts.values():
        context.close()


def test_a_call_a_pause_time_back_and_a_result_f2_f4(people: dict[str, Page], players: dict[str, Player]) -> None:
    mara, pino, gina = people["Mara"], people["Pino"], people["Gina"]
    complaints = [collect_complaints(page) for page in people.values()]
    tournament = make_opened(players["Mara"], timezone.now())(GIRONE, ruleset="scopa", max_entries=2)
    address = f"/tornei/{tournament.public_id}/"
    for page in (pino, gina):
        page.goto(address)
        page.get_by_role("button", name="Iscriviti al torneo").click()
    for page in (pino, gina):
        page.wait_for_url("**/tavoli/**", timeout=SOON)  # led there by the tournament's page
    expect(gina.locator("#table[data-status=playing]")).to_be_visible(timeout=SOON)

    mara.goto(f"{address}arbitro/")
    expect(mara.locator(".desk-table")).to_contain_text("Smazzata 1", timeout=SOON)
    gina.locator("#options-open").click()
    gina.get_by_role("button", name="Chiama l'arbitro").click()
    gina.locator("#call-text").fill("Non si vede più niente")
    gina.get_by_role("button", name="Chiama", exact=True).click()
    expect(gina.locator("#toast")).to_contain_text("L'arbitro è stato chiamato", timeout=SOON)
    expect(mara.locator(".desk-call")).to_contain_text("Non si vede più niente", timeout=SOON)
    mara.get_by_role("button", name="L'ho vista").click()
    expect(mara.locator(".desk-call")).to_have_count(0, timeout=SOON)
    expect(gina.locator("#table-banner")).to_contain_text("L'arbitro ha visto la chiamata", timeout=SOON)

    mara.get_by_role("link", name=re.compile("^Decidi")).first.click()
    page_of_fixture = mara.url
    decide_at_desk(mara, "sospendi")
    for page in (pino, gina):
        expect(page.locator("#turn")).to_have_text("Partita sospesa dall'arbitro", timeout=SOON)
    expect(mara.locator(".desk-table")).to_contain_text("sospeso", timeout=SOON)
    clock = pino.locator(".match-clock").first
    before = clock.inner_text()
    about = {"tournament_id": tournament.pk, "fixture_id": Fixture.objects.of(tournament).get().pk}
    act = Act(by=players["Mara"], reason=DECK_FELL, now=timezone.now())
    for name in ("Pino", "Gina"):
        clocks.give_time(**about, player_id=players[name].pk, minutes=5, act=act)
    expect(clock).not_to_have_text(before, timeout=SOON)
    clocks.resume_clocks(**about, act=act)
    for page in (pino, gina):
        expect(page.locator("#turn")).not_to_have_text("Partita sospesa dall'arbitro", timeout=SOON)

    mara.goto(page_of_fixture)
    decide_at_desk(mara, "risultato", points_0="7", points_1="4", winner="0")
    for page in (pino, gina):
        expect(page.locator("#result-title")).to_contain_text("Partita fermata dall'arbitro", timeout=SOON)
    gina.goto(address)
    expect(gina.locator("#rulings")).to_contain_text("7–4, vince", timeout=SOON)
    expect(gina.locator("#rulings")).to_contain_text(DECK_FELL, timeout=SOON)
    expect(gina.locator("#rulings li")).to_have_count(5)
    assert [complaint for listed in complaints for complaint in listed] == []
