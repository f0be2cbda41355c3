"""Quick entry in a real browser (O4): the keyboard alone, each keystroke counted, and without a script."""

import re
from collections.abc import Callable
from datetime import datetime
from time import perf_counter
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.hands import Hands
from tests.browser.interception import intercept
from tests.support.best_of import OF_THREE
from tests.support.people import create_person
from tests.support.real_tables import draw_real, list_round
from tests.support.tournaments import Opened
from tests.support.transfer import rule_ready
from tournaments.hall import quick_entry
from tournaments.hall.slip_codes import print_slips
from tournaments.models import Fixture, Referee, Tournament

TABLES = 12


@pytest.fixture
def evening(opened: Opened, now: datetime) -> Tournament:
    """A danese of 24 at 12 tables, of which the first round is drawn."""
    return draw_real(opened, 2 * TABLES, now, format="danese", format_options={"rounds": 5})


@pytest.fixture
def open_desk(open_as_organiser: Callable[..., Page], evening: Tournament) -> Callable[..., Page]:
    """Open the page of quick entry, each time in another browser, and wait until it takes what is typed."""

    def open_page(**more: Any) -> Page:
        page = open_as_organiser(f"/tornei/{evening.public_id}/risultati/", **more)
        expect(page.locator("[autofocus]")).to_be_focused()  # a page can be loaded a moment before
        return page

    return open_page


def count_done(tournament: Tournament) -> int:
    return Fixture.objects.of(tournament).filter(state=Fixture.State.DONE).count()


@pytest.mark.rule("O4", "D5")
def test_in_a_large_hall_the_next_tables_come_before_they_are_typed(
    monkeypatch: pytest.MonkeyPatch, open_as_organiser: Callable[..., Page], evening: Tournament, now: datetime
) -> None:
    monkeypatch.setattr(quick_entry, "AT_ONCE", 4)
    page = open_as_organiser(f"/tornei/{evening.public_id}/risultati/")
    expect(page.locator("[autofocus]")).to_be_focused()
    expect(page.locator(".quick-row")).to_have_count(8)  # the second sheet has come
    hands = Hands(page)
    for _table in range(5):
        hands.press("7", "Enter", "4", "Enter")
    expect(page.locator(".quick-row")).to_have_count(TABLES)
    expect(page.locator(".quick-result")).to_have_count(5)
    assert {fixture.points_0 for fixture in list_round(evening, 1)[:5]} == {7}, "each at its table"
    rule_ready(evening, evening.organiser, now, most=4)
    page.goto(f"/tornei/{evening.public_id}/risultati/?pagina=3")
    page.locator('.quick-row[data-table="10"] [name=points_0]').fill("6")
    hands.press("t", "2", "Enter")  # a table that isn't here
    page.wait_for_url(re.compile(r"pagina=1"))
    expect(page.locator('.quick-row[data-table="2"] a')).to_be_focused()
    expect(page.locator('.quick-row[data-table="10"] [name=points_0]')).to_have_value("6")  # it stays
    page.goto(f"/tornei/{evening.public_id}/risultati/?pagina=3")
    expect(page.locator("[autofocus]")).to_be_focused()
    for _table in range(3):
        hands.press("7", "Enter", "4", "Enter")
    expect(page.locator("[data-note=all_in] a")).to_be_focused()


@pytest.mark.rule("O4")
def test_twelve_tables_cost_two_keys_each_beyond_the_points(
    open_desk: Callable[..., Page], evening: Tournament, tell: Callable[[str], None]
) -> None:
    page = open_desk()
    hands, begun = Hands(page), perf_counter()
    for _table in range(TABLES):  # nobody waits for an answer: what is typed ahead is not lost
        hands.press("7", "Enter", "4", "Enter", thinking=True)
    expect(page.locator(".quick-result")).to_have_count(TABLES)
    seconds = perf_counter() - begun
    tell(f"Quick entry of {TABLES} tables: {hands.describe()} (the browser alone {seconds:.1f} s)")
    assert hands.keys == TABLES * (2 + 2)
    assert count_done(evening) == TABLES
    assert page.locator(".is-refused").count() == 0
    expect(page.locator(".quick-row").first).to_contain_text("VP")


@pytest.mark.rule("O4", "O5")
def test_another_table_comes_first_and_a_refusal_keeps_what_was_typed(
    open_desk: Callable[..., Page], evening: Tournament
) -> None:
    page = open_desk()
    hands = Hands(page)
    hands.press("t", "9", "Enter", "7", "Enter", "5", "Enter")  # twelve points: no deal of tresette gives them
    ninth = page.locator('.quick-row[data-table="9"]')
    expect(ninth).to_have_class("quick-row is-refused")
    expect(ninth.locator('[name="points_1"]')).to_have_value("5")
    expect(page.locator('.quick-row[data-table="10"] [name="points_0"]')).to_be_focused()
    hands.press("t", "9", "Enter")
    first = ninth.locator('[name="points_0"]')
    expect(first).to_be_focused()
    assert first.evaluate("e => [e.selectionStart, e.selectionEnd]") == [0, 1], "what is typed takes its place"
    hands.press("7", "Enter", "4", "Enter")
    expect(ninth.locator(".quick-result")).to_contain_text("vince")
    assert count_done(evening) == 1


@pytest.mark.rule("O4")
def test_a_row_that_did_not_arrive_says_so_and_enter_sends_the_same_act_again(
    open_desk: Callable[..., Page], evening: Tournament
) -> None:
    page = open_desk()
    hands, first = Hands(page), page.locator('.quick-row[data-table="1"]')
    lost: list[int] = []

    def lose_answer(route: Route) -> None:
        if route.request.method == "POST" and not lost:
            lost.append(route.fetch().status)  # it has arrived, and its answer hasn't
            route.abort()
        else:
            route.fallback()

    intercept(page, "**/risultati/", lose_answer)
    hands.press("7", "Enter", "4", "Enter")
    expect(first.locator("[data-trouble=line]")).to_be_visible()
    assert (lost, count_done(evening)) == ([200], 1)
    hands.press("t", "1", "Enter", "7", "Enter", "4", "Enter")
    expect(page.locator(".is-refused")).to_have_count(0)
    expect(first.locator(".quick-result")).to_contain_text("vince")

    cookies = page.context.cookies()
    page.context.clear_cookies()  # logged out, or another reader now
    second = page.locator('.quick-row[data-table="2"]')
    hands.press("t", "2", "Enter", "6", "Enter", "5", "Enter")
    expect(second.locator("[data-trouble=session] a")).to_have_attribute("href", re.compile("next="))
    expect(second.locator('[name="points_1"]')).to_have_value("5")
    page.context.add_cookies(cookies)  # type: ignore[arg-type]
    second.locator('[name="points_1"]').press("Enter")
    expect(second.locator(".quick-result")).to_contain_text("vince")
    assert count_done(evening) == 2


@pytest.mark.rule("O4")
def test_without_a_script_the_same_keys_do_it(open_desk: Callable[..., Page], evening: Tournament) -> None:
    page = open_desk(java_script_enabled=False)
    for points in ("7", "4", "6", "5"):
        expect(page.locator("[autofocus]")).to_be_focused()
        with page.expect_navigation():
            page.keyboard.type(points)
            page.keyboard.press("Enter")
    assert count_done(evening) == 2


@pytest.mark.rule("O4", "O13")
def test_results_from_another_desk_come_in_beside_what_is_being_typed(
    open_desk: Callable[..., Page], evening: Tournament
) -> None:
    page, other = open_desk(), open_desk()
    hands, elsewhere = Hands(page), Hands(other)
    hands.press("7")
    elsewhere.press("t", "2", "Enter", "6", "Enter", "5", "Enter")
    second = page.locator('.quick-row[data-table="2"]')
    expect(second.locator(".quick-result")).to_contain_text("vince")
    typed = page.locator('.quick-row[data-table="1"] [name="points_0"]')
    expect(typed).to_be_focused()
    expect(typed).to_have_value("7")
    hands.press("Enter", "4", "Enter")
    expect(page.locator('.quick-row[data-table="1"] .quick-result')).to_contain_text("vince")
    expect(page.locator('.quick-row[data-table="3"] [name="points_0"]')).to_be_focused()
    expect(other.locator('.quick-row[data-table="1"] .quick-result')).to_contain_text("vince")

    elsewhere.press("t", "3", "Enter", "5", "Enter", "6", "Enter")  # the very table where the cursor stands
    third = page.locator('.quick-row[data-table="3"]')
    expect(third.locator(".quick-result")).to_contain_text("vince")
    expect(third.locator('[name="points_0"]')).to_be_focused()
    hands.press("8", "Enter", "3", "Enter")
    expect(third.locator(".form-error").first).to_be_visible()
    assert (list_round(evening, 1)[2].points_0, count_done(evening)) == (5, 3), "the last write doesn't win silently"
    expect(page.locator('.quick-row[data-table="4"] [name="points_0"]')).to_be_focused()


@pytest.mark.rule("O13", "O4")
def test_the_organisers_own_match_waits_for_the_code_of_the_others(
    open_desk: Callable[..., Page], evening: Tournament, now: datetime
) -> None:
    own = list_round(evening, 1)[0]
    assert own.first is not None
    own.first.members.update(person=evening.organiser.person)
    other = create_person("Rita", now)
    Referee.objects.create(tournament=evening, player=other)
    (printed,) = print_slips(tournament_id=evening.pk, by=other, now=now, fixture_id=own.pk)
    page = open_desk()
    hands = Hands(page)
    hands.press("7", "Enter", "4", "Enter")
    row = page.locator('.quick-row[data-table="1"]')
    expect(row.locator('[data-note="own_waits"]')).to_be_visible()
    expect(page.locator('.quick-row[data-table="2"] [name="points_0"]')).to_be_focused()
    row.locator('[name="code"]').fill("tttt")
    hands.press("t")
    expect(row.locator('[name="code"]')).to_be_focused()  # a code may have the letter that leads to another table
    hands.press("Enter")
    expect(row.locator(".form-error").first).to_be_visible()
    row.locator('[name="code"]').fill(printed.codes[1])
    hands.press("Enter")
    expect(row.locator('[name="code"]')).to_have_count(0)
    expect(row.locator(".quick-result")).to_contain_text("vince")
    assert count_done(evening) == 1


@pytest.mark.rule("EV1", "O4")
def test_the_games_of_a_fixture_are_one_line_and_enter_goes_on(
    open_as_organiser: Callable[..., Page], opened: Opened, now: datetime
) -> None:
    tournament = draw_real(opened, 4, now, **OF_THREE)
    page = open_as_organiser(f"/tornei/{tournament.public_id}/risultati/")
    expect(page.locator("[autofocus]")).to_be_focused()
    page.keyboard.type("21-11 8-21 22-15")
    page.keyboard.press("Enter")
    page.keyboard.type("12-21")
    page.keyboard.press("Enter")
    expect(page.locator(".quick-result")).to_have_count(1)
    expect(page.locator(".is-refused")).to_have_count(1)  # nobody has won yet
    expect(page.locator("[name=games]")).to_be_focused()
    page.keyboard.type("12-21 3-21")  # it is selected: the whole line is typed anew
    page.keyboard.press("Enter")
    expect(page.locator("[data-note=all_in] a")).to_be_focused()
    assert [(row.points_0, row.points_1) for row in list_round(tournament, 1)] == [(2, 1), (0, 2)]
