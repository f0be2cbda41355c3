"""Whole evening on PostgreSQL: the organiser at a desk, players on telephones, the house for the rest; a late
check-in and one who doesn't come, a leaver, a referee's correction, then what is printed and taken home."""

import os
import re
import tempfile
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from config.launcher import processes
from tests.browser.evenings import (
    A_MINUTE,
    DEVICES,
    WINNER,
    begins_in,
    correct,
    enter,
    leave,
    made,
    open_pages,
    play_a_card,
    recomputed,
    the_end,
)
from tests.services import MARK, PostgresServer
from tests.support.product import Product, environment, running
from tests.support.waiting import until

WINDOW = 75  # seconds from when the organiser brings the start nearer: the check-in is open for all of them


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Product, dict[str, str]]]:
    """The product on a PostgreSQL of its own, and the environment of its programs."""
    server = PostgresServer(Path(tempfile.mkdtemp(dir=os.environ[MARK])))  # where another user passes through
    process = server.start()
    env = {"DATABASE_URL": server.url}
    try:
        with running(tmp_path_factory.mktemp("evening") / "data", env=env) as product:
            yield product, environment(product.data_dir, product.port, env)
    finally:
        processes.stop(process, patience=10)


@pytest.fixture
def pages(browser: Browser, evening: tuple[Product, dict[str, str]]) -> Iterator[Callable[..., Page]]:
    with open_pages(browser, evening[0].url) as page_of:
        yield page_of


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_a_whole_evening(pages: Callable[..., Page], evening: tuple[Product, dict[str, str]]) -> None:
    rita, ugo, ines, leo = (pages(name) for name in DEVICES)
    address = made(rita, "La serata", 5, start=timedelta(minutes=40))
    for page in (ugo, ines, leo):
        enter(page, address)
    rita.reload()
    rita.get_by_role("button", name="Riempi con la casa").click()

    # Everybody is here already: it begins earlier, and the check-in opens at once.
    ines.goto("/regole/")
    leo.goto("/profilo/")
    rita.goto(f"{address}modifica/")
    begins_in(rita, timedelta(seconds=WINDOW))
    rita.get_by_role("button", name="Salva").click()
    ugo.get_by_role("button", name="Ci sono").tap()
    expect(ugo.locator("main")).to_contain_text("Check-in fatto.")
    ines.locator("#table-banner").get_by_role("link", name="Conferma che ci sei").tap()
    expect(ines.locator("#adesso [data-countdown]")).to_have_text(re.compile(r"^0?0:[0-3]\d$"), timeout=A_MINUTE)
    ines.get_by_role("button", name="Ci sono").tap()  # late, but there
    expect(ines.locator("main")).to_contain_text("Check-in fatto.")
    ines.goto("/regole/")
    expect(leo.locator("#table-banner")).to_contain_text("Il check-in si è chiuso senza di te", timeout=A_MINUTE)

    # Ugo plays a match, and goes: less than half, so all of it counts for nobody (R5).
    def ugo_has_played() -> bool:
        plays_on(ugo, None)
        plays_on(ines, address)
        return ugo.locator("#result").is_visible()

    until(ugo_has_played, seconds=300, what="Ugo's first match")
    leave(ugo, address)

    rita.goto(address)  # and stays there: it goes along by itself
    won = rita.locator("#adesso").get_by_text(WINNER)

    def is_over() -> bool:
        plays_on(ines, address)
        return won.is_visible()

    until(is_over, seconds=500, what="the end of the evening")
    correct(rita, address, "Ines")
    the_end(pages(), address, "La serata", partial(recomputed, evening[1]))


def plays_on(page: Page, back: str | None) -> None:
    """The next thing there is to do for whoever plays on this page, if any; from a result ``back`` to the
    tournament."""
    if "/tavoli/" not in page.url:
        banner = page.locator("#table-banner").get_by_role("link", name="Siediti")
        if banner.is_visible() and not page.locator("[data-awaited-table]").count():  # that page leads by itself
            banner.tap()
            page.wait_for_url("**/tavoli/**")
    elif page.locator("#result").is_visible():
        if back is not None:
            page.goto(back)
    elif page.locator("#table[data-turn=mine]").count() and page.locator("#hand [data-playable]").count():
        play_a_card(page)
