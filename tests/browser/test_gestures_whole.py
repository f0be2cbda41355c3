"""Deals by keyboard alone, and whole matches by each gesture: mouse and finger, two and four, with calls."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.gestures import carry_card, hand, lying
from tests.browser.pointers import Finger, Mouse, Pointer, middle
from tests.browser.rigged import Sit, deck
from tests.support.browser import collect_complaints

ALL = ("Anna", "Bruno", "Carla", "Dino")
HANDS = {
    0: "Ad 2d 3d Rd Cd 4b 5b 6b 7b Fb",  # napoletana di denari
    1: "Ac 2c 3c Rc Cc 4d 5d 6d 7d Fd",  # napoletana di coppe
    2: "Ab Rb Cb Rs Cs 4c 5c 6c 7c Fc",
    3: "3b 3s As 2b 2s 4s 5s 6s 7s Fs",
}
GAMES: dict[str, dict[str, Any]] = {
    "tresette": {
        "names": ALL, "phones": ALL[1::2], "ruleset": "tresette", "dealer": 3, "decks": [deck(HANDS, dealer=3)],
        "options": {"accuso": True, "dichiarazioni": True}, "length": ("points", 21),
    },
    "spizzichino": {"names": ALL[:2], "phones": ALL[1:2], "ruleset": "tresette", "length": ("points", 21)},
    "scopa": {"names": ALL[:2], "phones": ALL[1:2], "ruleset": "scopa", "cards": 3, "length": ("points", 11)},
}  # fmt: skip
PLAYS = 40  # of a deal of Tresette
# A card has left the hand, or its deal is counted: the next one may have brought it again.
PLAYED = """card => !document.querySelector(`#hand [data-card='${card}']`)
    || document.querySelector("#count-close")?.checkVisibility()"""
MOST_PLAYS = 800  # of a match so short: something never ends

Gesture = Callable[[Page, Pointer, str], None]


# --- How a raised card is put down, and how it takes ----------------------------------------------------------------


def by_ghost(page: Page, pointer: Pointer, card: str) -> None:
    """Press the card's ghost on the table, once raised; of several captures the first."""
    expect(page.locator("#lying [data-winner], #lying [data-taking]")).to_have_count(0)  # then the ghost stays in place
    pointer.tap(page.locator("#ghosts .ghost").first)


def by_key(page: Page, pointer: Pointer, card: str) -> None:
    page.locator("#ghosts .ghost").first.focus()
    page.keyboard.press("Enter")


def by_two_clicks(page: Page, pointer: Pointer, card: str) -> None:
    """Put the raised card back by a click and down by a double one; by finger a second tap puts it down."""
    pointer.tap(hand(page, card))
    if isinstance(pointer, Mouse):
        expect(page.locator("#ghosts .ghost")).to_have_count(0)
        pointer.double(hand(page, card))


def by_carrying(page: Page, pointer: Pointer, card: str) -> None:
    """Carry the card to its ghost."""
    carry_card(pointer, page, card, (5, 5))
    pointer.carry(middle(page.locator("#ghosts .ghost .card")))
    expect(page.locator("#ghosts [data-aimed]")).to_have_count(1)
    pointer.release()


def one_by_one(page: Page, pointer: Pointer, card: str) -> None:
    """The cards of the first capture; with the last of them it is made."""
    for name in captures(page)[0]:
        pointer.tap(lying(page, name))


def onto_a_card(page: Page, pointer: Pointer, card: str) -> None:
    """Drop the card on one that only one capture has; where there is none, choose card by card (S11)."""
    several = captures(page)
    for wanted in several:
        alone = [name for name in wanted if not any(name in other for other in several if other is not wanted)]
        if alone:
            carry_card(pointer, page, card, lying(page, alone[0]))
            expect(page.locator("#lying [data-would]")).to_have_count(len(wanted))
            pointer.release()
            return
    one_by_one(page, pointer, card)


def captures(page: Page) -> list[list[str]]:
    """Return the captures of the raised card."""
    ghosts: list[list[str]] = page.locator("#ghosts .ghost").evaluate_all(
        "all => all.map((ghost) => ghost.dataset.takes.split(' '))"
    )
    return ghosts


WAYS: dict[str, tuple[Gesture, Gesture]] = {  # what takes nothing, and what takes
    "a click and its ghost": (by_ghost, by_ghost),
    "two clicks, or one by one": (by_two_clicks, one_by_one),
    "carried": (by_carrying, onto_a_card),
    "a click and a key": (by_key, by_key),
}


# --- Matches --------------------------------------------------------------------------------------------------------


def on_turn(pages: Sequence[Page]) -> Page:
    """Return the page of the player to move, or any page once the match is over; close a deal's count."""
    for _ in range(4800):
        for page in pages:
            if page.locator("#count-close:visible").count():
                page.locator("#count-close").click()
            if page.locator("#table[data-turn=mine]:has(#hand [data-playable]), #table[data-status=finished]").count():
                return page
        pages[0].wait_for_timeout(25)
    raise AssertionError("it is nobody's turn")


@pytest.mark.rule("X2")
@pytest.mark.soak  # keys go into the hand and play a card in test_gestures_sent.py
def test_a_deal_of_four_is_played_with_the_keyboard_alone(sit: Sit) -> None:
    """No pointer is used: into the hand with an arrow, along it to a card that may be played, and two presses."""
    pages = sit(**{**GAMES["tresette"], "phones": (), "length": ("deals", 1)})
    heard = [collect_complaints(page) for page in pages.values()]
    for _ in range(PLAYS):
        page = on_turn([*pages.values()])
        if page.locator("#hand .card:focus, #ghosts :focus").count() == 0:
            page.keyboard.press("ArrowRight")
        name = page.locator("#hand [data-playable]").first.get_attribute("data-card")
        for _ in range(10):
            if page.locator(f"#hand [data-card='{name}']:focus").count():
                break
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        expect(page.locator("#ghosts .ghost")).to_be_focused()
        page.keyboard.press("Enter")
        expect(hand(page, str(name))).to_have_count(0)
    for page in pages.values():
        expect(page.locator("#result-title")).to_be_focused()
    assert heard == [[] for _ in pages]


@pytest.mark.rule("X2", "S11")
@pytest.mark.soak
@pytest.mark.timeout(1800)  # a match of eighty plays and more, on a machine that has other things to do
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_is_played_with_each_gesture(sit: Sit, game: str, way: str) -> None:
    """Deal after deal to the result, the count of each put away; every second player holds a telephone."""
    pages = sit(**GAMES[game])
    heard = [collect_complaints(page) for page in pages.values()]
    hands = {page: (Finger if name in GAMES[game]["phones"] else Mouse)(page) for name, page in pages.items()}
    put_down, take = WAYS[way]
    if game == "tresette":
        anna, carla = pages["Anna"], pages["Carla"]
        expect(anna.locator(".score-credited")).to_contain_text("+3")
        anna.locator("#calls .call-part[data-part='busso']").click()
    for play in range(MOST_PLAYS):
        page = on_turn([*pages.values()])
        if page.locator("#table[data-status=finished]").count():
            break
        pointer = hands[page]
        card = page.locator("#hand [data-playable]").first.get_attribute("data-card") or ""
        if hand(page, card).get_attribute("aria-pressed") != "true":  # its ghost was hidden by the count that opened
            pointer.tap(hand(page, card))
        expect(page.locator("#ghosts .ghost").first).to_be_visible()
        (take if page.locator("#ghosts [data-takes='']").count() == 0 else put_down)(page, pointer, card)
        page.wait_for_function(PLAYED, arg=card)
        if game == "tresette" and play == 0:
            expect(carla.locator(".seat[data-seat='0'] .seat-said")).to_contain_text("Busso")
    for page in pages.values():
        expect(page.locator("#result")).to_be_visible()
        expect(page.locator("#result-title")).to_have_text(re.compile("Hai vinto|Stavolta no|Pareggio"))
    assert heard == [[] for _ in pages]
