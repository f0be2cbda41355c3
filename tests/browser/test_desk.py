"""Referee's desk in a browser: a call from a table, clocks held, time given back, a result corrected."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import DECK_FELL, SOON, collect_complaints, create_tournament, decide_at_desk, sign_up

PHONE = {"viewport": {"width": 390, "height": 780}, "is_mobile": True, "has_touch": True}


@pytest.fixture
def people(browser: Browser, base_url: str) -> Iterator[dict[str, Page]]:
    """The referee at a desk, one player at a desk, one with a telephone."""
    devices = {"Mara": {"viewport": {"width": 1280, "height": 900}}, "Pino": {}, "Gina": PHONE}
    contexts = {
        name: browser.new_context(base_url=base_url, locale="it-IT", reduced_motion="reduce", **more)
        for name, more in devices.items()
    }
    yield {name: context.new_page() for name, context in contexts.items()}
    for context in contexts.values():
        context.close()


def test_a_call_a_pause_time_back_and_a_result_f2_f4(people: dict[str, Page]) -> None:
    mara, pino, gina = people["Mara"], people["Pino"], people["Gina"]
    complaints = [collect_complaints(page) for page in people.values()]
    for name, page in people.items():
        sign_up(page, name)
    address = create_tournament(mara)
    for page in (pino, gina):
        page.goto(address)
        page.get_by_role("button", name="Iscriviti al torneo").click()
    for page in (pino, gina):
        page.get_by_role("link", name="Siediti al tavolo").first.click(timeout=60_000)
    expect(gina.locator("#table[data-status=playing]")).to_be_visible(timeout=SOON)

    mara.goto(f"{address}arbitro/")
    expect(mara.locator(".desk-table")).to_contain_text("Smazzata 1", timeout=SOON)
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
    mara.goto(page_of_fixture)
    decide_at_desk(mara, "tempo", minutes="5")
    expect(clock).not_to_have_text(before, timeout=SOON)
    mara.goto(page_of_fixture)
    decide_at_desk(mara, "riprendi")
    for page in (pino, gina):
        expect(page.locator("#turn")).not_to_have_text("Partita sospesa dall'arbitro", timeout=SOON)

    mara.goto(page_of_fixture)
    decide_at_desk(mara, "risultato", points_0="7", points_1="4", winner="0")
    for page in (pino, gina):
        expect(page.locator("#result-title")).to_contain_text("Partita fermata dall'arbitro", timeout=SOON)
    gina.goto(address)
    expect(gina.locator("#rulings")).to_contain_text("7–4, vince", timeout=SOON)
    expect(gina.locator("#rulings")).to_contain_text(DECK_FELL, timeout=SOON)
    expect(gina.locator("#rulings li")).to_have_count(4)
    assert [complaint for listed in complaints for complaint in listed] == []
