"""Every way to play a card (X2, S11), by mouse and by finger, as the browser's own input; and what plays nothing."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.gestures import beside, carry_card, expect_at_rest, expect_refusal, expect_would_take, hand, lying
from tests.browser.pointers import Finger, Mouse, middle
from tests.browser.rigged import Sit, deck, play
from tests.support.browser import collect_complaints

by_hand = pytest.mark.parametrize("kind", [Mouse, pytest.param(Finger, marks=pytest.mark.soak)])
PAIR = ("Anna", "Bruno")

# Two hands of Scopa, and the table between them; Anna (seat 0) leads.
SCOPA = " ".join(
    (
        deck({0: "Rc Fs 4d", 1: "6c 7s 2c"}, dealer=1),
        "5d 5c 3b 2s",
        deck({0: "Rd Fd Cd", 1: "3c 4c Ab"}, dealer=1),
    )
)
SPIZZICHINO = deck({0: "Ad 2d 3d 4d 5c 6c 7c Fb Cb Rb", 1: "5d 6d 7d Fd Ac 2c 3c 4b 5b 6b"}, dealer=1)


def names(cards: Locator) -> set[str]:
    return set(cards.evaluate_all("cards => cards.map((card) => card.dataset.card)"))


def moved(page: Page, by: int = 0) -> int:
    """The version the page shows, once it is at least ``by``."""
    if by:
        page.locator(f"#table[data-version='{by}']").wait_for()
    return int(page.locator("#table").get_attribute("data-version") or "")


@pytest.mark.rule("S11", "G10")
@by_hand
def test_every_gesture_of_scopa(sit: Sit, kind: type[Mouse | Finger]) -> None:
    pages = sit(
        names=PAIR, phones=("Anna",) if kind is Finger else (), cards=3,
        ruleset="scopa", length=("deals", 1), dealer=1, decks=[SCOPA],
    )  # fmt: skip
    anna, bruno = pages.values()
    heard = [collect_complaints(page) for page in pages.values()]
    pointer = kind(anna)
    start = moved(anna)

    # A card that can take is not put down by double click; a raised one with several plays goes back by a click.
    pointer.double(hand(anna, "Rc"))
    expect_refusal(anna, "Giocata non ammessa. Questa carta può prendere", fades=True)
    expect_at_rest(anna, raised="Rc")
    expect(anna.locator("#ghosts .ghost")).to_have_count(3)
    pointer.tap(hand(anna, "Rc"))
    expect_at_rest(anna)
    expect(anna.locator("#hand-said")).to_have_text("Re di coppe, rimessa giù.")

    # 5, 5, 3, 2 and a 10: no table card is in one capture only, so they are picked one by one.
    carry_card(pointer, anna, "Rc", lying(anna, "2s"))
    for card in ("2s", "3b", "5c", "5d"):
        pointer.carry(middle(lying(anna, card)))
        expect(anna.locator("#lying [data-could]")).to_have_count(4)
        expect_would_take(anna)
    pointer.release()
    expect_refusal(anna, "scegli le carte in tavola una alla volta")
    expect_at_rest(anna, raised="Rc")
    anna.keyboard.press("Escape")
    expect_at_rest(anna)

    # An 8: each 5 is in one capture only. Broken off in every way, it leaves all as it was.
    carry_card(pointer, anna, "Fs", lying(anna, "3b"))
    expect_would_take(anna)
    pointer.carry(middle(lying(anna, "5c")))
    expect_would_take(anna, "5c", "3b")
    anna.keyboard.press("Escape")
    expect_at_rest(anna)
    pointer.release()
    expect_at_rest(anna)
    pointer.tap(hand(anna, "4d"))
    carry_card(pointer, anna, "Fs", lying(anna, "5d"))
    expect_would_take(anna, "5d", "3b")
    pointer.interrupt()
    expect_at_rest(anna, raised="4d")
    pointer.release()
    expect_at_rest(anna, raised="4d")
    pointer.tap(beside(anna))
    expect_at_rest(anna)
    carry_card(pointer, anna, "Fs", lying(anna, "5d"))
    anna.evaluate("dispatchEvent(new Event('blur'))")
    expect_at_rest(anna)
    pointer.release()
    if isinstance(pointer, Finger):
        carry_card(pointer, anna, "Fs", lying(anna, "5d"))
        pointer.lose()
        expect_at_rest(anna)
    carry_card(pointer, anna, "Fs", lying(anna, "5d"))
    pointer.carry(middle(hand(anna, "Fs")))  # back among the others
    expect_would_take(anna)
    pointer.release()
    expect_at_rest(anna)
    assert moved(anna) == moved(bruno) == start
    pointer.tap(hand(anna, "Rc"))
    pointer.tap(lying(anna, "5d"))
    expect(lying(anna, "5d")).to_have_attribute("data-picked", "")
    anna.keyboard.press("Escape")
    expect_at_rest(anna)

    # Card by card: table cards first, one of them let go of again, then the hand card, then the rest.
    pointer.tap(lying(anna, "5c"))
    pointer.tap(lying(anna, "5d"))
    pointer.tap(lying(anna, "5c"))
    assert names(anna.locator("#lying [data-picked]")) == {"5d"}
    pointer.tap(hand(anna, "Rc"))
    pointer.tap(lying(anna, "2s"))
    assert names(anna.locator("#lying [data-picked]")) == {"5d", "2s"}
    expect(anna.locator("#ghosts .ghost")).to_have_count(1)
    pointer.tap(lying(anna, "3b"))
    expect(bruno.locator("#log")).to_contain_text("Anna gioca Re di coppe e prende")
    moved(anna, start + 1)
    play(bruno, "6c")
    moved(anna, start + 2)

    # What takes nothing: double click; then carried onto its ghost.
    pointer.double(hand(anna, "Fs"))
    moved(bruno, start + 3)
    play(bruno, "7s")
    moved(anna, start + 4)
    carry_card(pointer, anna, "4d", lying(anna, "5c"))
    expect_would_take(anna)
    pointer.carry(middle(anna.locator("#ghosts .ghost .card")))
    expect(anna.locator("#ghosts [data-aimed]")).to_have_count(1)
    pointer.release()
    moved(bruno, start + 5)
    play(bruno, "2c")
    expect(anna.locator("#hand .card")).to_have_count(3)
    assert names(anna.locator("#lying .card")) == {"5c", "6c", "Fs", "7s", "4d", "2c"}

    # Two captures without a card in common: the one under the pointer is made.
    carry_card(pointer, anna, "Rd", lying(anna, "2c"))
    expect_would_take(anna, "2c", "Fs")
    pointer.carry(middle(lying(anna, "4d")))
    expect_would_take(anna, "4d", "6c")
    pointer.release()
    moved(bruno, start + 7)
    expect(bruno.locator("#log")).to_contain_text("Anna gioca Re di denari e prende Quattro di denari e Sei di coppe")
    play(bruno, "3c")
    moved(anna, start + 8)

    # The only capture there is: anywhere on the table, here with the trick before still lying there.
    carry_card(pointer, anna, "Fd", lying(anna, "7s"))
    expect_would_take(anna, "Fs")
    pointer.release()
    moved(bruno, start + 9)
    play(bruno, "4c")
    moved(anna, start + 10)

    # Something happens at the table while a card is in the air: it goes back.
    carry_card(pointer, anna, "Cd", lying(anna, "7s"))
    expect_would_take(anna, "7s", "2c")
    bruno.locator("#options-open").click()
    bruno.locator("#abandon").click()
    bruno.locator("#abandon-dialog [value=abandon]").click()
    expect(anna.locator("#result")).to_be_visible()
    expect_at_rest(anna)
    pointer.release()
    expect_at_rest(anna)
    assert heard == [[], []]


@pytest.mark.rule("X2", "G10")
@by_hand
def test_every_gesture_of_tresette(sit: Sit, kind: type[Mouse | Finger]) -> None:
    pages = sit(
        names=PAIR, phones=PAIR if kind is Finger else (), ruleset="tresette", length=("deals", 1), dealer=1,
        decks=[SPIZZICHINO],
    )  # fmt: skip
    anna, bruno = pages.values()
    heard = [collect_complaints(page) for page in pages.values()]
    first, second = kind(anna), kind(bruno)
    start = moved(anna)

    second.double(hand(bruno, "5d"))  # not Bruno's turn
    expect_at_rest(bruno, raised="5d")
    second.tap(hand(bruno, "5d"))
    expect_at_rest(bruno)

    first.tap(hand(anna, "Ad"))  # a single click plays nothing
    expect_at_rest(anna, raised="Ad")
    expect(anna.locator("#ghosts .ghost")).to_have_accessible_name("Gioca Asso di denari")
    first.tap(beside(anna))
    expect_at_rest(anna)
    expect(anna.locator("#ghosts .ghost")).to_have_count(0)
    first.tap(hand(anna, "Ad"))
    first.tap(hand(anna, "3d"))  # another one instead
    expect_at_rest(anna, raised="3d")
    assert moved(anna) == start
    first.tap(hand(anna, "3d"))  # a finger's second tap plays, a second click puts back
    if kind is Mouse:
        expect_at_rest(anna)
        first.tap(hand(anna, "3d"))
        first.tap(anna.locator("#ghosts .ghost"))
    moved(bruno, start + 1)

    second.tap(hand(bruno, "Ac"))
    expect_refusal(bruno, "Giocata non ammessa. Bisogna rispondere al seme.")
    lift_refused = middle(hand(bruno, "Ac"))
    second.press(lift_refused)
    second.carry(middle(lying(bruno, "3d")))
    expect(bruno.locator(".carried")).to_have_count(0)
    second.release()
    expect_refusal(bruno, "Giocata non ammessa. Bisogna rispondere al seme.")
    second.double(hand(bruno, "Ac"))
    expect_refusal(bruno, "Giocata non ammessa. Bisogna rispondere al seme.")
    assert moved(bruno) == start + 1
    second.double(hand(bruno, "6d"))
    version = moved(anna, start + 2)

    # The trick still lies there: who took it goes on at once, by carrying a card onto its ghost.
    expect(hand(anna, "2d")).to_have_attribute("data-playable", "")
    carry_card(first, anna, "2d", (5, 5))
    first.release()  # nowhere
    expect_at_rest(anna)
    carry_card(first, anna, "2d", (5, 5))
    first.carry(middle(anna.locator("#ghosts .ghost .card")))
    expect(anna.locator("#ghosts [data-aimed]")).to_have_count(1)
    first.release()
    moved(bruno, version + 1)
    expect(bruno.locator("#log")).to_contain_text("Anna gioca Due di denari.")
    assert names(anna.locator("#hand .card")) | {"2d"} >= {"Ad", "4d"}
    assert heard == [[], []]


@pytest.mark.rule("X2")
def test_one_click_plays_for_who_chose_so_and_only_what_cannot_be_meant_otherwise(sit: Sit) -> None:
    pages = sit(names=PAIR, cards=3, ruleset="scopa", length=("deals", 1), dealer=1, decks=[SCOPA])
    anna, bruno = pages.values()
    start = moved(anna)
    anna.locator("#options-open").click()
    anna.get_by_label("Gioca la carta con un solo clic").check()
    anna.get_by_role("button", name="Chiudi").click()
    expect(hand(anna, "Rc")).to_have_attribute("data-playable", "")
    hand(anna, "Rc").click()  # three captures
    expect_at_rest(anna, raised="Rc")
    assert moved(bruno) == start
    hand(anna, "4d").click()
    moved(bruno, start + 1)
    assert names(bruno.locator("#lying .card")) == {"5d", "5c", "3b", "2s", "4d"}


PLAYS = 36  # of one deal of Scopa for two


@pytest.mark.soak
@pytest.mark.rule("S11")
def test_a_whole_deal_is_played_with_the_keyboard_alone(sit: Sit) -> None:
    pages = sit(names=PAIR, cards=3, ruleset="scopa", length=("deals", 1), dealer=1, decks=[SCOPA])
    anna, bruno = pages.values()
    heard = [collect_complaints(page) for page in pages.values()]
    start = moved(anna)

    expect(anna.locator("#hand .card").first).to_be_focused()  # it is her turn
    expect(anna.locator("#hand .card[tabindex='0']")).to_have_count(1)
    anna.keyboard.press("End")
    expect(anna.locator("#hand .card").last).to_be_focused()
    anna.keyboard.press("?")
    expect(anna.locator("#help-dialog")).to_be_visible()
    anna.keyboard.press("Escape")
    expect(anna.locator("#help-dialog")).to_be_hidden()
    expect(anna.locator("#hand .card").last).to_be_focused()
    order = anna.locator("#hand .card").evaluate_all("cards => cards.map((card) => card.dataset.card)")
    anna.keyboard.press(str(order.index("Rc") + 1))
    expect(anna.locator("#ghosts .ghost").first).to_be_focused()
    expect(anna.locator("#hand-said")).to_have_text("Re di coppe, alzata: si gioca in 3 modi.")
    anna.keyboard.press("ArrowDown")
    expect(hand(anna, "Rc")).to_be_focused()
    anna.keyboard.press("ArrowUp")
    anna.keyboard.press("ArrowRight")
    expect(anna.locator("#ghosts .ghost").nth(1)).to_be_focused()
    anna.keyboard.press("Escape")
    expect_at_rest(anna)
    expect(hand(anna, "Rc")).to_be_focused()
    assert moved(anna) == start

    for n in range(PLAYS):
        mover = (anna, bruno)[n % 2]
        expect(mover.locator("#table[data-turn=mine]")).to_have_count(1)
        if mover.locator("#hand .card:focus").count() == 0:
            mover.keyboard.press("ArrowRight")
        expect(mover.locator("#hand .card:focus")).to_have_count(1)
        mover.keyboard.press("Enter")
        expect(mover.locator("#ghosts .ghost").first).to_be_focused()
        mover.keyboard.press("Enter")
        for page in pages.values():
            moved(page, start + n + 1)
    for page in pages.values():
        expect(page.locator("#result")).to_be_visible()
    assert heard == [[], []]
