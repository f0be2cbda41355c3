"""Whole deals at a table, every gesture in its turn: mice and fingers, two seats and four, calls going along."""

import itertools
from collections.abc import Sequence

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pointers import Finger, Mouse, Pointer, middle
from tests.browser.rigged import Sit, deck
from tests.browser.test_first_minute import complaints_of
from tests.browser.test_gestures import hand, lift, lying

ALL = ("Anna", "Bruno", "Carla", "Dino")
HANDS = {
    0: "Ad 2d 3d Rd Cd 4b 5b 6b 7b Fb",  # napoletana di denari
    1: "Ac 2c 3c Rc Cc 4d 5d 6d 7d Fd",  # napoletana di coppe
    2: "Ab Rb Cb Rs Cs 4c 5c 6c 7c Fc",
    3: "3b 3s As 2b 2s 4s 5s 6s 7s Fs",
}
GAMES = {
    "tresette": {
        "names": ALL, "phones": ALL[1::2], "ruleset": "tresette", "dealer": 3, "decks": [deck(HANDS, dealer=3)],
        "options": {"accuso": True, "dichiarazioni": True},
    },
    "spizzichino": {"names": ALL[:2], "phones": ALL[1:2], "ruleset": "tresette"},
    "scopa": {"names": ALL[:2], "phones": ALL[1:2], "ruleset": "scopa", "cards": 3},
}  # fmt: skip
PLAYS = {"tresette": 40, "spizzichino": 40, "scopa": 36}


def put_down(page: Page, pointer: Pointer, card: str, way: int) -> None:
    """Play a raised card that takes nothing."""
    ghost = page.locator("#ghosts .ghost")
    if way == 0:
        pointer.tap(ghost)
    elif way == 1:
        pointer.double(hand(page, card))
    elif way == 2:
        lift(pointer, page, card, (5, 5))
        pointer.carry(middle(ghost.locator(".card")))
        expect(page.locator("#ghosts [data-aimed]")).to_have_count(1)
        pointer.release()
    else:
        ghost.focus()
        page.keyboard.press("Enter")


def take(page: Page, pointer: Pointer, card: str, way: int) -> None:
    """Make the first capture of a raised card."""
    ghosts = page.locator("#ghosts .ghost")
    captures: list[Sequence[str]] = ghosts.evaluate_all("all => all.map((ghost) => ghost.dataset.takes.split(' '))")
    wanted, others = captures[0], [name for capture in captures[1:] for name in capture]
    alone = [name for name in wanted if name not in others]
    if way == 0:
        pointer.tap(ghosts.first)
    elif way in (1, 2) and alone:
        lift(pointer, page, card, lying(page, alone[0]))
        expect(page.locator("#lying [data-would]")).to_have_count(len(wanted))
        pointer.release()
    elif way == 3:
        ghosts.first.focus()
        page.keyboard.press("Enter")
    else:
        for name in wanted:
            pointer.tap(lying(page, name))


def on_turn(pages: Sequence[Page]) -> Page:
    for _ in range(400):
        for page in pages:
            if page.locator("#table[data-turn=mine]:has(#hand [data-playable]), #table[data-status=finished]").count():
                return page
        pages[0].wait_for_timeout(25)
    raise AssertionError("it is nobody's turn")


@pytest.mark.rule("X2")
def test_a_whole_deal_of_four_is_played_with_the_keyboard_alone(sit: Sit) -> None:
    """Nothing is pointed at: into the hand with an arrow, along it to a card that may be played, and two presses."""
    pages = sit(length=("deals", 1), **{**GAMES["tresette"], "phones": ()})
    heard = [complaints_of(page) for page in pages.values()]
    for _ in range(PLAYS["tresette"]):
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
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_deal_is_played_with_every_gesture(sit: Sit, game: str) -> None:
    pages = sit(length=("deals", 1), **GAMES[game])
    heard = [complaints_of(page) for page in pages.values()]
    hands = {page: (Finger if name in GAMES[game]["phones"] else Mouse)(page) for name, page in pages.items()}
    ways = {page: itertools.cycle(range(4)) for page in pages.values()}
    if game == "tresette":
        anna, carla = pages["Anna"], pages["Carla"]
        expect(anna.locator(".score-credited")).to_contain_text("+3")
        anna.locator("#calls .call-part[data-part='busso']").click()
    for play in range(PLAYS[game]):
        page = on_turn([*pages.values()])
        pointer, way = hands[page], next(ways[page])
        card = page.locator("#hand [data-playable]").first.get_attribute("data-card") or ""
        pointer.tap(hand(page, card))
        expect(page.locator("#ghosts .ghost").first).to_be_visible()
        (take if page.locator("#ghosts [data-takes='']").count() == 0 else put_down)(page, pointer, card, way)
        expect(hand(page, card)).to_have_count(0)
        if game == "tresette" and play == 0:
            expect(carla.locator(".seat[data-seat='0'] .seat-said")).to_contain_text("Busso")
    for page in pages.values():
        expect(page.locator("#result")).to_be_visible()
    assert heard == [[] for _ in pages]
