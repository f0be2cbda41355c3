"""The table shows who has never finished a match what the raised card would do, until their third card."""

from playwright.sync_api import Page, expect

from tests.browser.gestures import hand
from tests.browser.layouts import measure
from tests.browser.rigged import Sit, deck
from tests.support.browser import collect_complaints

# Anna leads. Her 7 takes the 5 and the 2, or the 4 and the 3; her ace takes nothing, and Bruno's 6 neither.
SCOPA = " ".join((deck({0: "7c Fs Ad", 1: "6c 7s 2c"}, dealer=1), "5d 4c 3b 2s"))


def read_words(page: Page) -> str:
    return page.locator("#gestures").inner_text()


def test_a_beginner_reads_above_the_hand_what_the_raised_card_would_do_until_the_third_card(sit: Sit) -> None:
    pages = sit(
        names=("Anna", "Bruno"), phones=("Anna",), cards=3,
        ruleset="scopa", length=("deals", 1), dealer=1, decks=[SCOPA],
    )  # fmt: skip
    anna, bruno = pages.values()
    heard = collect_complaints(anna)
    shown = anna.locator("#gestures")
    expect(shown).to_be_in_viewport(ratio=1)
    expect(shown).to_have_text("Tocca una carta per alzarla.")
    above, zone = measure(shown), measure(anna.locator(".own"))
    assert above["y"] + above["height"] <= zone["y"]
    hand(anna, "7c").tap()
    expect(shown).to_have_text("Si gioca in più modi: tocca in tavola quello che vuoi.")
    hand(anna, "Ad").tap()
    expect(shown).to_have_text("Asso va in tavola: toccala ancora per giocarla.")
    hand(anna, "Ad").tap()
    expect(anna.locator("#lying [data-card='Ad']")).to_be_visible()
    expect(shown).to_be_visible()
    # By mouse it is another gesture, and the words are others.
    assert read_words(bruno) == "Clicca una carta per alzarla, o trascinala in tavola."
    hand(bruno, "2c").click()
    assert read_words(bruno) == "Due prende Due: scegli la carta semitrasparente."
    bruno.locator("#ghosts .ghost").click()
    for card in ("Fs", "7c"):
        expect(anna.locator("#table")).to_have_attribute("data-turn", "mine")
        hand(anna, card).tap()
        way = anna.locator("#ghosts .ghost").first
        way.tap()
        if card == "Fs":
            expect(shown).to_be_visible()
            expect(bruno.locator("#table")).to_have_attribute("data-turn", "mine")
            bruno.locator("#hand [data-playable]").first.click()
            bruno.locator("#ghosts .ghost").first.click()
    expect(shown).to_be_hidden()
    anna.reload()
    expect(anna.locator("#table[data-line=open]")).to_be_visible()
    expect(shown).to_be_hidden()
    assert heard == []


def test_in_training_a_hint_is_read_in_their_place_and_the_bar_keeps_to_one_row(sit: Sit) -> None:
    anna = sit(
        names=("Anna",), phones=("Anna",), cards=3, house=1, training=True,
        ruleset="scopa", length=("deals", 1), dealer=1, decks=[SCOPA],
    )["Anna"]  # fmt: skip
    shown = anna.locator("#gestures")
    expect(shown).to_be_visible()
    bar = measure(anna.locator(".table-bar"))
    assert bar["height"] < 60
    anna.locator("#hint").tap()
    expect(shown).to_contain_text("La casa farebbe così")
    anna.locator("#hand [data-card='7c']").tap()
    expect(shown).not_to_contain_text("La casa farebbe così")
