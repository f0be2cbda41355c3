"""The chronicle tells what happened in the order of play, and what ended a deal."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.rigged import Sit, deck, play

ALL = ("Anna", "Bruno", "Carla", "Dino")
HANDS = {
    0: "Ac 2c 3c Rc Cc 4d 5d 6d 7d Fd",
    1: "Ad 2d 3d Rd Cd 4b 5b 6b 7b Fb",  # napoletana di denari
    2: "3b 3s As 2b 2s 4s 5s 6s 7s Fs",
    3: "Ab Rb Cb Rs Cs 4c 5c 6c 7c Fc",
}
WHOLE = {0: "d", 1: "c", 2: "b", 3: "s"}


def chronicle(page: Page) -> list[str]:
    return page.locator("#log p").all_inner_texts()


@pytest.mark.rule("T5", "X1")
def test_a_call_is_told_after_the_card_it_followed(sit: Sit) -> None:
    pages = sit(
        names=ALL, ruleset="tresette", length=("deals", 1), options={"accuso": True}, dealer=3,
        decks=[deck(HANDS, dealer=3)],
    )  # fmt: skip
    play(pages["Anna"], "4d")
    for name in ("Carla", "Dino"):
        page = pages[name]
        expect(page.locator("#log")).to_contain_text("Bruno: «Accuso napoletana di denari»")
        lines = chronicle(page)
        assert lines.index("Anna gioca Quattro di denari.") < lines.index("Bruno: «Accuso napoletana di denari»")


@pytest.mark.rule("C5")
def test_the_opening_says_whose_turn_comes_and_a_collatondrione_who_announced_it(sit: Sit) -> None:
    pages = sit(
        names=ALL, ruleset="tressette-classico", length=("points", 31), options={"onori": True}, dealer=3,
        openings=[600],
        decks=[deck({seat: " ".join(rank + suit for rank in "A234567FCR") for seat, suit in WHOLE.items()}, dealer=3)],
    )  # fmt: skip
    anna, carla = pages["Anna"], pages["Carla"]
    expect(anna.locator("#turn")).to_have_text("Chiamate, poi tocca a te")
    expect(anna.locator("#hand [data-playable]")).to_have_count(0)
    expect(carla.locator("#turn")).to_have_text("Chiamate, poi tocca a Anna")
    assert "Tocca a te" not in chronicle(anna)
    carla.locator("#calls [data-move=collatondrione]").click()
    sentence = "Carla: «Collatondrione: tutte e dieci le carte di bastoni»"
    expect(anna.locator("#log")).to_contain_text(sentence)
    expect(anna.locator("#result-how")).to_contain_text(sentence)
