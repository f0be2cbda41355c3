"""The server is killed, or restarted as in an update, while two people play: their pages come back by themselves, and
no card is lost or doubled."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.table_state import count_hand, expect_lying, play_first_card, read_chronicle, read_turn, read_version
from tests.support.browser import collect_complaints
from tests.support.product import Product
from tests.support.waiting import until

SLOW = 120_000  # ms
PLAYED = re.compile(r"Giochi |.+ gioca ")


@pytest.fixture
def pages(browser: Browser, product: Product) -> Iterator[tuple[Page, Page]]:
    """Two guests at a free table of spizzichino, the one who leads first."""
    contexts = [browser.new_context(base_url=product.url, locale="it-IT", reduced_motion="reduce") for _ in range(2)]
    host, friend = (context.new_page() for context in contexts)
    host.goto("/tavoli/nuovo/")
    host.get_by_role("radio", name="Tresette", exact=True).check()
    expect(host.get_by_label("Vinco subito")).to_be_checked()
    host.get_by_role("button", name="Apri il tavolo e siediti").click()
    friend.goto(host.get_by_label("Link da mandare").input_value())
    friend.get_by_role("button", name="Siediti al posto 2").click()
    for page in (host, friend):
        expect(page.locator("#hand .card")).to_have_count(10, timeout=SLOW)
    yield (host, friend) if read_turn(host) == "mine" else (friend, host)
    for context in contexts:
        context.close()


def kill(product: Product) -> None:
    """The web process dies without a word, and is another one when this returns."""
    killed = product.children()["web"]
    killed.kill()
    until(lambda: product.children().get("web", killed).pid != killed.pid, what="another server")


def is_back(page: Page, at: int) -> None:
    expect(page.locator(f"#table[data-line=open][data-version='{at}']")).to_be_visible(timeout=SLOW)


def test_a_server_that_dies_costs_nobody_a_card(pages: tuple[Page, Page], product: Product) -> None:
    leader, other = pages
    before = read_version(leader)
    card = play_first_card(leader)  # it may have heard of it, or not
    kill(product)
    for page in pages:
        is_back(page, before + 1)
        expect_lying(page, card)
    assert count_hand(leader) == 9

    heard = [collect_complaints(page) for page in pages]
    product.children()["web"].suspend()  # it is there, and does nothing
    play_first_card(other)
    kill(product)
    for page in pages:
        is_back(page, before + 2)
        expect(page.locator("#lying .card")).to_have_count(0)  # taken
        expect(page.locator("#hand .card")).to_have_count(10)  # and another one drawn

    third, last = (leader, other) if read_turn(leader) == "mine" else (other, leader)
    ended = product.children()["web"]
    card = play_first_card(third)
    ended.terminate()  # as docs/operations.md restarts each process
    until(lambda: product.children().get("web", ended).pid != ended.pid, what="another server")
    for page in pages:
        is_back(page, before + 3)
        expect_lying(page, card)
        expect(page.locator("#table")).to_have_attribute("data-turn", "mine" if page is last else "theirs")
    for page in pages:
        assert sum(bool(PLAYED.match(line)) for line in read_chronicle(page)) == 3  # each play is told once
    assert [[line for line in lines if "WebSocket" not in line] for lines in heard] == [[], []]
