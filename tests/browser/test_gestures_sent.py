"""Frames that a gesture sends, or never sends: the page is shown scenes, and answers with frames."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.gestures import carry_card, expect_at_rest, expect_refusal, expect_would_take, hand, lying
from tests.browser.pointers import Finger, Mouse, middle
from tests.browser.rigged import Lay, Rigged, deck
from tests.browser.scenes import Director, Scene, Stage

HANDS = {
    0: "Ad 2d 3d Rd Cd 4b 5b 6b 7b Fb",
    1: "Ac 2c 3c Rc Cc 4d 5d 6d 7d Fd",
    2: "Ab Rb Cb Rs Cs 4c 5c 6c 7c Fc",
    3: "3b 3s As 2b 2s 4s 5s 6s 7s Fs",
}
CHOSEN = """const parse = JSON.parse;
JSON.parse = (text) => {
  const found = parse(text);
  return found?.words ? { ...found, preferences: { ...found.preferences, ...%s } } : found;
};"""


def tresette() -> Scene:
    """Anna leads, and may declare."""
    return Scene("tresette", 4, deals=1, dealer=3, dichiarazioni=True).deal(deck(HANDS, dealer=3))


def scopa(fourth: str) -> Scene:
    """Anna leads: 7c takes 5d 2c or 5b 2c, unless the fourth card adds to it."""
    return Scene("scopa", 2, points=11).deal(f"Rd 3c 6s 4b 7c 2s 5d 5b 2c {fourth}")


@pytest.fixture(scope="module")
def table(lasting_tables: Lay) -> Rigged:
    described = {"ruleset": "tresette", "length": ("deals", 1), "names": ["Anna", "Bruno", "Carla", "Dino"]}
    return lasting_tables(described)


Open = Callable[..., tuple[Page, Director]]


@pytest.fixture(scope="module")
def stage(browser: Browser, table: Rigged) -> Iterator[Stage]:
    made = Stage(browser, table)
    yield made
    made.close()


@pytest.fixture
def show(stage: Stage) -> Open:
    """Opens the table and shows it these frames; gives the page and who stands in for the server."""

    def opened(*frames: dict[str, Any], stopped: bool = False, **chosen: Any) -> tuple[Page, Director]:
        fresh = bool(chosen) or stopped
        page, director = stage.open(1280, 900, "Anna", fresh=fresh, has_touch=True)
        if chosen:
            page.add_init_script(CHOSEN % json.dumps(chosen))
        if stopped:
            page.clock.install()
        if fresh:
            page.reload()
            expect(page.locator("#table")).to_have_attribute("data-line", "open")
        if stopped:
            page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))
        director.show(*frames)
        expect(page.locator("#hand .card").first).to_be_visible()
        return page, director

    return opened


def moves(director: Director) -> list[dict[str, Any]]:
    """Return each move once: a page that waits long for its answer sends it again."""
    return [*{frame["id"]: frame for frame in director.sent if frame["t"] == "move"}.values()]


def sent(page: Page, director: Director, number: int) -> dict[str, Any]:
    """The last move, once there are so many."""
    for _ in range(4800):
        if len(moves(director)) >= number:
            break
        page.wait_for_timeout(25)
    assert len(moves(director)) == number, moves(director)
    return moves(director)[-1]


def refuse(page: Page, director: Director, move: dict[str, Any]) -> None:
    """The server refuses it; the card is in the hand again."""
    assert director.line is not None
    director.show({"t": "error", "code": "calls_open", "id": move["id"], "message": "La prima carta aspetta."})
    expect(page.locator("#hand [data-sent]")).to_have_count(0)


def by_ghost(page: Page, card: str) -> None:
    hand(page, card).click()
    page.locator("#ghosts .ghost").click()


def by_double_click(page: Page, card: str) -> None:
    hand(page, card).dblclick()


def by_double_tap(page: Page, card: str) -> None:
    Finger(page).double(hand(page, card))


def by_mouse(page: Page, card: str) -> None:
    mouse = Mouse(page)
    carry_card(mouse, page, card, (5, 5))
    mouse.carry(middle(page.locator("#ghosts .ghost .card")))
    mouse.release()


def by_finger(page: Page, card: str) -> None:
    finger = Finger(page)
    carry_card(finger, page, card, (5, 5))
    finger.carry(middle(page.locator("#ghosts .ghost .card")))
    finger.release()


def by_keys(page: Page, card: str) -> None:
    """An arrow leads into the hand, and along it to the card."""
    for _step in range(11):
        page.keyboard.press("ArrowRight")
        expect(page.locator("#hand .card:focus")).to_have_count(1)
        if hand(page, card).evaluate("(each) => each === document.activeElement"):
            break
    page.keyboard.press("Enter")
    expect(page.locator("#ghosts .ghost")).to_be_focused()
    page.keyboard.press(" ")


def by_number(page: Page, card: str) -> None:
    order = page.locator("#hand .card").evaluate_all("cards => cards.map((card) => card.dataset.card)")
    page.locator("#hand .card[tabindex='0']").focus()
    page.keyboard.press(str((order.index(card) + 1) % 10))
    expect(page.locator("#ghosts .ghost")).to_be_focused()
    page.keyboard.press("Enter")


WAYS = (by_ghost, by_double_click, by_double_tap, by_mouse, by_finger, by_keys, by_number)


@pytest.mark.rule("X2", "T10")
def test_what_was_chosen_to_be_said_goes_out_with_the_card_however_it_is_played(show: Open) -> None:
    page, director = show(tresette().frame())
    page.locator("#calls .call-part[data-part='busso']").click()
    for number, way in enumerate(WAYS, 1):
        way(page, "Rd")
        move = sent(page, director, number)
        assert (move["move"], move["with"]) == ("play Rd", ["declare d busso"]), way
        refuse(page, director, move)
        expect_at_rest(page)


@pytest.mark.rule("X2")
def test_nothing_else_is_played_before_the_answer(show: Open) -> None:
    scene = tresette()
    page, director = show(scene.frame())
    mouse = Mouse(page)
    by_mouse(page, "Rd")
    sent(page, director, 1)
    hand(page, "Ad").dblclick()
    hand(page, "2d").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    mouse.press(middle(hand(page, "3d")))
    mouse.carry(middle(page.locator("#cloth")))
    expect(page.locator("[data-carried]")).to_have_count(0)
    mouse.release()
    director.show(scene.play("0 play Rd").frame())
    expect(lying(page, "Rd")).to_be_visible()
    expect(page.locator(".carried, #ghosts .ghost")).to_have_count(0)
    assert len(moves(director)) == 1


@pytest.mark.rule("X2")
def test_a_card_in_the_air_goes_back_when_the_table_changes_and_stays_when_it_does_not(show: Open) -> None:
    frame = tresette().frame()
    page, director = show(frame)
    mouse = Mouse(page)
    hand(page, "Ad").click()
    carry_card(mouse, page, "Rd", (5, 5))
    away = [{**seat, "here": number != 2} for number, seat in enumerate(frame["seats"])]
    director.show({**frame, "seats": away})
    expect(page.locator(".seat[data-seat='2'][data-away]")).to_be_visible()
    expect(page.locator(".carried")).to_have_count(1)
    director.show({**frame, "v": frame["v"] + 1})
    expect_at_rest(page, raised="Ad")
    mouse.carry(middle(page.locator("#ghosts .ghost .card")))
    mouse.release()
    expect_at_rest(page, raised="Ad")
    assert moves(director) == []


@pytest.mark.rule("X2")
@pytest.mark.parametrize(
    "way",
    [by_double_click, by_mouse, *(pytest.param(way, marks=pytest.mark.soak) for way in (by_ghost, by_finger, by_keys))],
)
def test_who_took_the_trick_need_not_wait_until_it_is_swept(show: Open, way: Callable[[Page, str], None]) -> None:
    before = tresette().play("0 play 3d", "1 play 4d", "2 play 4c")
    frames = [before.frame(), before.play("3 play 4s").frame()]
    page, director = show(*frames, stopped=True)
    expect(page.locator("#lying .card")).to_have_count(4)  # and time stands still
    way(page, "Ad")
    assert sent(page, director, 1)["move"] == "play Ad"
    expect(page.locator("#lying .card")).to_have_count(0)


@pytest.mark.rule("X2", "G10")
def test_out_of_turn_a_card_is_raised_but_neither_carried_nor_played(show: Open) -> None:
    page, director = show(tresette().play("0 play 3d").frame())
    mouse = Mouse(page)
    mouse.press(middle(hand(page, "Ad")))
    mouse.carry(middle(page.locator("#cloth")))
    expect(page.locator(".carried")).to_have_count(0)
    mouse.release()
    expect_at_rest(page)
    hand(page, "Ad").click()
    expect_at_rest(page, raised="Ad")
    expect(page.locator("#hand-said")).to_have_text("Asso di denari, alzata. Non tocca ancora a te.")
    expect(page.locator("#ghosts .ghost")).to_have_count(0)
    hand(page, "2d").dblclick()
    expect_at_rest(page, raised="2d")
    assert moves(director) == []


@pytest.mark.rule("X2")
def test_one_click_plays_once_what_can_be_played_in_one_way(show: Open) -> None:
    frame = {**scopa("3d").frame(), "barred": [["Rd", "must_take"], ["7c", "must_take"]]}
    page, director = show(frame, one_click=True)
    hand(page, "7c").click()  # two captures
    expect_at_rest(page, raised="7c")
    hand(page, "7c").dblclick()
    expect_refusal(page, "Giocata non ammessa. Questa carta può prendere: non si può scartare.")
    expect_at_rest(page, raised="7c")
    hand(page, "6s").dblclick()  # the habit of whoever used to play so
    assert sent(page, director, 1)["move"].startswith("play 6s")
    hand(page, "Rd").click()
    expect_at_rest(page)
    assert len(moves(director)) == 1


@pytest.mark.rule("X2")
def test_whose_turn_begins_is_at_the_first_card_and_no_key_leads_back_to_the_body(stage: Stage) -> None:
    page, director = stage.open(1280, 900, "Anna", fresh=True)
    focused = page.locator(":focus")
    scene = tresette().play("0 play 3d")
    director.show(scene.frame())
    expect(page.locator("#hand .card")).to_have_count(9)
    expect(focused).to_have_count(0)  # not yet
    director.show(scene.play("1 play 4d", "2 play 4c", "3 play 4s").frame())
    expect(page.locator("#hand .card").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#ghosts .ghost")).to_be_focused()
    page.keyboard.press("Enter")
    director.show(scene.play(f"0 {sent(page, director, 1)['move']}").frame())
    expect(page.locator("#hand .card:focus")).to_have_count(1)
    page.locator("#options-open").focus()  # somewhere else
    director.show(scene.play("1 play 5d", "2 play 5c", "3 play 5s").frame())
    expect(page.locator("#table[data-turn=mine]")).to_have_count(1)
    expect(page.locator("#options-open")).to_be_focused()


@pytest.mark.rule("X2")
def test_whoever_uses_a_pointer_sees_no_ring_about_a_card(stage: Stage) -> None:
    page, director = stage.open(1280, 900, "Anna", fresh=True)
    page.mouse.move(300, 300)
    page.mouse.move(320, 300)
    director.show(tresette().frame())
    expect(page.locator("#hand [data-playable]").first).to_be_focused()
    assert page.locator("#hand .card:focus").evaluate("card => getComputedStyle(card).outlineStyle") == "none"


@pytest.mark.rule("X2")
@pytest.mark.parametrize(
    ("chosen", "by_mouse", "by_finger", "by_key"),
    [({}, False, True, False), ({"second_tap": "back"}, False, False, False), ({"second_tap": "plays"}, *(True,) * 3)],
)
def test_a_second_tap_on_a_raised_card_does_what_the_help_says(
    show: Open, chosen: dict[str, str], by_mouse: bool, by_finger: bool, by_key: bool
) -> None:
    page, director = show(tresette().frame(), **chosen)
    mouse, finger, count = Mouse(page), Finger(page), 0
    card = hand(page, "Rd")

    def raise_by_key() -> None:
        card.focus()
        page.keyboard.press("Enter")
        expect(page.locator("#ghosts .ghost")).to_be_focused()

    def press_enter() -> None:
        page.keyboard.press("ArrowDown")  # from the ghost back to the card
        page.keyboard.press("Enter")

    for first, second, plays in (
        (lambda: mouse.tap(card), lambda: mouse.tap(card), by_mouse),
        (lambda: finger.tap(card), lambda: finger.tap(card), by_finger),
        (raise_by_key, press_enter, by_key),
    ):
        first()
        expect_at_rest(page, raised="Rd")
        second()
        if plays:
            count += 1
            refuse(page, director, sent(page, director, count))
        expect_at_rest(page)
    assert len(moves(director)) == count
    shown = page.locator("#help-dialog [data-taps]:not([hidden])").evaluate_all("all => all[0].dataset.taps")
    assert shown == chosen.get("second_tap", "device")


@pytest.mark.rule("S11")
def test_card_by_card_only_what_is_whole_and_unambiguous_is_taken(show: Open) -> None:
    page, director = show(scopa("Ad").frame())
    lying(page, "Ad").click()
    lying(page, "2c").click()  # no capture has both
    expect_would_take(page)
    expect(page.locator("#lying [data-picked]")).to_have_count(1)
    hand(page, "7c").click()
    expect(page.locator("#ghosts .ghost")).to_have_count(2)
    lying(page, "Ad").click()
    expect_refusal(page, "Giocata non ammessa. Con Sette di coppe non si prende Asso di denari.")
    lying(page, "5d").click()
    assert sent(page, director, 1)["move"] == "play 7c x 5d 2c"
