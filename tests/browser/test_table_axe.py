"""The table's page in every state a table can be in: nothing lies over anything, and axe finds nothing in either theme.

The states are scenes made by the rules (tests/browser/states.py), shown on the page of a real table.
"""

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.axe import THEMES, faults
from tests.browser.layouts import measure
from tests.browser.rigged import Lay, Rigged
from tests.browser.scenes import Director, Scene, Stage
from tests.browser.states import SCOPA, STATES
from tests.support.browser import collect_complaints
from tests.support.waiting import until

PORTRAIT, LANDSCAPE, DESK = (360, 640), (568, 320), (1280, 800)
SMALLEST = (320, 568)
WINDOWS = {
    "smallest": SMALLEST, "telephone": PORTRAIT, "large telephone": (390, 844), "sideways": LANDSCAPE, "desk": DESK,
    "screen": (1920, 1080), "large screen": (2560, 1440),
}  # fmt: skip
# In make test; all of them in make soak. Where the same parts are there as in another state, axe isn't asked again.
EXAMPLES = (
    "waiting", "ambiguous", "crowded", "declared", "morto", "open_hands", "ten_on_the_table", "briscola_in_pairs",
    "partner_shown", "late_deal", "count_of_scopa", "count_of_briscola", "result_won",
)  # fmt: skip
FOR_AXE = ("waiting", "ambiguous", "declared", "morto", "late_deal", "count_of_scopa", "result_won")
BY_NIGHT = ("ambiguous", "declared", "count_of_scopa", "result_won")  # all parts that have colours of their own

Open = Callable[..., tuple[Page, Director]]

# What lies over what, and what lies beside the window: names of elements, for people.
CROWDING = """() => {
  const place = e => e.getBoundingClientRect();
  const seen = e => place(e).width > 3 && place(e).height > 3 && getComputedStyle(e).visibility !== "hidden";
  const what = [".plate", ".seat-said", ".fan", ".pile", ".stock", "#hand .card", "#morto .card", ".calls button",
    "#turn", "#hurry", ".line-state", "#lying .card", ".ghost", "#late summary", ".score", ".table-ways"].join(", ");
  const all = [...document.querySelectorAll(what)].filter(seen);
  const name = e => `${e.id || e.className} ${e.closest("[data-place]")?.dataset.place ?? e.dataset.card ?? ""}`;
  const found = [];
  all.forEach((one, i) => all.slice(i + 1).forEach(other => {
    if (one.contains(other) || other.contains(one)) return;
    if (one.matches(".card") && one.parentElement === other.parentElement) return;
    const a = place(one), b = place(other);
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (wide > 4 && high > 4) found.push(`${name(one)} / ${name(other)}`);
  }));
  if (document.documentElement.scrollWidth > innerWidth) found.push("sideways");
  return found;
}"""


@pytest.fixture(scope="module")
def table(lasting_tables: Lay) -> Rigged:
    """A site with a table on it."""
    described = {"ruleset": "scopa", "length": ["points", 11], "names": ["Anna", "Bruno"]}
    return lasting_tables(described)


@pytest.fixture(scope="module")
def lasting_stage(browser: Browser, table: Rigged) -> Iterator[Stage]:
    made = Stage(browser, table)
    yield made
    made.close()


@pytest.fixture
def stage(lasting_stage: Stage) -> Open:
    """Opens the table in a window of this size."""
    return lambda window, **more: lasting_stage.open(*window, **more)


def set_up(page: Page, director: Director, state: str) -> None:
    """Show a state, drawn to its end."""
    frames = STATES[state]()
    director.show(*frames)
    expect(
        page.locator(f"#table[data-version='{frames[-1]['v']}'][data-status='{frames[-1]['status']}']")
    ).to_be_visible()
    for panel, marks in {"#count": "count_", "#result": "result_"}.items():
        if state.startswith(marks):
            expect(page.locator(panel)).to_be_visible()


def bounds(element: Locator) -> tuple[float, float]:
    """Return where it ends below, and above."""
    box = measure(element)
    return box["y"] + box["height"], box["y"]


def crowding(page: Page) -> list[str]:
    """Return elements over one another or outside the window, once the page is laid out."""
    state_faults: list[str] = []
    for _ in range(600):
        state_faults = page.evaluate(CROWDING)
        if not state_faults:
            break
        page.wait_for_timeout(50)
    return state_faults


def choose_themes(state: str, states: tuple[str, ...]) -> tuple[str, ...]:
    return THEMES if state in BY_NIGHT or states != EXAMPLES else THEMES[:1]


@pytest.mark.parametrize(
    ("window", "states", "for_axe"),
    [
        pytest.param(SMALLEST, EXAMPLES, FOR_AXE, id="examples"),
        *(
            pytest.param(window, tuple(STATES), tuple(STATES), id=name, marks=pytest.mark.soak)
            for name, window in WINDOWS.items()
        ),
    ],
)
def test_in_any_state_axe_finds_nothing_in_either_theme_and_nothing_lies_over_anything(
    stage: Open, window: tuple[int, int], states: tuple[str, ...], for_axe: tuple[str, ...]
) -> None:
    page, director = stage(window)
    heard = collect_complaints(page)
    by_state = {}
    for state in states:
        page.reload()
        expect(page.locator("#table[data-line=open]")).to_be_visible()
        set_up(page, director, state)
        by_state[state] = [*crowding(page), *(faults(page, choose_themes(state, states)) if state in for_axe else [])]
        expect(page.locator("#lying [data-winner]")).to_have_count(0)  # a trick that was taken is gone
        by_state[state] += crowding(page)
    assert {state: state_faults for state, state_faults in by_state.items() if state_faults} == {}
    assert heard == []


@pytest.mark.soak
def test_with_text_twice_as_large_nothing_goes_sideways_on_the_smallest_telephone(stage: Open) -> None:
    page, director = stage(SMALLEST)
    for state in ("first_trick", "ambiguous", "count_of_scopa"):
        page.reload()
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        set_up(page, director, state)
        until(partial(page.evaluate, "document.documentElement.scrollWidth <= innerWidth"), what=state)  # laid out anew


@pytest.mark.soak
def test_panels_over_the_table_please_axe_too(stage: Open) -> None:
    page, director = stage(PORTRAIT)
    set_up(page, director, "trick_led")
    page.locator("#hand .card").first.click()
    expect(page.locator("#ghosts .ghost")).to_have_count(1)
    assert faults(page, THEMES) == []
    page.locator("#hand .card").first.press("l")
    expect(page.locator("#last")).to_be_visible()
    expect(page.locator("#last-cards [role=img]")).to_have_count(4)
    expect(page.locator("#last")).to_contain_text("La presa è tua.")
    assert faults(page, THEMES) == []
    page.keyboard.press("Escape")
    expect(page.locator("#last")).to_be_hidden()
    page.locator("#chat-open").click()
    for tab in ("points", "moves", "chat"):
        page.locator(f"#tab-{tab}").click()
        assert faults(page, THEMES) == []
    page.locator("#tab-moves").click()
    page.locator("#seen-open").click()
    assert faults(page, THEMES) == []
    page.locator("#seen-close").click()
    page.locator("#options-open").click()
    assert faults(page, THEMES) == []


@pytest.mark.rule("S7", "S8")
def test_the_count_is_told_point_by_point_with_the_primieras_cards(stage: Open) -> None:
    page, director = stage(DESK)
    set_up(page, director, "count_of_scopa")
    row = page.locator("#count [data-code=primiera]")
    expect(row).to_contain_text("la carta migliore di ogni seme")
    expect(row.locator(".count-cards")).to_have_count(2)
    names = row.locator(".count-cards").first.get_attribute("aria-label") or ""
    assert len(re.findall("di (denari|coppe|spade|bastoni)", names)) == 4, names
    expect(page.locator("#count")).to_contain_text("Nella partita")


@pytest.mark.rule("V1")
def test_the_result_says_mp_and_vp(stage: Open) -> None:
    page, director = stage(DESK)
    set_up(page, director, "result_of_a_round_robin")
    expect(page.locator("#result-worth")).to_contain_text("Victory point")
    expect(page.locator("#result-worth tbody tr").first).to_contain_text("+7")


def test_the_result_of_a_free_table_says_no_mp_and_vp(stage: Open) -> None:
    page, director = stage(DESK)
    frames = STATES["result_of_a_round_robin"]()
    director.show(frames[0], {**frames[-1], "context": "free"})
    expect(page.locator("#result")).to_be_visible()
    expect(page.locator("#result-worth")).to_be_empty()


@pytest.mark.rule("W3")
@pytest.mark.parametrize("window", [PORTRAIT, LANDSCAPE, DESK])
def test_who_watches_late_reads_so_in_any_window_and_why_by_touch_and_by_key(
    stage: Open, window: tuple[int, int]
) -> None:
    page, director = stage(window, has_touch=True)
    expect(page.locator("#late")).to_be_hidden()
    set_up(page, director, "late_deal")
    mark, why = page.locator("#late summary"), page.locator("#late .late-why")
    expect(mark).to_contain_text("una smazzata dopo")
    expect(mark).to_be_in_viewport(ratio=1)
    expect(page.locator("#score")).to_be_in_viewport(ratio=0.9)
    assert crowding(page) == []
    expect(why).to_be_hidden()
    mark.tap()
    expect(why).to_be_in_viewport(ratio=1)
    expect(why).to_contain_text("la smazzata prima di quella che si gioca")
    mark.press("Enter")
    expect(why).to_be_hidden()


@pytest.mark.rule("W3")
def test_who_watches_late_is_told_that_the_first_deal_is_played_and_others_that_it_is_dealt(stage: Open) -> None:
    page, director = stage(PORTRAIT)
    frame = STATES["late_first_deal"]()[0]
    told = page.locator("#waiting-text")
    director.show({**frame, "late": False})
    expect(told).to_have_text("Ci siete tutti: si danno le carte.")
    director.show({**frame, "v": frame["v"] + 1})
    expect(told).to_have_text("Si gioca la prima smazzata: la vedrai quando è finita.")
    expect(page.locator("#waiting-title")).to_have_text("Guardi una smazzata dopo")
    missing = [frame["seats"][0], {**frame["seats"][1], "here": False}]
    director.show({**frame, "v": frame["v"] + 2, "seats": missing})
    expect(told).to_have_text("Si aspetta: Bruno")


@pytest.mark.rule("W3")
def test_who_watched_late_reads_at_the_end_which_deal_was_the_last(stage: Open) -> None:
    page, director = stage(DESK, fresh=True)
    page.clock.install()
    page.clock.pause_at(datetime.now() + timedelta(hours=1))
    before, after = STATES["late_end"]()
    director.show(before)
    expect(page.locator("#stage")).to_have_text("Smazzata 1 di 2")
    page.clock.run_for(2000)  # for its last trick
    director.show(after)  # nothing is shown before it: cards of two deals never lie there together
    expect(page.locator("#result")).to_be_visible()
    expect(page.locator("#late")).to_be_hidden()
    expect(page.locator("#stage")).to_have_text("Smazzata 2 di 2")
    expect(page.locator("#lying .card")).to_have_count(0)


@pytest.mark.rule("W3")
def test_a_match_given_up_in_the_deal_not_seen_yet_ended_in_that_deal(stage: Open) -> None:
    page, director = stage(DESK)
    before, after = STATES["late_end"]()
    director.show(before, {**after, "previous": {**after["previous"], "number": 1}})
    expect(page.locator("#stage")).to_have_text("Smazzata 2 di 2")


def test_a_refusal_stands_above_the_cards_and_goes_when_the_turn_has_passed(stage: Open) -> None:
    page, director = stage(PORTRAIT, fresh=True)
    scene = Scene("scopa", 2, points=11, dealer=1).deal("Rd 3c 6s 4b 7c 2s 5d 5b 3d 2c")
    director.show(scene.frame())
    toast = page.locator("#toast")
    page.clock.install()
    page.clock.pause_at(datetime.now() + timedelta(hours=1))  # it would go by itself, too
    page.locator("#hand [data-card=Rd]").dblclick()
    expect(toast).to_contain_text("Giocata non ammessa")
    assert bounds(toast)[0] <= bounds(page.locator("#lying .card").first)[1]
    director.show(scene.play("0 play Rd x 5d 5b").frame())
    expect(toast).to_be_hidden()


def test_a_long_name_is_read_whole_at_a_desk(stage: Open) -> None:
    page, director = stage(DESK)
    director.show(Scene("scopa", 2, names=("Anna", "Carla Maria Ottaviani di Sopra"), house=(1,)).deal(SCOPA).frame())
    name = page.locator(".seat[data-place=top] .seat-name")
    expect(name).to_have_text("Carla Maria Ottaviani di Sopra")
    assert name.evaluate("it => it.scrollWidth <= it.clientWidth")


def test_the_last_ten_seconds_are_said_in_words_and_seen_round_the_whole_table(stage: Open) -> None:
    page, director = stage(DESK)
    set_up(page, director, "own_turn")
    expect(page.locator("#hurry")).to_be_hidden()
    page.reload()
    set_up(page, director, "last_seconds")
    expect(page.locator("#table")).to_have_attribute("data-urgent", "")
    expect(page.locator("#hurry")).to_have_text(re.compile(r"^\d second[oi]$"))
    expect(page.locator("#alarm")).to_have_text(re.compile(r"^Ti restano \d secondi\.$"))
    expect(page.locator(".seat[data-urgent] .seat-hurry")).to_contain_text("ultimi secondi")


def test_a_deal_is_dealt_from_the_dealer_and_not_at_all_for_who_asked_for_less_motion(stage: Open) -> None:
    count = """() => {
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (...how) {
            document.documentElement.dataset.moved = 1 + Number(document.documentElement.dataset.moved ?? 0);
            return animate.apply(this, how);
        };
    }"""
    moving, director = stage(DESK, reduced_motion="no-preference")
    moving.evaluate(count)
    set_up(moving, director, "first_trick")
    expect(moving.locator("html")).to_have_attribute("data-moved", "40")
    still, director = stage(DESK)
    still.evaluate(count)
    set_up(still, director, "first_trick")
    assert still.locator("html").get_attribute("data-moved") is None
