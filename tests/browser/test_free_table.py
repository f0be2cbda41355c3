"""A free table from its setting-up to its first cards: two people who know each other by a link, and the house."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.support.browser import collect_complaints

pytestmark = pytest.mark.usefixtures("swept_site")

TABLE = re.compile(r"/tavoli/(?!nuovo/)\w+/")  # and not the page where one waits for it
PERSONA = "/ws/persona/"


def choose(page: Page, game: str) -> None:
    page.get_by_role("radio", name=game, exact=True).check()


def test_only_the_options_that_fit_are_on_the_page_and_nothing_chosen_is_lost(page: Page) -> None:
    heard = collect_complaints(page)
    page.goto("/tavoli/nuovo/")
    expect(page.get_by_label("Carte viste")).to_be_visible()
    expect(page.get_by_label("Carte scoperte")).to_have_count(0)
    choose(page, "Tresette")
    expect(page.get_by_label("Vinco subito")).to_be_checked()
    expect(page.get_by_label("Dichiarazioni")).to_have_count(0)
    page.get_by_label("Accuso").check()
    page.get_by_role("radio", name="in quattro, a coppie").check()
    expect(page.get_by_label("Dichiarazioni")).to_be_checked()
    expect(page.get_by_label("Accuso")).to_be_checked()
    page.get_by_label("Ogni partita si gioca").select_option("a smazzate")
    expect(page.get_by_label("Vinco subito")).to_have_count(0)
    choose(page, "Tressette classico")
    expect(page.get_by_label("Quanti")).to_have_value("21")
    page.get_by_label("Onori").check()
    expect(page.get_by_label("Quanti")).to_have_value("31")
    expect(page.get_by_text("Lunghezze ammesse: 31, 51 punti")).to_be_visible()
    assert heard == []


def hold_answers(page: Page) -> list[Route]:
    """The first answer with a game's options stays away until it is let through; whoever asks first is in the list."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        if held or "hx-request" not in route.request.headers:
            route.continue_()
        else:
            held.append(route)

    page.route("**/tavoli/nuovo/", hold)
    return held


def test_who_is_faster_than_the_answers_sends_what_they_chose_and_sends_it_once(page: Page) -> None:
    heard = collect_complaints(page)
    page.goto("/tavoli/nuovo/")
    held = hold_answers(page)
    with page.expect_request("**/tavoli/nuovo/"):
        choose(page, "Tresette")
    page.get_by_role("radio", name="in quattro, a coppie").check()
    page.get_by_label("Ogni partita si gioca").select_option("a smazzate")
    page.get_by_label("Quanti").fill("2")
    page.get_by_role("button", name="Apri il tavolo e siediti").click()
    expect(page.get_by_label("Carte scoperte")).to_have_count(0)  # of two players: nothing has come yet
    held[0].continue_()
    expect(page.get_by_role("link", name="Manda il link")).to_be_visible()
    expect(page.get_by_text("Mancano 3")).to_be_visible()
    expect(page.locator("main")).to_contain_text("2 smazzate")
    expect(page.locator("main")).to_contain_text("Dichiarazioni")
    assert heard == []


def test_what_an_answer_changed_is_looked_at_before_it_is_sent(page: Page) -> None:
    page.goto("/tavoli/nuovo/")
    held = hold_answers(page)
    with page.expect_request("**/tavoli/nuovo/"):
        choose(page, "Tressette classico")
    page.get_by_role("button", name="Apri il tavolo e siediti").click()
    held[0].continue_()
    expect(page.get_by_label("Quanti")).to_have_value("21")  # it isn't played to 11
    page.get_by_role("button", name="Apri il tavolo e siediti").click()
    expect(page.get_by_role("link", name="Manda il link")).to_be_visible()


def test_a_number_about_to_be_typed_over_is_typed_over_after_the_answer_too(page: Page) -> None:
    page.goto("/tavoli/nuovo/")
    held = hold_answers(page)
    with page.expect_request("**/tavoli/nuovo/"):
        choose(page, "Tressette classico")
    page.get_by_label("Quanti").select_text()
    held[0].continue_()
    expect(page.get_by_label("Quanti")).to_have_value("21")
    page.keyboard.insert_text("31")
    expect(page.get_by_label("Quanti")).to_have_value("31")


@pytest.mark.soak  # two sit down by clicks in test_stakes.py; the house does below
def test_two_people_and_the_house_sit_down_and_are_dealt_cards(page: Page, browser: Browser, base_url: str) -> None:
    page.goto("/tavoli/nuovo/")
    choose(page, "Tresette")
    page.get_by_role("radio", name="in quattro, a coppie").check()
    expect(page.get_by_label("Dichiarazioni")).to_be_checked()
    page.get_by_role("button", name="Apri il tavolo e siediti").click()
    link = page.locator("[data-copy]").get_attribute("data-copy") or ""

    context = browser.new_context(base_url=base_url, locale="it-IT")
    friend = context.new_page()
    friend.goto(link)
    friend.get_by_role("button", name="Siediti al posto 3").click()
    expect(friend.get_by_role("button", name="Alzati")).to_be_visible()
    expect(friend.get_by_role("button", name="Riempi con la casa")).to_have_count(0)

    expect(page.get_by_text("Mancano 2")).to_be_visible()
    page.get_by_role("button", name="Riempi con la casa").click()
    for reader in (page, friend):  # the friend is taken there
        reader.wait_for_url("**/tavoli/*/")
        expect(reader.locator("#hand button").first).to_be_visible()
    page.go_back()  # past the waiting page, which would send them here again
    page.wait_for_url("**/tavoli/nuovo/")
    context.close()


def test_the_page_leaves_for_the_table_once_however_often_it_hears_of_it(page: Page) -> None:
    """The answer to the click and the person's socket both name the table (W1); a page that left twice stopped the
    first."""
    leaves: list[Route] = []

    def hold_the_first(route: Route) -> None:
        leaves.append(route)
        if len(leaves) > 1:
            route.continue_()

    # Before its page is there: what a page sends just after a route was set may pass it by.
    page.route(lambda url: TABLE.fullmatch(urlsplit(url).path) is not None, hold_the_first)
    page.goto("/tavoli/nuovo/")
    with page.expect_websocket(lambda socket: socket.url.endswith(PERSONA)) as opened:  # a visitor's page has none yet
        page.get_by_role("button", name="Apri il tavolo e siediti").click()
    persona = opened.value
    expect(page.get_by_role("link", name="Manda il link")).to_be_visible()
    with (
        persona.expect_event("framereceived", lambda frame: '"table"' in str(frame)),
        page.expect_request_finished(lambda request: request.url.endswith("/casa/")),
        page.expect_request(lambda request: TABLE.fullmatch(urlsplit(request.url).path) is not None),
    ):
        page.get_by_role("button", name="Riempi con la casa").click()
    for _ in range(4800):
        if leaves:  # the request is announced before it is held
            break
        page.wait_for_timeout(25)
    leaves[0].continue_()
    expect(page.locator("#hand button").first).to_be_visible()
    assert len(leaves) == 1


def test_what_an_answer_does_not_come_for_is_done_by_looking_again(page: Page) -> None:
    page.route("**/tavoli/libero/*/casa/", lambda route: route.abort())  # before its page is there, as above
    page.goto("/tavoli/nuovo/")
    page.get_by_role("button", name="Apri il tavolo e siediti").click()
    expect(page.get_by_role("link", name="Manda il link")).to_be_visible()
    with page.expect_navigation():
        page.get_by_role("button", name="Riempi con la casa").click()
    expect(page.get_by_role("button", name="Riempi con la casa")).to_be_enabled()
    page.unroute_all()
    page.get_by_role("button", name="Riempi con la casa").click()
    expect(page.locator("#hand button").first).to_be_visible()


def test_without_a_script_too_declarations_are_on_once_there_are_partners(browser: Browser, base_url: str) -> None:
    context = browser.new_context(base_url=base_url, locale="it-IT", java_script_enabled=False)
    page = context.new_page()
    page.goto("/tavoli/nuovo/")
    expect(page.locator("noscript .message")).to_be_visible()
    choose(page, "Tresette")
    page.get_by_role("button", name="Mostra le opzioni di questo gioco").click()
    page.get_by_role("radio", name="in quattro, a coppie").check()
    page.get_by_role("button", name="Apri il tavolo e siediti").click()
    expect(page.get_by_label("Dichiarazioni")).to_be_checked()
    page.get_by_role("button", name="Apri il tavolo e siediti").click()
    expect(page.locator("noscript .message")).to_be_visible()
    expect(page.locator("main")).to_contain_text("Dichiarazioni")
    context.close()


def test_without_a_script_a_a_table_is_opened_and_filled(browser: Browser, base_url: str) -> None:
    context = browser.new_context(base_url=base_url, locale="it-IT", java_script_enabled=False)
    page = context.new_page()
    page.goto("/tavoli/nuovo/")
    choose(page, "Tressette con l'accusa")
    page.get_by_role("button", name="Mostra le opzioni di questo gioco").click()
    page.get_by_role("radio", name="in tre, con il morto").check()
    page.get_by_role("radio", name="facoltativa: decide ogni giocatore").check()
    page.get_by_role("button", name="Apri il tavolo e siediti").click()
    expect(page.get_by_text("Da solo, e gioca anche il morto")).to_be_visible()
    page.get_by_text("Regole di questo tavolo").click()
    expect(page.get_by_text("facoltativa: decide ogni giocatore")).to_be_visible()
    page.get_by_role("button", name="Riempi con la casa").click()
    page.wait_for_url("**/tavoli/*/")
    context.close()
