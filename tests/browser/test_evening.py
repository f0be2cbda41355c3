"""Short evening: the organiser at a desk, two players on telephones, the house for the rest; a leaver, a referee's
correction, then what is printed and taken home. A whole one, on PostgreSQL, is in test_whole_evening.py."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest
from django.core.management import call_command
from playwright.sync_api import Browser, Page, expect

from tests.browser.evenings import correct, enter, leave, made, open_pages, play_a_card, sit_down, the_end
from tests.support.browser import give_up

pytestmark = pytest.mark.usefixtures("swept_site")


@pytest.fixture
def pages(browser: Browser, base_url: str) -> Iterator[Callable[..., Page]]:
    with open_pages(browser, base_url) as page_of:
        yield page_of


@pytest.mark.soak  # each part of it is another test's too: test_desk.py, test_village_evening.py, test_prints.py
@pytest.mark.rule("R5", "F2", "F3", "W2")
def test_a_short_evening(pages: Callable[..., Page]) -> None:
    """The tournament starts as soon as it is full; a player whose match is too long gives it up."""
    rita, ugo, ines = (pages(name) for name in ("Rita", "Ugo", "Ines"))
    address = made(rita, "La serata breve", 3)
    for page in (ugo, ines):
        enter(page, address)
    rita.reload()
    rita.get_by_role("button", name="Riempi con la casa").click()
    leave(ugo, address)  # before half of the fixtures (R5)
    ines.goto("/regole/")
    sit_down(ines)
    for _ in range(2):
        play_a_card(ines)
    give_up(ines)
    expect(ines.locator("#result")).to_be_visible()
    correct(rita, address, "Ines")
    again = partial(call_command, "recompute", "--check")
    the_end(pages(), address, "La serata breve", again, prints=("classifica",))  # the others: test_prints.py
