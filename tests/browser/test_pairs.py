"""Four people, two on telephones: two pairs enter a girone, play Tresette by clicks, and see it counted.

One pair reads Italian, the other English.
"""

import re
from collections.abc import Iterator

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import collect_complaints, give_up, read_standings_row, unfold
from tests.support.people import create_person, sign_in
from tests.support.tournaments import PAIRS, make_opened

pytestmark = pytest.mark.usefixtures("swept_site")

NAMES = ("Ada", "Berto", "Cesira", "Delio")
SIT_DOWN = re.compile("Siediti|Take your seat")
WHOLE = 40  # plays of one deal of Tresette
PHONE = {"viewport": {"width": 390, "height": 780}, "is_mobile": True, "has_touch": True}
DESK = {"viewport": {"width": 1280, "height": 850}}


@pytest.fixture
def pages(browser: Browser, base_url: str) -> Iterator[dict[str, Page]]:
    """A browser for each of the four; the second of each pair holds a telephone, the second pair reads English."""
    contexts = [
        browser.new_context(base_url=base_url, locale=locale, reduced_motion="reduce", **device)
        for locale in ("it-IT", "en-GB")
        for device in (DESK, PHONE)
    ]
    yield {name: context.new_page() for name, context in zip(NAMES, contexts, strict=True)}
    for context in contexts:
        context.close()


def enter_by_name(asking: Page, asked: Page, address: str, name: str) -> None:
    """Enter with a partner by name; the partner sees the question on whatever page is open."""
    asked.goto("/profilo/")
    asking.goto(address)
    asking.get_by_role("link", name="Iscrivi la tua coppia").click()
    asking.get_by_label("Nome del compagno").fill("Nessuno Davvero")
    asking.get_by_role("button", name="Invita").click()
    expect(asking.locator("#id_partner_error")).to_be_visible()
    expect(asking.get_by_label("Nome del compagno")).to_have_value("Nessuno Davvero")
    asking.get_by_label("Nome del compagno").fill(name)
    asking.get_by_role("button", name="Invita").click()
    expect(asking.locator("main")).to_contain_text(f"Hai invitato {name}")
    asked.locator("#table-banner").get_by_role("link", name="Vedi e rispondi").click()
    asked.get_by_role("button", name="Sì, gioco con te").click()
    expect(asked.locator(".entries")).to_contain_text(name)


def enter_by_link(asking: Page, asked: Page, address: str) -> None:
    asking.goto(address)
    asking.get_by_role("link", name="Enter your pair").click()
    asking.get_by_role("button", name="Give me a link").click()
    asked.goto(asking.locator("#pair-link").input_value())
    asked.get_by_role("button", name="Yes, I’ll play with you").click()
    expect(asked.locator(".message").first).to_contain_text("The pair is complete")


def play(pages: list[Page], plays: int) -> None:
    """Play so many cards, each by the player to move."""
    mine = "#table[data-turn=mine]"
    expect(pages[0].locator("#table[data-turn=mine], #table[data-turn=theirs]")).to_be_visible()
    for _ in range(plays):
        mover = next_to_move(pages, mine)
        cards = mover.locator("#hand .card").count()
        mover.locator("#hand [data-playable]").first.click()
        mover.locator("#ghosts .ghost").first.click()
        expect(mover.locator("#hand .card")).to_have_count(cards - 1)


def next_to_move(pages: list[Page], mine: str) -> Page:
    """The one page that says that it is its turn, as soon as one does."""
    for _ in range(4800):
        for page in pages:
            if page.locator(mine).count():
                return page
        pages[0].wait_for_timeout(25)
    raise AssertionError("it is nobody's turn")


@pytest.mark.parametrize(
    "plays", [pytest.param(0, id="given up"), pytest.param(WHOLE, id="whole", marks=pytest.mark.soak)]
)
def test_two_pairs_enter_confirm_play_tresette_and_see_it_counted(
    pages: dict[str, Page], base_url: str, plays: int
) -> None:
    heard = [collect_complaints(page) for page in pages.values()]
    ada, berto, cesira, delio = pages.values()
    people = {name: create_person(name, timezone.now()) for name in NAMES}
    for name, page in pages.items():
        session = sign_in(people[name]).cookies["sessionid"].value
        page.context.add_cookies([{"name": "sessionid", "value": session, "url": base_url}])
    made = make_opened(people["Ada"], timezone.now())(PAIRS, name="Girone a coppie", max_entries=2, tie_break="club")
    address = f"{base_url}{reverse('tournament', args=[made.public_id])}"
    ada.goto(f"{address}modifica/")
    unfold(ada, "posti")
    expect(ada.locator("[name=max_entries]")).to_be_visible()
    expect(ada.locator("[name=starts_at]")).to_be_hidden()  # it starts when it is full
    enter_by_name(ada, berto, address, "Berto")
    enter_by_link(cesira, delio, address)
    elsewhere = ada.context.new_page()
    elsewhere.goto("/profilo/")
    expect(elsewhere.locator("#table-banner")).to_contain_text(SIT_DOWN)
    for page in pages.values():
        page.wait_for_url("**/tavoli/**")  # led there by the tournament's page

    expect(elsewhere.locator("#table-banner")).to_be_hidden()  # Ada sits: nobody calls her any more
    elsewhere.close()
    for page in pages.values():
        expect(page.locator("#hand .card")).to_have_count(10)
    ada.get_by_role("tab", name="Chat").click()
    expect(ada.locator("#chat-shut")).to_be_visible()  # G9
    expect(ada.locator("#chat-text")).to_be_hidden()
    if plays:
        play([*pages.values()], plays)
    else:  # cards are played in test_calls.py
        give_up(cesira)

    for page in pages.values():
        expect(page.locator("#result")).to_be_visible()
    points = [int(number) for number in re.findall(r"\d+", ada.locator("#result-score").inner_text())]
    if plays == WHOLE:
        assert sum(points) == 11, points  # T4
    if not plays:
        expect(berto.locator("#result-title")).to_have_text("Vinta per abbandono")
        expect(cesira.locator("#result-how")).to_contain_text("Match decided")
    ada.locator("#result-chat").click()
    ada.locator("#chat-text").fill("Bella <b>partita</b>")
    ada.get_by_role("button", name="Manda").click()
    expect(delio.locator("#chat-words")).to_have_text("Chat: 1 unread")
    delio.locator("#result-chat").click()
    expect(delio.locator("#chat-lines")).to_contain_text("Bella <b>partita</b>")

    delio.goto(address)
    delio.locator("label.tab", has_text="Sums").click()
    expect(delio.locator("table.standings")).to_be_visible()
    margins = {}
    for pair in ("Ada – Berto", "Cesira – Delio"):
        row = read_standings_row(delio, pair)
        assert row[2] == "1", row
        margins[pair] = int(row[6].replace("\u2212", "-").replace("+", ""))
        assert 0 <= int(row[7]) <= 20, row
    if plays == WHOLE:
        assert sum(margins.values()) == 0
        assert sorted(map(abs, margins.values())) == [abs(points[0] - points[1])] * 2
    else:
        assert margins["Ada – Berto"] > 0 > margins["Cesira – Delio"]
    assert heard == [[]] * 4
