"""Forms that somebody has worked on come back filled, whatever kept them from arriving, with what to do; passwords
never do."""

import re
from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from players.models import Player
from tests.support.live import Site
from tests.support.pages import tournament_url
from tests.support.real_tables import open_real
from tests.support.tournaments import PAIRS, Opened
from tournaments.clubs import actions as clubs
from tournaments.models import RegisterCard, Tournament

NOTES = "porta il vino"


@pytest.fixture
def card_page(open_as_organiser: Callable[..., Page], organiser: Player) -> Page:
    return open_as_organiser("/registri/mio/nuova/")


def type_card(page: Page, name: str) -> None:
    page.get_by_label("Nome e cognome").fill(name)
    page.get_by_label("Minore").check()
    page.get_by_label("Annotazioni").fill(NOTES)


def save(page: Page) -> None:
    page.locator("main form button[type=submit]").first.click()


def expect_filled(page: Page, name: str, what: str) -> None:
    """Wait for the form as it was left, with the words about it, and send it again."""
    expect(page.locator(f"[data-kept={what}]")).to_be_visible()
    expect(page.get_by_label("Nome e cognome")).to_have_value(name)
    expect(page.get_by_label("Minore")).to_be_checked()
    expect(page.get_by_label("Annotazioni")).to_have_value(NOTES)
    save(page)
    expect(page.locator("[data-notice]")).to_be_visible()
    expect(page.locator("[data-kept]")).to_have_count(0)
    assert RegisterCard.objects.filter(person__typed_name=name, notes=NOTES, minor=True).count() == 1


def test_a_form_of_another_log_in_comes_back(card_page: Page) -> None:
    """The form's token is an old one: in another window somebody went out and came in again."""
    type_card(card_page, "Ada Neri")
    (token,) = (one for one in card_page.context.cookies() if "csrf" in one["name"])
    card_page.context.add_cookies([{**token, "value": "x" * 32}])  # type: ignore[list-item]
    save(card_page)
    card_page.locator("[data-kept=elsewhere] a").click(timeout=15_000)
    expect_filled(card_page, "Ada Neri", "refused")
    card_page.goto("/registri/mio/nuova/")
    expect(card_page.get_by_label("Nome e cognome")).to_have_value("")


def test_a_session_that_is_gone_leads_back_by_the_log_in(card_page: Page) -> None:
    type_card(card_page, "Ugo Bianchi")
    cookies = card_page.context.cookies()
    card_page.context.clear_cookies(name=re.compile("session"))
    save(card_page)
    way = card_page.locator("[data-kept=session] a")
    expect(way).to_have_attribute("href", re.compile("login.*next=%2Fregistri%2Fmio%2Fnuova%2F"))
    card_page.context.add_cookies([one for one in cookies if "session" in one["name"]])  # type: ignore[misc]
    card_page.goto("/registri/mio/nuova/")
    expect_filled(card_page, "Ugo Bianchi", "refused")


def lose(page: Page) -> None:
    """Send the page's form over a line that breaks."""

    def drop(route: Route) -> None:
        if route.request.method == "POST":
            route.abort()
        else:
            route.fallback()

    page.route("**", drop)
    save(page)
    page.wait_for_url("chrome-error://**", timeout=15_000)
    page.unroute("**")


def test_a_line_that_is_lost_says_that_nobody_knows(card_page: Page) -> None:
    type_card(card_page, "Pia Rossi")
    lose(card_page)
    card_page.goto("/registri/mio/nuova/")
    expect_filled(card_page, "Pia Rossi", "unknown")


def test_no_other_form_answers_for_one_that_was_lost(card_page: Page) -> None:
    type_card(card_page, "Lia Rossi")
    lose(card_page)
    card_page.goto("/")
    expect(card_page.locator("[data-kept=elsewhere]")).to_be_visible()
    assert "sent=" in card_page.evaluate("document.cookie")
    card_page.evaluate(
        "document.body.appendChild(document.createElement('form')).dispatchEvent(new Event('submit', {bubbles: true}))"
    )
    assert "sent=" not in card_page.evaluate("document.cookie")
    card_page.goto("/registri/mio/nuova/")
    expect_filled(card_page, "Lia Rossi", "unknown")


def test_what_came_back_is_the_same_act_until_it_is_changed(page: Page, live_site: Site, opened: Opened) -> None:
    address = tournament_url("self-entry", open_real(opened))
    page.goto(address)
    key, name = page.locator("main form [name=key]"), page.get_by_label("Nome e cognome")
    name.fill("Ada Neri")
    sent = key.input_value()
    lose(page)
    page.goto(address)
    expect(key).to_have_value(sent)
    name.fill("Bice Neri")
    expect(key).not_to_have_value(sent)
    name.fill("Ada Neri")
    expect(key).to_have_value(sent)


def test_a_visitor_sees_nothing_of_what_an_account_typed_and_the_account_does(
    open_as_organiser: Callable[..., Page], opened: Opened
) -> None:
    address = tournament_url("self-entry", open_real(opened, PAIRS))
    page = open_as_organiser(address)
    partner = page.locator("main form [name=partner]")
    partner.fill("Ada Neri")
    lose(page)
    cookies = page.context.cookies()
    page.context.clear_cookies(name="sessionid")
    page.goto(address)
    expect(page.locator("[data-kept=session]")).to_be_visible()
    expect(partner).to_have_value("")
    page.context.add_cookies([one for one in cookies if one["name"] == "sessionid"])  # type: ignore[misc]
    page.goto(address)
    expect(partner).to_have_value("Ada Neri")


def test_a_visitor_sees_nothing_of_one_before_somebody_came_in(page: Page, live_site: Site) -> None:
    page.goto("/account/signup/")
    page.locator("[name=username]").fill("Zeno")
    for name in ("password1", "password2"):
        page.locator(f"[name={name}]").fill("parola-segreta")
    lose(page)
    page.context.clear_cookies(name="kept_visitor")  # as the answer to a log-in does
    page.goto("/account/signup/")
    expect(page.locator("[name=username]")).to_have_value("")
    expect(page.locator("[data-kept]")).to_have_count(0)
    assert "Zeno" not in page.evaluate("JSON.stringify({...sessionStorage})")


def test_no_password_is_kept(page: Page, live_site: Site) -> None:
    page.goto("/account/signup/")
    page.locator("[name=username]").fill("Zeno")
    for name in ("password1", "password2"):
        page.locator(f"[name={name}]").fill("parola-segreta")
    lose(page)
    page.goto("/account/signup/")
    expect(page.locator("[data-kept=unknown]")).to_be_visible()
    expect(page.locator("[name=username]")).to_have_value("Zeno")
    expect(page.locator("[name=password1]")).to_have_value("")
    assert "parola-segreta" not in page.evaluate("JSON.stringify({...sessionStorage, ...localStorage})")


def test_what_is_refused_on_the_way_to_its_page_comes_back_with_why_beside_it(
    open_as_organiser: Callable[..., Page], organiser: Player
) -> None:
    club = clubs.create_club(by=organiser, name="Circolo", description="", now=timezone.now())
    page = open_as_organiser(f"/circoli/{club.public_id}/")
    form = page.locator("form[action$='/invita/']")
    form.locator("[name=nome]").fill("Nessuno Qui")
    form.locator("button").click()
    expect(form.locator("[data-kept=declined]")).to_be_visible()
    expect(form.locator("[name=nome]")).to_have_value("Nessuno Qui")
    expect(form.locator("[data-notice]")).to_have_count(1)
    page.reload()
    expect(form.locator("[name=nome]")).to_have_value("")
    expect(page.locator("[data-kept]")).to_have_count(0)


def test_what_was_typed_into_a_form_that_is_gone_is_shown_once(
    open_as_organiser: Callable[..., Page], opened: Opened
) -> None:
    tournament = opened(PAIRS)
    page = open_as_organiser(tournament_url("tournament-cancel", tournament))
    Tournament.objects.filter(pk=tournament.pk).update(state="cancelled")
    page.locator("main form [name=reason]").fill("piove")
    page.locator("main form [type=submit]").first.click()
    gone = page.locator("[data-kept=gone]")
    expect(gone.locator("li")).to_have_text(["piove"])
    expect(gone.locator("a")).to_have_attribute("href", tournament_url("tournament-cancel", tournament))
    page.goto("/")
    expect(gone).to_have_count(0)
