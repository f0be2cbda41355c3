"""The house at one's side: it plays for whoever is away and gives the seat back; in training it hints and takes
back."""

import re

from playwright.sync_api import Page, expect

from tests.browser.rigged import Sit, deck
from tests.browser.table_state import count_hand
from tests.support.browser import collect_complaints

# Anna has all denari and draws coppe, Bruno never has either: she takes every trick and leads the next.
ANNA, BRUNO = (" ".join(f"{rank}{suit}" for suit in suits for rank in "A234567FCR") for suits in ("dc", "bs"))
TRESETTE = {
    "ruleset": "tresette", "length": ["deals", 3], "dealer": 1, "decks": [deck({0: ANNA, 1: BRUNO}, dealer=1)],
    "absence": "house", "sweeping": True,
}  # fmt: skip
PATIENT = 120_000  # ms


def play_raised(page: Page, card: str) -> None:
    page.locator(f"#hand [data-card='{card}'][data-playable]").click()
    page.locator("#ghosts .ghost").click()


def test_a_seat_is_taken_over_by_the_house_marked_and_given_back(sit: Sit) -> None:
    pages = sit(names=("Anna", "Bruno"), turn_timeout=6, **TRESETTE)  # who is back has as long until it happens again
    anna, bruno = pages["Anna"], pages["Bruno"]
    heard = collect_complaints(anna)
    expect(bruno.locator(".seat[data-seat='0'] .seat-substitute")).to_be_visible(timeout=PATIENT)
    expect(anna.locator("#line-state")).to_contain_text("La casa gioca per te.")
    expect(anna.locator("#hand .card")).not_to_have_count(10, timeout=PATIENT)  # the house played a card of hers
    expect(anna.locator("#log")).to_contain_text(re.compile("La casa gioca per te [A-Z]"))
    expect(bruno.locator("#log")).to_contain_text("La casa gioca per Anna.")
    anna.get_by_role("button", name="Sono qui").click()
    expect(anna.locator("#line-state")).to_be_hidden()
    expect(bruno.locator(".seat[data-seat='0'] .seat-substitute")).to_be_hidden()
    expect(bruno.locator("#log")).to_contain_text("Anna gioca di nuovo.")
    assert heard == []


def test_in_training_a_hint_is_given_and_cards_are_taken_back_by_mouse_and_keyboard(sit: Sit) -> None:
    anna = sit(names=("Anna",), house=1, training=True, **TRESETTE)["Anna"]
    heard = collect_complaints(anna)
    anna.get_by_role("button", name="Suggerimento").click()
    expect(anna.locator("#log")).to_contain_text("La casa farebbe così")
    expect(anna.locator("#hand .card[data-hint]")).to_have_count(1)
    play_raised(anna, "Ad")
    expect(anna.locator("#hand [data-card='Ad']")).to_have_count(0)
    expect(anna.locator("#table")).to_have_attribute("data-turn", "mine", timeout=PATIENT)
    anna.locator("#hand .card").first.press("r")
    expect(anna.locator("#hand [data-card='Ad']")).to_have_count(1)
    assert count_hand(anna) == 10
    expect(anna.locator("#log")).to_contain_text("Hai ripreso la carta")
    play_raised(anna, "2d")
    expect(anna.locator("#hand [data-card='2d']")).to_have_count(0)
    anna.get_by_role("button", name="Riprendi").click()
    expect(anna.locator("#hand [data-card='2d']")).to_have_count(1)
    anna.locator("#options-open").click()
    anna.locator("#abandon").click()
    expect(anna.locator("#abandon-dialog")).to_contain_text("L'allenamento viene messo da parte")
    anna.locator("#abandon-dialog [value=abandon]").click()
    expect(anna.locator("#result-title")).to_contain_text("Allenamento messo da parte")
    assert heard == []
