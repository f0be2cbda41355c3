"""Scopone at its table, by clicks: the first card is put down on an empty table, and a scopa is made on it."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.rigged import Sit, deck, play
from tests.support.browser import collect_complaints

ALL = ("Anna", "Bruno", "Carla", "Dino")
HANDS = {
    0: "Rd Ad 2d 3d 4d 5c 6c 7c Fc Cc",
    1: "Rc Ac 2c 3c 4c 5d 6d 7d Fd Cd",
    2: "Rb Ab 2b 3b 4b 5s 6s 7s Fs Cs",
    3: "Rs As 2s 3s 4s 5b 6b 7b Fb Cb",
}


def lying(pages: dict[str, Page], number: int) -> None:
    for page in pages.values():
        expect(page.locator("#lying .card")).to_have_count(number)


@pytest.mark.soak  # four play by clicks in test_calls.py, and take in test_gestures.py
@pytest.mark.rule("SC1", "S5", "S11")
def test_four_people_play_scopone_with_clicks_from_an_empty_table(sit: Sit) -> None:
    pages = sit(
        names=ALL, phones=ALL[1::2], ruleset="scopone", length=("points", 21), dealer=3, decks=[deck(HANDS, dealer=3)]
    )
    heard = [collect_complaints(page) for page in pages.values()]
    anna, bruno, carla, dino = pages.values()
    lying(pages, 0)
    expect(anna.locator("#stock")).to_be_hidden()
    play(anna, "Rd")
    lying(pages, 1)
    play(bruno, "Rc")  # its ghost takes the king: a scopa
    for page in pages.values():
        expect(page.locator(".seat[data-seat='1'] .pile-scope, .seat[data-seat='3'] .pile-scope").first).to_be_visible()
    lying(pages, 0)
    play(carla, "7s")
    lying(pages, 1)
    dino.locator("#hand [data-card='4s']").click()
    dino.locator("#ghosts .ghost").click()
    lying(pages, 2)
    expect(anna.locator("#hand .card")).to_have_count(9)
    assert heard == [[] for _ in pages]


@pytest.mark.soak  # what is dealt is tests/games/rules's, how it lies test_table_axe.py's
@pytest.mark.rule("SC1")
def test_with_quattro_a_terra_nine_cards_are_in_hand_and_four_lie_on_the_table(sit: Sit) -> None:
    pages = sit(
        names=ALL, cards=9, ruleset="scopone", length=("points", 21), dealer=3, options={"quattro_a_terra": True}
    )
    lying(pages, 4)
