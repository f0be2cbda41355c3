"""The design of the table and of the end of a match, measured: sizes, places, banner, tabs, focus, what is told."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.axe import THEMES, faults
from tests.browser.layouts import measure
from tests.browser.pictures import take_picture
from tests.browser.rigged import Lay, Rigged
from tests.browser.scenes import Director, Scene, Stage
from tests.browser.states import SCOPA, STATES
from tests.support.browser import collect_complaints

DESK, PHONE, SMALL, LOW = (1280, 800), (390, 844), (360, 640), (844, 390)
FREE = """cards => cards.slice(0, -1).map((card, i) => {
  const [one, next] = [card, cards[i + 1]].map((each) => each.getBoundingClientRect());
  return next.top > one.top + 4 ? [Infinity, next.top - one.top] : [next.left - one.left, Infinity];
})"""
SHIFTS = """() => {
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
}"""

Open = Callable[..., tuple[Page, Director]]


@pytest.fixture(scope="module")
def table(lasting_tables: Lay) -> Rigged:
    return lasting_tables({"ruleset": "scopa", "length": ["points", 11], "names": ["Anna", "Bruno"]})


@pytest.fixture(scope="module")
def lasting_stage(browser: Browser, table: Rigged) -> Iterator[Stage]:
    made = Stage(browser, table)
    yield made
    made.close()


@pytest.fixture
def stage(lasting_stage: Stage) -> Open:
    return lambda window, **more: lasting_stage.open(*window, "Anna", **more)


def show(page: Page, director: Director, *frames: dict[str, Any]) -> None:
    """Show these views, and wait for the last of them."""
    director.show(*frames)
    expect(page.locator(f"#table[data-version='{frames[-1]['v']}']")).to_be_visible()


def box(element: Locator) -> dict[str, float]:
    place = measure(element)
    return {**place, "right": place["x"] + place["width"], "bottom": place["y"] + place["height"]}  # type: ignore[dict-item]


def tresette() -> dict[str, Any]:
    return Scene("tresette", 4, points=21, dealer=0).deal().play("3").frame()


def briscola() -> dict[str, Any]:
    return Scene("briscola", 2, points=3, dealer=1).deal().frame()


def scopa() -> dict[str, Any]:
    return Scene("scopa", 2, points=11, dealer=1).deal(SCOPA).frame()


@pytest.mark.parametrize("game", [scopa, briscola, tresette])
def test_at_a_desk_cards_in_hand_are_large_and_the_zone_is_whole(
    stage: Open, game: Callable[[], dict[str, Any]]
) -> None:
    page, director = stage(DESK)
    show(page, director, game())
    take_picture(page, f"table-{game.__name__}-1280")
    assert box(page.locator("#hand .card").first)["width"] >= 150
    assert box(page.locator(".own"))["bottom"] <= 792
    assert box(page.locator(".table-bar"))["height"] == pytest.approx(52, abs=1)
    if game is tresette:
        free = page.locator("#hand .card").evaluate_all(FREE)
        assert min(width for width, _ in free) >= 80
        assert box(page.locator("#lying .card").first)["width"] >= 112


def test_the_trump_lies_upright_beside_the_deck_as_large_as_it_is_read(stage: Open) -> None:
    for window in (DESK, PHONE, LOW):
        page, director = stage(window)
        show(page, director, briscola())
        trump, deck = page.locator("#stock .turned .card"), page.locator("#stock > .card")
        held = box(page.locator("#hand .card").first)["width"]
        assert box(trump)["width"] >= (0.75 if window == DESK else 0.7) * held, window
        assert box(trump)["height"] > box(trump)["width"]
        assert box(trump)["right"] <= box(deck)["x"]
        expect(page.locator("#stock .stock-count")).to_have_text("34 nel mazzo")
        expect(page.locator(".trump-badge:visible")).to_have_count(1)
        expect(page.locator(".trump-badge:visible")).to_contain_text("briscola: ")


def test_on_a_telephone_cards_can_be_touched(stage: Open) -> None:
    page, director = stage(PHONE)
    show(page, director, scopa())
    take_picture(page, "table-portrait-390")
    assert box(page.locator("#hand .card").first)["width"] >= 100
    page, director = stage(PHONE)
    show(page, director, tresette())
    assert box(page.locator("#hand .card").first)["width"] == pytest.approx(92, abs=1)
    for wide, high in page.locator("#hand .card").evaluate_all(FREE)[:5]:
        assert wide is None or wide >= 64
        assert high is None or high >= 76
    page, director = stage(LOW)
    show(page, director, tresette())
    take_picture(page, "table-landscape-844")
    card = box(page.locator("#hand .card").first)
    assert card["bottom"] - LOW[1] <= 0.26 * card["height"], "three quarters of it are seen"


def test_no_hash_is_on_the_page_but_in_the_menu(stage: Open) -> None:
    page, director = stage(DESK)
    show(page, director, scopa())
    assert not re.findall(r"\b(?=\w*\d)[0-9a-f]{8,}\b", page.locator("#table").inner_text())


@pytest.mark.parametrize("window", [DESK, PHONE])
def test_a_banner_pushes_the_felt_and_covers_no_place(stage: Open, window: tuple[int, int]) -> None:
    page, director = stage(window)
    show(page, director, tresette())
    before = box(page.locator(".felt"))["y"]
    frame = tresette()
    show(page, director, {**frame, "v": frame["v"] + 1, "absence": "house", "away": [0]})
    banner = page.locator("#line-state")
    expect(banner).to_contain_text("La casa gioca per te.")
    expect(banner.get_by_role("button")).to_have_text("Sono qui")
    if window == DESK:
        take_picture(page, "table-tresette-offline-1280")
    after = box(banner)
    assert 44 <= after["height"] <= 52
    assert box(page.locator(".felt"))["y"] == pytest.approx(before + after["height"], abs=1)
    for plate in page.locator(".plate").all():
        assert box(plate)["y"] >= after["bottom"]


def test_the_panel_tells_what_all_have_seen_and_remembers_its_page(stage: Open) -> None:
    page, director = stage(DESK)
    heard = collect_complaints(page)
    show(page, director, *STATES["taking"]())
    points = page.locator("#points")
    expect(points).to_contain_text("Totale")
    expect(points.locator("#points-deal")).to_contain_text("Carte prese")
    for hidden in ("Denari", "Primiera", "Punti delle carte"):
        expect(points).not_to_contain_text(hidden)
    page.locator("#tab-points").press("ArrowRight")
    expect(page.locator("#tab-moves")).to_be_focused()
    expect(page.locator("#moves")).to_be_visible()
    expect(points).to_be_hidden()
    page.reload()
    expect(page.locator("#tab-moves")).to_have_attribute("aria-selected", "true")
    assert heard == []


def test_on_a_telephone_the_panel_is_a_drawer(stage: Open) -> None:
    page, director = stage(PHONE)
    show(page, director, scopa())
    expect(page.locator("#panel")).to_be_hidden()
    page.locator("#chat-open").click()
    expect(page.locator("#tab-points")).to_be_focused()
    assert faults(page, THEMES) == []
    page.keyboard.press("Escape")
    expect(page.locator("#panel")).to_be_hidden()
    expect(page.locator("#chat-open")).to_be_focused()


def test_the_turn_brings_the_focus_to_the_first_card_that_may_be_played(stage: Open) -> None:
    page, director = stage(DESK, fresh=True)
    scene = Scene("scopa", 2, points=11, dealer=0).deal(SCOPA)
    show(page, director, scene.frame())
    expect(page.locator("#hand .card:focus")).to_have_count(0)
    show(page, director, scene.play("1").frame())
    expect(page.locator("#hand [data-playable]").first).to_be_focused()
    expect(page.locator("#hand-said")).to_have_text("Frecce e Invio")


def test_one_press_silences_the_table_and_it_stays_silent(stage: Open) -> None:
    page, director = stage(PHONE, fresh=True)
    show(page, director, scopa())
    button = page.locator("#sound-open")
    expect(button).to_have_attribute("aria-pressed", "true")
    with page.expect_response("**/preferenze/**"):
        button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    page.reload()
    expect(button).to_have_attribute("aria-pressed", "false")
    with page.expect_response("**/preferenze/**"):
        button.click()


def ended(ruleset: str, players: int = 2, seat: int = 0, **more: Any) -> list[dict[str, Any]]:
    """Return the last two views of a match of one deal."""
    scene = Scene(ruleset, players, deals=1, dealer=1, **more).deal(SCOPA if ruleset == "scopa" else "")
    scene.play("35" if ruleset == "scopa" else "39")
    return [scene.frame(seat), scene.play("1").frame(seat)]


@pytest.mark.parametrize("window", [DESK, PHONE])
def test_the_end_of_a_match_fits_and_has_one_act(stage: Open, window: tuple[int, int]) -> None:
    page, director = stage(window)
    for seat, title, laurel in ((0, "Hai vinto!", 1), (1, "Stavolta no", 0)):
        page.reload()
        expect(page.locator("#table[data-line=open]")).to_be_visible()
        director.show(*ended("scopa", seat=seat))
        expect(page.locator("#result-title")).to_have_text(title)
        expect(page.locator(".laurel:visible")).to_have_count(laurel)
        expect(page.locator(".result-primary:visible")).to_have_count(1)
        expect(page.locator(".result-fields li")).to_have_count(5)
        cut = "all => all.filter(it => it.scrollWidth > it.clientWidth).map(it => it.textContent)"
        assert page.locator(".result-fields li").evaluate_all(cut) == []
        if not seat:
            take_picture(page, "result-won-1280" if window == DESK else "result-states-390")
        scrolls = "it => it.scrollHeight > it.clientHeight + 1"
        assert not page.locator("#result-body").evaluate(scrolls)
        assert box(page.locator(".result-foot"))["bottom"] <= window[1]
        assert faults(page, THEMES) == []


def test_after_a_briscola_both_sums_are_told_and_never_one_to_nothing(stage: Open) -> None:
    page, director = stage(PHONE)
    frames = ended("briscola")
    director.show(*frames)
    expect(page.locator("#result")).to_be_visible()
    sums = sorted(frames[-1]["result"]["cards"])
    assert sum(sums) == 120
    assert sorted(map(int, page.locator(".result-figure").all_inner_texts())) == sums
    for each in sums:
        expect(page.locator(".points-sums")).to_contain_text(str(each))
    expect(page.locator("#result-deal-points")).to_have_text("servivano 61")


def test_a_match_won_because_nobody_came_has_no_laurel_and_no_deal(stage: Open) -> None:
    page, director = stage(DESK)
    scene = Scene("scopa", 2, deals=1, dealer=1).deal(SCOPA)
    director.show(scene.frame(), scene.play("1 noshow").frame())
    expect(page.locator("#result-title")).to_have_text("Vinta per assenza")
    expect(page.locator(".laurel")).to_be_hidden()
    expect(page.locator("#result-deal")).to_be_hidden()
    expect(page.locator("#result-joy > *")).to_have_count(0)


def test_the_suits_of_a_victory_lie_still_for_whoever_asked_for_less_motion(stage: Open) -> None:
    page, director = stage(DESK)
    director.show(*ended("scopa"))
    expect(page.locator("#result-joy > *")).not_to_have_count(0)
    assert (
        page.evaluate("document.getAnimations().filter((each) => each.effect.target.matches('.falling-suit')).length")
        == 0
    )


@pytest.mark.parametrize("window", [DESK, PHONE])
def test_nothing_jumps_as_the_table_comes_to_life(stage: Open, window: tuple[int, int]) -> None:
    page, director = stage(window, fresh=True)
    page.add_init_script(f"({SHIFTS})()")
    page.reload()
    expect(page.locator("#table[data-line=open]")).to_be_visible()
    scene = Scene("scopa", 2, points=11, dealer=0).deal(SCOPA)
    show(page, director, scene.frame())
    show(page, director, scene.play("1").frame())
    assert page.evaluate("window.shifted") < 0.02
