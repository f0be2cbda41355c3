"""The calls at the table, by clicks: accuso, declarations, good game, signals, other cards, the morto's hand."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.rigged import Delay, Sit, deck, play, said_by
from tests.support.browser import collect_complaints

ALL = ("Anna", "Bruno", "Carla", "Dino")


def nothing_sideways(page: Page) -> None:
    """The page as it stands is no wider than its window, and what can be pressed has a name."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.locator("#table").get_by_role("button", name=re.compile("^$"))).to_have_count(0)


def bubble(page: Page, seat: int, words: str) -> None:
    """The page shows what a seat has said."""
    expect(page.locator(f".seat[data-seat='{seat}'] .seat-said")).to_contain_text(words)


def switch_off(page: Page, *verbs: str) -> None:
    """Switch off the automatic calls that the player wants to make by hand."""
    page.locator("#options-open").click()
    for verb in verbs:
        page.locator(f"[name=automatic][value={verb}]").uncheck()
    page.get_by_role("button", name="Chiudi").click()


def part(page: Page, what: str) -> None:
    page.locator(f"#calls .call-part[data-part='{what}']").click()


def all_on_the_table(pages: dict[str, Page], number: int) -> None:
    for page in pages.values():
        expect(page.locator("#lying .card")).to_have_count(number)


HANDS = {
    0: "Ac 2c 3c Rc Cc 4d 5d 6d 7d Fd",
    1: "Ad 2d 3d Rd Cd 4b 5b 6b 7b Fb",  # napoletana di denari
    2: "3b 3s As 2b 2s 4s 5s 6s 7s Fs",
    3: "Ab Rb Cb Rs Cs 4c 5c 6c 7c Fc",
}


@pytest.mark.rule("T5", "T10", "T12", "X1", "X2")
def test_accuso_and_declarations_are_made_by_hand_by_who_switched_them_off(sit: Sit) -> None:
    pages = sit(
        names=ALL,
        phones=("Carla",),
        ruleset="tresette",
        length=("deals", 1),
        options={"accuso": True, "dichiarazioni": True, "carte_viste": True},
        dealer=3,
        decks=[deck({0: HANDS[1], 1: HANDS[0], 2: HANDS[3], 3: HANDS[2]}, dealer=3)],
    )
    anna, bruno, carla, dino = pages.values()
    heard = [collect_complaints(page) for page in pages.values()]
    switch_off(bruno, "accuso", "declare")
    switch_off(carla, "declare")

    bubble(dino, 0, "Accuso napoletana di denari")  # Anna's is automatic
    expect(anna.locator(".score-credited")).to_contain_text("+3")
    part(anna, "busso")
    part(anna, "per-te")
    expect(anna.locator("#calls [aria-pressed=true]")).to_have_text(["Busso", "Ho per te"])
    nothing_sideways(anna)
    assert said_by(bruno, 0) == ["Accuso napoletana di denari"]  # it goes out with the card
    play(anna, "Ad")
    bubble(carla, 0, "Ho per te. Busso")
    expect(carla.locator("#log")).to_contain_text("Anna: «Ho per te. Busso»")

    accuso = bruno.locator("#calls [data-move^=accuso]")
    expect(accuso).to_have_text("Accuso napoletana di coppe")
    accuso.focus()
    bruno.keyboard.press("Enter")
    bubble(carla, 1, "Accuso napoletana di coppe")
    expect(accuso).to_have_count(0)
    play(bruno, "4d")
    play(carla, "4c")
    play(dino, "4s")
    carla.locator("#chat-open").tap()
    for page in pages.values():
        page.locator("#tab-moves").click()
        expect(page.locator("#seen-open")).to_have_accessible_name("Carte viste: 4")
    carla.locator("#seen-open").tap()
    expect(carla.locator("#seen-cards img, #seen-cards [role=img]")).to_have_count(4)
    nothing_sideways(carla)
    carla.locator("#seen-close").tap()

    part(anna, "ho")  # she says nothing this time
    expect(anna.locator("#calls [aria-pressed=true]")).to_have_count(0)
    play(anna, "4b")
    play(bruno, "5d")
    play(carla, "Ab")
    play(dino, "3b")
    bubble(anna, 0, "Busso")
    expect(dino.locator("#calls [data-automatic]")).to_have_text("Ho…")
    play(dino, "As")  # Bruno's Ho is automatic
    for page in pages.values():
        bubble(page, 3, "Ho il 3, il 2 e l'asso settimi")
    expect(anna.locator(".seat[data-seat='3'] .fan")).to_have_accessible_name(re.compile("Due di spade e Tre di spade"))
    assert heard == [[]] * 4


@pytest.mark.rule("C2", "C3", "C4")
def test_other_cards_are_asked_for_then_good_game_and_signals_are_said(sit: Sit) -> None:
    poor = {
        0: "Ad 2d 3d Rd Cd Ab 2b 3b Rb Cb",
        1: "Ac 2c 3c Rc Cc As 2s 3s Rs Cs",
        2: "4d 5d 6d 7d 4c 5c 6c 7c 4b 5b",
        3: "Fd Fc Fb Fs 6b 7b 4s 5s 6s 7s",
    }
    rich = {
        0: "3d 4d 2c 5b 6b 7b Fb 4s 5s 6s",
        1: "Ad Ab As Rc Cc 4c 5c 6c 7c Fc",
        2: "2d 5d 3c Ac 4b Rb Cb 7s Fs Rs",
        3: "6d 7d Fd Cd Rd 3b 2b 3s 2s Cs",
    }
    pages = sit(
        names=ALL,
        phones=("Bruno",),
        ruleset="tressette-classico",
        length=("points", 31),
        options={"onori": True, "segnali": "tre"},
        dealer=3,
        openings=[600, 5],
        decks=[deck(poor, dealer=3), deck(rich, dealer=3)],
    )
    anna, bruno, carla, dino = pages.values()
    heard = [collect_complaints(page) for page in pages.values()]
    line = Delay(anna, "view")
    expect(anna.locator("#opening")).to_be_visible()
    expect(anna.locator("#calls [data-move=redeal]")).to_have_count(0)
    carla.locator("#calls [data-move=redeal]").click()  # out of turn: hers is worth two thirds
    expect(anna.locator("#log")).to_contain_text("Carla chiede altre carte")
    expect(anna.locator("#hand [data-card='3d']")).to_be_visible()

    expect(anna.locator("#hand [data-playable]")).to_have_count(10)  # the window is over
    expect(anna.locator("#opening")).to_be_hidden()
    line.holding = True
    bruno.locator("#calls [data-move=buongioco]").tap()
    bubble(carla, 1, "Buon gioco")
    play(anna, "3d")  # before she hears it
    line.wait_for(t="error", code="stale")
    line.hand_on()
    bubble(anna, 1, "Buon gioco")
    all_on_the_table(pages, 1)
    play(bruno, "Ad")
    play(carla, "2d")
    play(dino, "6d")
    for page in pages.values():
        bubble(page, 1, "Accuso tre assi senza coppe")
        expect(page.locator(".score-credited")).to_contain_text("+3")
    expect(anna.locator("#calls .call-part")).to_have_text(["Busso", "Volo", "Striscio"])
    part(anna, "volo")
    expect(anna.locator("#hand [data-playable]")).to_have_count(2)
    nothing_sideways(anna)
    play(anna, "2c")
    bubble(bruno, 0, "Volo")
    nothing_sideways(bruno)
    anna.locator("#options-open").click()
    expect(anna.locator(".names")).to_contain_text("venticinque")
    assert heard == [[]] * 4


@pytest.mark.rule("M3")
def test_the_lone_player_of_three_plays_the_mortos_cards_too(sit: Sit) -> None:
    hands = {
        0: "4d Rd 5d 3c Rc 4b Cs 2s As 6c",
        1: "5c 7c 2d 3d 5b 6b 4s 5s 6s Ac",
        2: "7d 6d Fc 2c 4c Ab Cb Rb 7s 3s",
        3: "Ad Cd Fd Cc 7b Fb 2b 3b Fs Rs",
    }
    pages = sit(
        names=("Anna", "Bruno", "Dino"),
        ruleset="tressette-accusa",
        length=("points", 11),
        options={"accusa": "facoltativa"},
        dealer=3,
        decks=[deck(hands, dealer=3, at_a_time=5)],
    )
    anna, bruno, dino = pages.values()
    heard = [collect_complaints(page) for page in pages.values()]
    expect(anna.locator("#turn")).to_have_text("Tocca a te: gioca dalle tue carte")
    expect(anna.locator("#morto .card")).to_have_count(10)
    expect(bruno.locator("#morto")).to_be_hidden()
    nothing_sideways(anna)
    play(anna, "4d")
    play(bruno, "3d")
    expect(anna.locator("#turn")).to_have_text("Tocca al morto: gioca dalle sue carte")
    expect(bruno.locator("#turn")).to_have_text("Tocca al morto, lo gioca Anna")
    expect(anna.locator("#hand [data-playable]")).to_have_count(0)
    expect(anna.locator("#morto [data-playable]")).to_have_count(2)
    anna.locator("#morto [data-card='7d']").focus()
    anna.keyboard.press("Enter")
    anna.keyboard.press("Enter")
    expect(dino.locator("#log")).to_contain_text("Il morto gioca Sette di denari.")
    play(dino, "Ad")
    expect(bruno.locator("#turn")).to_have_text("Tocca a te")
    anna.set_viewport_size({"width": 320, "height": 640})
    expect(anna.locator("#options-open .way-icon")).to_be_visible()  # laid out for a telephone
    nothing_sideways(anna)
    assert heard == [[]] * 3
