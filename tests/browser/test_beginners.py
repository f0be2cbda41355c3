"""The table shows who has never finished a match how a card is played, until they have played one."""

from playwright.sync_api import Page, expect

from tests.browser.rigged import Sit, deck
from tests.support.browser import collect_complaints

# Anna leads. Her 7 takes the 5 and the 2, or the 4 and the 3; her ace takes nothing.
SCOPA = " ".join((deck({0: "7c Fs Ad", 1: "6c 7s 2c"}, dealer=1), "5d 4c 3b 2s"))


def read_words(page: Page) -> str:
    return page.locator("#gestures").inner_text()


def test_a_beginner_is_shown_two_gestures_that_are_gone_after_the_first_card(sit: Sit) -> None:
    pages = sit(
        names=("Anna", "Bruno"), phones=("Anna",), cards=3,
        ruleset="scopa", length=("deals", 1), dealer=1, decks=[SCOPA],
    )  # fmt: skip
    anna, bruno = pages.values()
    heard = collect_complaints(anna)
    shown = anna.locator("#gestures")
    expect(shown).to_be_in_viewport(ratio=1)
    at_rest = read_words(anna)
    anna.locator("#hand [data-card='7c']").tap()
    several = read_words(anna)
    anna.locator("#hand [data-card='Ad']").tap()
    assert len({at_rest, several, read_words(anna)}) == 3
    anna.locator("#hand [data-card='Ad']").tap()
    expect(anna.locator("#lying [data-card='Ad']")).to_be_visible()
    expect(shown).to_be_hidden()
    # By mouse it is another gesture, and the words are others.
    assert read_words(bruno) != at_rest
    bruno.locator("#hand [data-card='2c']").click()
    assert "semitrasparente" in read_words(bruno)
    expect(bruno.locator("#ghosts .ghost")).to_have_count(1)
    bruno.locator("#hand [data-card='2c']").click()
    assert "semitrasparente" in read_words(bruno)
    expect(bruno.locator("#hand [data-raised]")).to_have_count(0)
    anna.reload()
    expect(anna.locator("#hand .card")).to_have_count(2)
    expect(shown).to_be_hidden()
    assert heard == []


def test_in_training_a_hint_is_read_in_their_place_and_the_bar_keeps_to_one_row(sit: Sit) -> None:
    anna = sit(
        names=("Anna",), phones=("Anna",), cards=3, house=1, training=True,
        ruleset="scopa", length=("deals", 1), dealer=1, decks=[SCOPA],
    )["Anna"]  # fmt: skip
    shown = anna.locator("#gestures")
    expect(shown).to_be_visible()
    bar = anna.locator(".table-bar").bounding_box()
    assert bar is not None
    assert bar["height"] < 60
    anna.locator("#hint").tap()
    expect(anna.locator("#caption")).to_contain_text("La casa farebbe così")
    expect(shown).to_be_hidden()
    anna.locator("#hand [data-card='7c']").tap()
    expect(shown).to_be_visible()
