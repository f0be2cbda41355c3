"""The page that makes a tournament, as the design has it: at the desk, on a telephone, by keyboard, without scripts, by
day and by night."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.layouts import find_flaws, find_small_targets, measure_box
from tests.browser.pictures import take_picture
from tests.support import live
from tests.support.browser import open_entries, sign_up, unfold
from tests.support.people import PASSWORD, sign_in

pytestmark = pytest.mark.usefixtures("live_site")

NEW = "/tornei/nuovo/"
DESK, PHONE, SMALL = ({"width": width, "height": height} for width, height in ((1280, 800), (390, 844), (360, 640)))
FOLDS = ("partita", "dove", "chi", "posti", "tempo", "testi")
PRIMARY = ".making-act button"
ROLL = re.compile(r"/tornei/(?!nuovo/)[^/]+/iscritti/$")
OPEN = re.compile(r"/tornei/(?!nuovo/)[^/]+/$")
Opening = Callable[..., Page]


def test_at_the_desk_all_is_in_the_first_screen_and_a_preset_and_one_click_call_the_roll(
    open_as_organiser: Opening,
) -> None:
    page = open_as_organiser(NEW, viewport=DESK)
    expect(page.locator("[name=name]")).to_be_focused()
    expect(page.locator("h1")).to_have_count(1)
    expect(page.locator("details.fold")).to_have_count(len(FOLDS))
    expect(page.locator("details.fold[open]")).to_have_count(0)
    expect(page.locator(".button-large")).to_have_count(1)
    take_picture(page, "organiser-form-1280")
    take_picture(page, "organiser-states-390-form", size=(390, 844))
    assert measure_box(page, PRIMARY)["bottom"] <= DESK["height"]
    presets = measure_box(page, ".presets ul")
    assert presets["x"] + presets["width"] < measure_box(page, ".making-panel")["x"], "presets stand left"
    page.get_by_role("button", name="Torneo in piazza").first.click()
    expect(page.locator("[name=name]")).to_have_value("Torneo in piazza")
    expect(page.locator("#dove-words")).to_have_text("dal vivo, a tavoli veri, un tavolo per incontro")
    page.get_by_role("button", name="Crea e vai all'appello").click()
    page.wait_for_url(ROLL)


@pytest.mark.rule("EV9")
def test_what_hangs_on_a_switch_is_asked_below_it_where_it_is_on(open_as_organiser: Opening) -> None:
    page = open_as_organiser(NEW, viewport=DESK)
    unfold(page, "posti")
    kept = page.locator("[name=apart_seeds]")
    expect(kept).to_be_hidden()
    page.locator("[name=apart]").check()
    expect(kept).to_be_visible()
    assert measure_box(page, "[name=apart]")["bottom"] < measure_box(page, "[name=apart_seeds]")["y"]


@pytest.mark.parametrize("screen", [PHONE, SMALL], ids=["390", "360"])
def test_on_a_telephone_the_button_stays_at_the_foot_and_the_preset_is_a_row(
    open_as_organiser: Opening, screen: dict[str, int]
) -> None:
    page = open_as_organiser(NEW, viewport=screen, has_touch=True)
    expect(page.locator(".bottom-bar")).to_have_count(0)
    for where in ("0", "document.documentElement.scrollHeight"):
        page.evaluate(f"scrollTo(0, {where})")
        box = measure_box(page, PRIMARY)
        assert 0 < box["y"] < box["bottom"] <= screen["height"]
    page.evaluate("scrollTo(0, 0)")
    expect(page.get_by_role("button", name="KO veloce")).to_be_hidden()
    page.locator(".presets > summary").tap()
    page.get_by_role("button", name="KO veloce").tap()
    expect(page.locator(".presets > summary")).to_contain_text("KO veloce")
    assert find_small_targets(page) == []
    for code in FOLDS:
        unfold(page, code)
    assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
    assert open_entries(page)


def test_nothing_is_wrong_with_it_unfolded_by_day_and_by_night(open_as_organiser: Opening) -> None:
    page = open_as_organiser(NEW, viewport=DESK)
    page.locator("[name=start]").select_option("at")
    for code in FOLDS:
        unfold(page, code)
    assert find_flaws(page, ("light", "dark")) == []


def test_a_newcomer_comes_from_home_to_an_open_tournament_by_few_clicks(
    browser: Browser, live_site: live.Site, tell: Callable[[str], None]
) -> None:
    page = browser.new_context(base_url=live_site.url, locale="it-IT", viewport=DESK).new_page()
    page.goto("/")
    clicks: list[str] = []

    def press(name: str) -> None:
        clicks.append(name)
        page.get_by_role("button", name=name).or_(page.get_by_role("link", name=name)).first.click()

    press("Organizza")
    press("Registrati")
    for field, value in (("username", "Nuova"), ("password1", PASSWORD), ("password2", PASSWORD)):
        page.locator(f"[name={field}]").fill(value)
    clicks.append("Registrati")
    page.locator("main form.panel button[type=submit]").click()
    page.wait_for_url(f"**{NEW}")
    page.locator("[name=name]").fill("Coppa")
    press("Crea e apri le iscrizioni")
    page.wait_for_url(OPEN)
    expect(page.locator("h1")).to_contain_text("Coppa")
    tell(f"From home to an open tournament: {len(clicks)} clicks and a name ({', '.join(clicks)})")
    assert len(clicks) == 4


def test_what_is_chosen_is_said_in_words_at_once_and_nothing_moves_under_the_hand(open_as_organiser: Opening) -> None:
    page = open_as_organiser(NEW, viewport=DESK)
    duration = page.locator("#duration")
    first = duration.inner_text()
    unfold(page, "posti")
    page.locator("[name=name]").fill("Serata")
    page.locator("[name=max_entries]").fill("64")
    page.locator("[name=min_entries]").focus()  # what was typed counts as soon as it is left
    expect(page.locator("#posti-words")).to_contain_text("da 2 a 64 iscritti")
    expect(duration).not_to_have_text(first)
    expect(page.locator("[name=min_entries]")).to_be_focused()
    page.locator("[name=seats_an_entry]").select_option("2")
    expect(page.locator("#posti-words")).to_contain_text("da 2 a 64 coppie")
    page.locator("[name=format]").select_option("danese")
    expect(page.locator("#posti [name=rounds]")).to_be_visible()
    page.locator("[name=ruleset]").select_option("scopone")
    expect(page.locator("#partita-words")).to_contain_text("punti")
    expect(page.locator(".game-select .mark:visible")).to_have_count(1)
    expect(page.locator("[name=name]")).to_have_value("Serata")
    expect(page.locator("[name=max_entries]")).to_have_value("64")
    unfold(page, "dove")
    page.locator("[name=venue][value=real]").check()
    expect(page.locator("#tempo-words")).to_have_text("senza orologio")
    expect(page.locator(PRIMARY)).to_have_text("Crea e vai all'appello", use_inner_text=True)
    assert open_entries(page)


def test_by_keyboard_folds_open_and_enter_makes_it(open_as_organiser: Opening) -> None:
    page = open_as_organiser(NEW, viewport=DESK)
    expect(page.locator("[name=name]")).to_be_focused()
    page.keyboard.type("Coppa dei tasti")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('#testi > summary')"):
            break
    page.keyboard.press("Enter")
    expect(page.locator("#testi[open]")).to_have_count(1)
    page.keyboard.press("Tab")
    expect(page.locator("#id_description")).to_be_focused()
    page.keyboard.type("Premi a tutti")
    page.keyboard.press("Tab")
    expect(page.locator("#testi-words")).to_have_text("a nome mio, con una presentazione")
    page.locator("[name=name]").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(OPEN)
    expect(page.locator("h1")).to_contain_text("Coppa dei tasti")


def test_what_is_refused_is_said_at_the_top_and_in_its_open_fold_which_has_the_focus(
    open_as_organiser: Opening,
) -> None:
    page = open_as_organiser(NEW, viewport=SMALL)
    page.locator("[name=name]").fill("Coppa")
    unfold(page, "posti")
    page.locator("[name=max_entries]").fill("1")
    page.locator("#posti > summary").click()
    page.locator(PRIMARY).click()
    expect(page.locator("details.fold[open]")).to_have_id("posti")
    expect(page.locator("[name=max_entries]")).to_be_focused()
    expect(page.locator("#id_max_entries_error")).to_be_in_viewport()
    page.get_by_role("alert").get_by_role("link", name="Iscritti, massimo").click()
    expect(page.locator("[name=max_entries]")).to_be_focused()
    expect(page.locator("[name=name]")).to_have_value("Coppa")


def test_without_a_script_it_is_the_same_page(browser: Browser, live_site: live.Site, organiser: object) -> None:
    context = browser.new_context(base_url=live_site.url, locale="it-IT", java_script_enabled=False, viewport=SMALL)
    session = sign_in(organiser).cookies["sessionid"].value  # type: ignore[arg-type]
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_site.url}])
    page = context.new_page()
    page.goto(NEW)
    page.locator("[name=name]").fill("Senza script")
    page.locator("[name=ruleset]").select_option("tresette")
    page.locator("#testi > summary").click()
    page.locator("#id_description").fill("Premi a tutti")
    page.locator(PRIMARY).click()
    expect(page.locator("#partita[open] [name=option_accuso]")).to_be_visible()  # its options are seen first
    expect(page.locator("#id_description")).to_have_value("Premi a tutti")
    page.locator("[name=length_value]").fill("102")
    page.locator(PRIMARY).click()
    expect(page.locator("#partita[open] #id_length_value_error")).to_be_visible()
    page.locator("[name=length_value]").fill("21")
    page.locator(PRIMARY).click()
    page.wait_for_url(OPEN)
    expect(page.locator("h1")).to_contain_text("Senza script")


def test_a_tournament_is_changed_on_the_same_page(browser: Browser, live_site: live.Site) -> None:
    page = browser.new_context(base_url=live_site.url, locale="it-IT", viewport=DESK).new_page()
    sign_up(page, "Rita")
    page.goto(NEW)
    page.locator("[name=name]").fill("Prima")
    address = open_entries(page)
    page.goto(f"{address}modifica/")
    expect(page.locator(".presets")).to_have_count(0)
    expect(page.locator("details.fold[open]")).to_have_count(0)
    expect(page.locator("#posti-words")).to_have_text("da 2 a 8 iscritti")
    page.locator("[name=name]").fill("Dopo")
    page.get_by_role("button", name="Salva").last.click()
    page.wait_for_url(address)
    expect(page.locator("h1")).to_contain_text("Dopo")
