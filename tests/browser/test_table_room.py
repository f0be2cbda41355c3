"""The table grows with the room it is given: how wide its cards are, and what stays in its place."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.gestures import expect_would_take, hand, lying
from tests.browser.layouts import measure
from tests.browser.rigged import Lay, Rigged
from tests.browser.scenes import Director, Scene, Stage
from tests.browser.states import LAST_SCOPA, SCOPA, STATES, tresette
from tests.support.browser import collect_complaints
from tests.support.waiting import until

Open = Callable[..., tuple[Page, Director]]

# The least width of a card on the cloth and in the hand, px: up to four on the cloth of a telephone are larger than
# what a table had before it grew (44 to 50), as are those of a screen (104).
LEAST = {
    (360, 640): {"ambiguous": (66, 100), "trick_led": (66, 0), "declared": (51, 85), "crowded": (60, 100)},
    (390, 844): {"ambiguous": (72, 80), "trick_led": (75, 0), "declared": (75, 70), "crowded": (42, 80)},
    (740, 360): {"ambiguous": (60, 60), "trick_led": (50, 0), "declared": (50, 56), "crowded": (41, 60)},
    (1280, 800): {"ambiguous": (120, 130), "trick_led": (105, 0), "declared": (105, 105), "crowded": (95, 130)},
    (1920, 1080): {"ambiguous": (170, 180), "trick_led": (138, 0), "declared": (138, 170), "crowded": (170, 180)},
    (2560, 1440): {"ambiguous": (230, 220), "trick_led": (184, 0), "declared": (184, 225), "crowded": (230, 220)},
}

# Places of players that aren't in the window at all.
PLATES_OUTSIDE = """() => [...document.querySelectorAll(".plate")].filter((plate) => {
  const { left, right, top, bottom } = plate.getBoundingClientRect();
  return right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight;
}).length"""


@pytest.fixture(scope="module")
def table(lasting_tables: Lay) -> Rigged:
    described = {"ruleset": "scopa", "length": ["points", 11], "names": ["Anna", "Bruno"]}
    return lasting_tables(described)


@pytest.fixture(scope="module")
def stage(browser: Browser, table: Rigged) -> Iterator[Stage]:
    made = Stage(browser, table)
    yield made
    made.close()


@pytest.fixture
def show(stage: Stage) -> Open:
    """Open the table in a window of this size, and give the page and who stands in for the server."""
    return stage.open


def draw(page: Page, director: Director, state: str) -> None:
    """Show a state and wait for its last picture."""
    frames = STATES[state]()
    director.show(*frames)
    expect(page.locator(f"#table[data-version='{frames[-1]['v']}']")).to_be_visible()


def give_room(page: Page, width: int, height: int) -> None:
    """Make the window as large as this."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function("([width, height]) => innerWidth === width && innerHeight === height", arg=[width, height])


def wait_for_room(page: Page, cloth: int, held: int) -> list[int]:
    """Return the widths of a card on the cloth and in the hand, if they are less than this once the table is laid
    out."""
    least = {cards: width for cards, width in (("#lying .card", cloth), ("#hand .card", held)) if width}
    for _ in range(600):
        boxes = {cards: page.locator(cards).first.bounding_box() for cards in least}
        widths = [round(box["width"]) if box else 0 for box in boxes.values()]
        if all(width >= wanted for width, wanted in zip(widths, least.values(), strict=True)):
            return []
        page.wait_for_timeout(50)
    return widths


def in_windows(*windows: tuple[int, int]) -> pytest.MarkDecorator:
    """Try one page that grows from window to window, and in a soak pages opened in each."""
    each = (pytest.param((size,), id=f"{size[0]}x{size[1]}", marks=pytest.mark.soak) for size in windows)
    return pytest.mark.parametrize("windows", [pytest.param(windows, id="growing"), *each])


@in_windows(*LEAST)
def test_cards_are_as_wide_as_the_room_allows_and_everything_is_in_the_window(
    show: Open, windows: Sequence[tuple[int, int]]
) -> None:
    page, director = show(*windows[0], fresh=True)
    page.clock.install()
    too_narrow = {}
    for state in LEAST[windows[0]]:
        page.clock.resume()
        give_room(page, *windows[0])
        page.reload()
        expect(page.locator("#table[data-line=open]")).to_be_visible()
        page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))  # a trick would be swept before it is measured
        draw(page, director, state)
        expect(page.locator("#lying .card").first).to_be_visible()
        for window in windows:
            give_room(page, *window)
            too_small = wait_for_room(page, *LEAST[window][state])
            if too_small:
                too_narrow[state, window] = too_small
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (state, window)
            assert page.evaluate(PLATES_OUTSIDE) == 0, (state, window)
    assert too_narrow == {}


@in_windows(*LEAST, (1024, 768))
def test_whose_turn_it_is_stands_beside_all_that_a_beginners_place_says(
    show: Open, windows: Sequence[tuple[int, int]]
) -> None:
    page, director = show(*windows[0], "Anna")
    frame = Scene("scopa", 2, points=11, dealer=1).deal(SCOPA).frame()
    clock = {**frame["clock"], "from": frame["now"], "ends": frame["now"] + 90_000, "extra": 60_000}
    seats = [{**frame["seats"][0], "name": "Bartolomea Zanzottera"}, frame["seats"][1]]
    director.show({**frame, "seats": seats, "beginners": [0], "clock": {**clock, "left": [900_000, 900_000]}})
    place, turn = page.locator(".seat[data-place=bottom] .plate"), page.locator("#turn")
    for window in windows:
        give_room(page, *window)
        expect(place.locator(".turn-clock")).to_be_visible()
        expect(turn).to_be_visible()
        until(partial(are_beside, place, turn), what=f"the turn beside the place in {window}")


def are_beside(place: Locator, turn: Locator) -> bool:
    """Return whether neither lies over the other."""
    here, there = measure(place), measure(turn)
    beside = here["x"] + here["width"] <= there["x"] or there["x"] + there["width"] <= here["x"]
    return beside or here["y"] + here["height"] <= there["y"] or there["y"] + there["height"] <= here["y"]


def test_raising_a_card_makes_the_cards_on_a_telephones_cloth_no_smaller(show: Open) -> None:
    page, director = show(360, 640, "Anna")
    director.show(Scene("scopa", 2, points=11, dealer=1).deal("Rd 3c 6s 4b 7c 2s 5d Fb 3d 2c").frame())
    before = measure(lying(page, "5d"))
    hand(page, "6s").click()
    expect(page.locator("#ghosts .ghost")).to_have_count(1)
    after = measure(lying(page, "5d"))
    assert after["width"] == before["width"]


@pytest.mark.rule("X2")
def test_a_second_click_puts_a_raised_card_back_in_however_many_ways_it_can_be_played(show: Open) -> None:
    page, director = show(name="Anna", fresh=True)
    director.show(Scene("scopa", 2, points=11, dealer=1).deal("Rd 3c 6s 4b 7c 2s 5d 5b 3d 2c").frame())
    page.clock.install()
    hand(page, "Rd").click()  # in three ways
    page.clock.run_for(1000)
    hand(page, "Rd").click()
    expect(page.locator("#hand [data-raised]")).to_have_count(0)
    assert [frame for frame in director.sent if frame["t"] == "move"] == []
    hand(page, "6s").click()
    page.clock.run_for(1000)
    expect(page.locator("#hand [data-raised]")).to_have_count(1)
    hand(page, "6s").click()
    expect(page.locator("#hand [data-raised]")).to_have_count(0)
    assert [frame for frame in director.sent if frame["t"] == "move"] == []
    page.clock.run_for(1000)
    hand(page, "6s").dblclick()
    expect(hand(page, "6s")).to_have_attribute("data-sent", "")
    assert [frame["move"] for frame in director.sent if frame["t"] == "move"] == ["play 6s"]


@pytest.mark.rule("S11")
def test_what_a_click_would_take_is_seen_before_it_is_made(show: Open) -> None:
    page, director = show(name="Anna")
    director.show(Scene("scopa", 2, points=11, dealer=1).deal("Rd 3c 6s 4b 7c 2s 5d 5b 3d 2c").frame())
    hand(page, "Rd").hover()  # several captures: what some of them takes
    expect(page.locator("#lying [data-could]")).to_have_count(4)
    expect_would_take(page)
    hand(page, "7c").hover()
    expect(page.locator("#lying [data-could]")).to_have_count(3)
    page.locator(".plate").first.hover()
    expect(page.locator("#lying :is([data-could], [data-would])")).to_have_count(0)
    hand(page, "7c").click()
    lying(page, "2c").click()
    lying(page, "5d").hover()  # this one would complete the capture
    expect(lying(page, "5d")).to_have_attribute("data-would", "")


def test_the_last_trick_lies_there_until_its_deal_is_counted_and_the_next_deal_comes_after(show: Open) -> None:
    page, director = show(name="Anna")
    scene = Scene("scopa", 2, points=11, dealer=1).deal(SCOPA).play("35")
    director.show(scene.frame())
    expect(page.locator("#stage")).to_contain_text("Smazzata 1")
    before = page.locator("#score").inner_text()
    director.show(scene.play("1").deal(LAST_SCOPA).frame())
    expect(page.locator("#count")).to_be_visible()
    expect(page.locator("#lying [data-taking]")).not_to_have_count(0)
    expect(page.locator("#stage")).to_contain_text("Smazzata 1")
    expect(page.locator("#score")).to_have_text(before, use_inner_text=True)
    expect(page.locator("#hand .card")).to_have_count(0)
    page.locator("#count-close").click()
    expect(page.locator("#stage")).to_contain_text("Smazzata 2")
    expect(page.locator("#hand .card")).to_have_count(3)
    expect(page.locator("#lying [data-taking]")).to_have_count(0)


def test_calls_of_the_next_deal_come_after_the_count(show: Open) -> None:
    page, director = show(name="Anna")
    scene = tresette().play("0 accuso napoletana:d", "39")
    director.show(scene.frame())
    scene.play("1").deal()
    scene.by_hand[0] = ()
    director.show(scene.frame())
    expect(page.locator("#count")).to_be_visible()
    expect(page.locator("#calls button")).to_have_count(0)
    expect(page.locator("#turn")).to_be_empty()
    page.locator("#count-close").click()
    expect(page.locator("#stage")).to_contain_text("Smazzata 2")
    expect(page.locator("#turn")).not_to_be_empty()


def test_a_match_that_ends_while_a_deal_is_counted_is_shown_at_once(show: Open) -> None:
    page, director = show(name="Anna")
    scene = Scene("scopa", 2, points=11, dealer=1).deal(SCOPA).play("35")
    director.show(scene.frame())
    director.show(scene.play("1").deal(LAST_SCOPA).frame())
    expect(page.locator("#count")).to_be_visible()
    director.show(scene.play("1 abandon").frame())
    expect(page.locator("#result")).to_be_visible()
    expect(page.locator("#count")).to_be_hidden()


def test_the_chronicle_is_there_again_after_a_reload(show: Open) -> None:
    page, director = show(name="Anna")
    scene = Scene("scopa", 2, points=11, dealer=1).deal(SCOPA)
    director.show(scene.frame(), scene.play("0 play 7c x 5d 2c").frame())
    told = page.locator("#log p")
    expect(told.last).to_contain_text("prendi")
    lines = told.all_inner_texts()
    page.reload()
    expect(told).to_have_text(lines)


def test_what_one_has_written_oneself_is_never_unread(show: Open) -> None:
    page, director = show(name="Anna")
    director.show(Scene("scopa", 2, points=11, dealer=1).deal(SCOPA).frame())
    said = {"text": "ciao", "phrase": None, "name": None, "at": 0}
    director.show({"t": "chat", "lines": [{**said, "n": 1, "seat": 0}]})
    expect(page.locator("#chat-lines p")).to_have_count(1)
    expect(page.locator("[data-unread]")).to_have_count(0)
    director.show({"t": "chat", "lines": [{**said, "n": 2, "seat": 1}]})
    expect(page.locator("#tab-chat[data-unread]")).to_be_visible()
    give_room(page, 360, 640)
    expect(page.locator("#chat-open[data-unread]")).to_be_visible()


def test_giving_up_stands_in_the_menu_alone(show: Open) -> None:
    page, director = show(360, 640, "Anna")
    heard = collect_complaints(page)
    director.show(Scene("scopa", 2, points=11, dealer=1).deal(SCOPA).frame())
    expect(page.locator("#abandon")).to_be_hidden()
    page.locator("#options-open").click()
    page.locator("#abandon").click()
    expect(page.locator("#abandon-dialog")).to_be_visible()
    expect(page.locator("#options-dialog")).to_be_hidden()
    asked = page.locator("#abandon-dialog")
    expect(asked).not_to_contain_text("chi gioca con te", use_inner_text=True)
    director.show(tresette().frame())
    expect(asked).to_contain_text("e con te chi gioca con te", use_inner_text=True)
    assert heard == []
