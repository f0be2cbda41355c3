"""Lost connections: the table says so and comes back by itself, and no card is played twice or lost."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.rigged import DESK, Lay, Rigged, deck, enter
from tests.browser.table_state import count_hand, expect_lying, play_first_card, read_chronicle, read_turn, read_version
from tests.browser.wires import Wire
from tests.support.browser import collect_complaints
from tests.support.waiting import until

LOST = "Connessione persa"
# Anna has all denari and draws coppe, Bruno never has either: she takes every trick and leads the next.
ANNA, BRUNO = (" ".join(f"{rank}{suit}" for suit in suits for rank in "A234567FCR") for suits in ("dc", "bs"))
DECK = deck({0: ANNA, 1: BRUNO}, dealer=1)
ELSEWHERE = "Questo posto è aperto in un'altra finestra."


class Seated(NamedTuple):
    """Table for all these tests: Anna at the end of a wire, and Bruno. Each test opens it anew and goes on."""

    rigged: Rigged
    url: str  # Anna's
    path: str
    wire: Wire
    bruno: Page


@pytest.fixture(scope="module")
def table(browser: Browser, lasting_tables: Lay) -> Iterator[Seated]:
    described = {
        "names": ["Anna", "Bruno"],
        "ruleset": "tresette",
        "length": ["deals", 9],
        "dealer": 1,
        "decks": [DECK],
    }
    with ExitStack() as stack:
        rigged = lasting_tables(described)
        wire = stack.enter_context(Wire())
        url, opened = wire.to(rigged.address), []
        for name, through in (("Anna", url), ("Bruno", rigged.address)):
            context = rigged.context(browser, None, through=through, **DESK)
            stack.callback(context.close)
            page = context.new_page()
            enter(page, rigged.path, name)
            opened.append(page)
        anna, bruno = opened
        for page in opened:
            expect(page.locator("#hand .card")).to_have_count(10)
        anna.close()
        yield Seated(rigged, url, rigged.path, wire, bruno)


@pytest.fixture
def wire(table: Seated) -> Wire:
    return table.wire


@pytest.fixture
def pages(browser: Browser, table: Seated) -> Iterator[tuple[Page, Page]]:
    """Anna, who is to lead, and Bruno."""
    table.wire.mend()
    fresh = table.rigged.context(browser, "Anna", through=table.url, **DESK)  # a page's clock is its context's
    anna, bruno = opened = (fresh.new_page(), table.bruno)
    for page in opened:
        page.goto(table.path)
        expect(page.locator("#table")).to_have_attribute("data-version", re.compile("."))
        expect(page.locator("#table")).to_have_attribute("data-line", "open")
    if read_turn(bruno) == "mine":
        lead(bruno, *opened)
    expect_lying(anna)
    yield opened
    fresh.close()


def lead(mover: Page, *pages: Page) -> str:
    """Play the first card that may be played, and see it on all these pages."""
    following = read_version(mover) + 1
    name = play_first_card(mover)
    for page in pages:
        page.locator(f'#table[data-version="{following}"]').wait_for()
    return name


def is_down(page: Page) -> None:
    expect(page.locator("#line-state")).to_contain_text(LOST)


def is_back(page: Page) -> None:
    expect(page.locator("#line-state")).to_be_hidden()  # the wait has grown
    expect(page.locator("#table")).to_have_attribute("data-line", "open")


LAST_ATTEMPT = """() => {
  const Known = WebSocket;
  window.WebSocket = class extends Known {
    constructor(...args) {
      super(...args);
      window.lastAttempt = this;
    }
  };
}"""


def with_a_clock(page: Page) -> None:
    """The page's time is the test's from here on."""
    page.clock.install()
    page.reload()
    expect(page.locator("#hand [data-playable]").first).to_be_visible()


@pytest.mark.parametrize("lost", ["play", "answer"])
def test_a_play_cut_off_on_its_way_is_played_once(pages: tuple[Page, Page], wire: Wire, lost: str) -> None:
    anna, bruno = pages
    heard = collect_complaints(bruno)
    before, cards, told = read_version(bruno), count_hand(anna), len(read_chronicle(bruno))
    wire.lose(upwards=lost == "play", downwards=lost == "answer")
    card = play_first_card(anna)
    assert wire.dropped.wait(30)
    if lost == "answer":
        expect_lying(bruno, card)
    wire.cut()
    is_down(anna)
    expect(anna.locator("#line-words")).to_contain_text("rimando")
    expect(anna.locator(f"#hand [data-card='{card}']")).to_have_attribute("data-sent", "")
    wire.mend()
    is_back(anna)
    for page in pages:
        expect_lying(page, card)
    expect(anna.locator("#hand .card")).to_have_count(cards - 1)
    assert read_version(bruno) == read_version(anna) == before + 1
    assert len([line for line in read_chronicle(bruno)[told:] if "Anna gioca" in line]) == 1
    lead(bruno, *pages)  # and the table goes on
    expect(anna.locator("#log")).to_contain_text("Bruno gioca")
    assert heard == []


@pytest.mark.parametrize("lost", [pytest.param("play", marks=pytest.mark.soak), "answer"])
def test_a_line_that_died_without_a_word_is_found_out_by_the_play(
    pages: tuple[Page, Page], wire: Wire, lost: str
) -> None:
    anna = pages[0]
    with_a_clock(anna)
    cards = count_hand(anna)
    wire.lose(upwards=lost == "play", downwards=True)
    card = play_first_card(anna)
    assert wire.dropped.wait(30)
    anna.clock.fast_forward(6100)  # nobody has answered
    is_down(anna)
    wire.cut()
    wire.mend()
    anna.clock.fast_forward(9000)
    is_back(anna)
    for page in pages:
        expect_lying(page, card)
    expect(anna.locator("#hand .card")).to_have_count(cards - 1)


def test_what_happened_meanwhile_is_shown_and_told(pages: tuple[Page, Page], wire: Wire) -> None:
    anna, bruno = pages
    lead(anna, *pages)
    wire.cut()
    is_down(anna)
    lead(bruno, bruno)
    wire.mend()
    is_back(anna)
    expect(anna.locator("#turn")).to_have_text("Tocca a te")
    expect_lying(anna)
    chronicle = read_chronicle(anna)
    chronicle = chronicle[chronicle.index("Di nuovo collegato. Intanto:") + 1 :]
    assert chronicle[0].startswith("Bruno gioca ")
    assert chronicle[1] == "La presa è tua."
    wire.cut()
    is_down(anna)
    wire.mend()
    is_back(anna)
    expect(anna.locator("#log p").last).to_have_text("Di nuovo collegato: intanto non è successo niente.")


@pytest.mark.parametrize(
    "reason", ["online", *(pytest.param(name, marks=pytest.mark.soak) for name in ("visibilitychange", "button"))]
)
def test_it_comes_back_at_once_when_there_is_reason_to_think_it_can(
    pages: tuple[Page, Page], wire: Wire, reason: str
) -> None:
    anna = pages[0]
    with_a_clock(anna)
    anna.evaluate(LAST_ATTEMPT)
    wire.cut()
    is_down(anna)
    anna.clock.pause_at(anna.evaluate("Date.now() / 1000 + 3"))  # from here on it tries nothing by itself
    until(lambda: anna.evaluate("window.lastAttempt?.readyState !== WebSocket.CONNECTING"), what="its last attempt")
    wire.mend()
    expect(anna.locator("#line-state")).to_be_visible()
    if reason == "button":
        anna.get_by_role("button", name="Riprova ora").click()
    else:
        anna.evaluate("(name) => (name === 'online' ? window : document).dispatchEvent(new Event(name))", reason)
    is_back(anna)


def test_a_card_played_while_the_line_is_down_goes_out_when_it_is_back(pages: tuple[Page, Page], wire: Wire) -> None:
    anna, bruno = pages
    wire.cut()
    is_down(anna)
    card = play_first_card(anna)
    expect(anna.locator("#line-words")).to_contain_text("rimando")
    expect_lying(bruno)
    wire.mend()
    is_back(anna)
    for page in pages:
        expect_lying(page, card)


def test_a_second_window_plays_and_the_first_says_why_not(pages: tuple[Page, Page], table: Seated) -> None:
    anna, bruno = pages
    second = anna.context.new_page()
    second.goto(table.path)
    expect(second.locator("#hand [data-playable]").first).to_be_visible()
    expect(anna.locator("#line-state")).to_contain_text(ELSEWHERE)
    expect(anna.locator("#hand [data-playable]")).to_have_count(0)
    lead(second, anna, bruno, second)  # the first looks on
    anna.get_by_role("button", name="Gioca qui").click()
    expect(second.locator("#line-state")).to_contain_text(ELSEWHERE)
    is_back(anna)
    lead(bruno, anna, bruno, second)
    lead(anna, anna, bruno, second)
    second.close()
